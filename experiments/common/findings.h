#pragma once
#include <filesystem>
#include <functional>
#include <string>
#include <variant>
#include <vector>

#include "../../bench/verdict.h"
#include "polhode/format/plots/plot.h"

namespace polhode::experiments {

/// A number, or words.
using Cell = std::variant<double, std::string>;

struct Table {
  std::string name;  ///< of its file
  std::string caption;
  std::vector<std::string> columns{};  ///< with units: "energy, largest [%]"
  std::vector<std::vector<Cell>> rows{};
};

/// What a verdict is about. Only mechanics fails a run of the experiments: speed depends on the machine, and an aim is what a
/// paper or an issue says of a method that is known to fall short of it, shown as missed for as long as it does.
enum class About { mechanics, speed, aim };

struct Judged {
  bench::Verdict verdict;
  About about;
};

struct Drawn {
  std::string name, caption;
  std::string svg{};  ///< for a page that has format::plot_css()
};

/// What came of one experiment. Pictures and data are written into its folder as they come: NAME.svg, NAME.png and NAME.csv.
class Findings {
 public:
  Findings(std::filesystem::path folder, bool quick);

  /// Less of everything: the whole set is to finish in under five minutes on two cores.
  bool quick() const { return quick_; }
  template <class T>
  T pick(T full, T when_quick) const {
    return quick_ ? when_quick : full;
  }

  /// Plots are drawn one above another; their data goes into NAME.csv as series, x, y.
  void plot(const std::string& name, const std::string& caption, const std::vector<format::Plot>& plots);
  void plot(const std::string& name, const std::string& caption, const format::Plot& one) {
    plot(name, caption, std::vector<format::Plot>{one});
  }
  /// On the page, and in NAME.csv with all digits.
  void table(Table table);
  /// Whether a claim holds, from what was measured: bench::at_most and bench::at_least.
  void judge(bench::Verdict verdict, About about = About::mechanics);
  /// A plain sentence for the page: a limit, a difference from the paper, why a peer is not there.
  void note(const std::string& text);

  /// Who is told of verdicts as they come.
  void tell(std::function<void(const Judged&)> listener) { listener_ = std::move(listener); }

  const std::filesystem::path& folder() const { return folder_; }
  const std::vector<Drawn>& pictures() const { return pictures_; }
  const std::vector<Table>& tables() const { return tables_; }
  const std::vector<Judged>& verdicts() const { return verdicts_; }
  const std::vector<std::string>& notes() const { return notes_; }

 private:
  std::filesystem::path folder_;
  bool quick_;
  std::vector<Drawn> pictures_;
  std::vector<Table> tables_;
  std::vector<Judged> verdicts_;
  std::vector<std::string> notes_;
  std::function<void(const Judged&)> listener_;
};

}  // namespace polhode::experiments
