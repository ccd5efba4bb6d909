#pragma once
#include <optional>
#include <string>
#include <vector>

/// Line plots as SVG, for reports and files: no script, no font or style from elsewhere.
namespace polhode::format {

struct PlotSeries {
  std::string name;
  std::vector<double> x, y;  ///< of one length, x not decreasing but in a path; a y that is no finite number leaves a gap
  int style = -1;            ///< which colour and dashes, from 0; by default its place among the series
  bool markers = false;      ///< every point is marked, as of measurements that a line only joins
  bool bold = false;         ///< what the plot is about
};

/// A horizontal line across the plot.
struct PlotMark {
  double y;
  std::string name;
};

struct Plot {
  std::string title{};
  std::string x_name{}, x_unit{}, y_name{}, y_unit{};  ///< units may be empty
  bool log_x = false;                                  ///< the same as log_y, of the other axis
  bool log_y = false;  ///< what is not positive leaves a gap; with nothing positive at all it is linear
  std::vector<PlotSeries> series{};
  std::vector<PlotMark> marks{};
  bool is_path = false;  ///< x goes back and forth, as one coordinate against another does
  /// Where y ends, for a curve that leaves the others behind: what is beyond is cut off.
  std::optional<double> y_low{}, y_high{};
};

/// Round numbers, 1, 2 or 5 times a power of ten apart and at most `most` of them, the first and the last of which enclose low
/// and high. Where high is not above low, around it; none for numbers that are not finite.
std::vector<double> round_ticks(double low, double high, int most);

/// At most about `most` points that look the same: of each stretch of x the first, least, greatest and last y are kept. Along
/// a logarithmic axis that is true of the logarithms of x.
PlotSeries thinned(const PlotSeries& series, int most);

/// The plot as an <svg> element, for a page that has plot_css() among its styles.
std::string plot_svg(const Plot& plot);
/// One above another as a file of its own, on white. Its colours are written out, as programs other than browsers read it.
std::string plot_file(const std::vector<Plot>& plots);

/// Colours, light and dark as the reader prefers, that people with any colour vision can tell apart (after Okabe and Ito).
std::string plot_css();
/// A style by its colour, 0 to 8, and one of four variants, of other dashes and marks: for series that belong together.
int style_of_family(int colour, int variant);
/// CSS classes of the n-th style: its stroke.
std::string stroke_class(int style);

}  // namespace polhode::format
