#pragma once
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace polhode::format {

/// A table of text whose first column names the rows.
struct ReportTable {
  std::vector<std::string> header;  ///< the first is that of the row names
  std::vector<std::vector<std::string>> rows;
};

/// A page of results as one HTML file that needs nothing else: no script, and nothing from any other place. It is light or dark
/// as the reader prefers, and fit for narrow screens and for paper. All text is escaped here.
class ReportPage {
 public:
  explicit ReportPage(std::string_view title);

  /// `id` is for links to it.
  void heading(std::string_view text, std::string_view id = {});
  void paragraph(std::string_view text);
  /// Something that went wrong or does not apply.
  void note(std::string_view text);
  /// Numbers in it are set as such.
  void table(const ReportTable& table);
  /// Name and value, in words.
  void facts(const std::vector<std::pair<std::string, std::string>>& facts);
  /// Figures that follow each other stand side by side where there is room. The SVG is taken as it is: plot_svg() makes it.
  void figure(std::string_view svg, std::string_view caption = {});
  void preformatted(std::string_view text);
  /// The same, folded away until the reader opens it.
  void folded(std::string_view summary, std::string_view text);

  /// For pages with more to them. Both are taken as they are: what comes from elsewhere goes through for_markup() first.
  void markup(std::string_view html);
  void style(std::string_view css);

  std::string html() const;

 private:
  void end_figures();

  std::string title_, css_, body_;
  bool in_figures_ = false;
};

}  // namespace polhode::format
