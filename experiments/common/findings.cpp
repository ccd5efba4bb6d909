#include "findings.h"

#include <fmt/format.h>

#include <sstream>

#include "png.h"
#include "whole_file.h"

namespace polhode::experiments {
namespace {

constexpr int most_points = 2000;  // of a line in a picture
constexpr int picture_width = 1400;

std::string quoted(const std::string& text) {
  if (text.find_first_of(",\"\n") == std::string::npos) return text;
  std::string result = "\"";
  for (const char c : text) result += c == '"' ? std::string("\"\"") : std::string(1, c);
  return result + '"';
}

std::string in_full(const Cell& cell) {
  if (const double* number = std::get_if<double>(&cell)) return fmt::format("{}", *number);
  return quoted(std::get<std::string>(cell));
}

template <class Row, class Text>
void write_row(std::ostream& out, const Row& row, Text text) {
  bool first = true;
  for (const auto& cell : row) out << (first ? "" : ",") << text(cell), first = false;
  out << '\n';
}

void write_data(const std::filesystem::path& file, const std::vector<format::Plot>& plots) {
  std::ostringstream out;
  out << "plot,series,x,y\n";
  for (const format::Plot& plot : plots) {
    for (const format::PlotSeries& series : plot.series) {
      const std::string head = quoted(plot.title) + ',' + quoted(series.name);
      for (std::size_t i = 0; i < series.x.size(); ++i) out << fmt::format("{},{},{}\n", head, series.x[i], series.y[i]);
    }
  }
  write_whole_file(file, out.str());
}

std::vector<format::Plot> drawable(std::vector<format::Plot> plots) {
  for (format::Plot& plot : plots) {
    if (plot.is_path || plot.log_x) continue;  // thinned as it is drawn, along its own axis
    for (format::PlotSeries& series : plot.series) series = format::thinned(series, most_points);
  }
  return plots;
}

}  // namespace

Findings::Findings(std::filesystem::path folder, bool quick) : folder_(std::move(folder)), quick_(quick) {
  std::filesystem::create_directories(folder_);
}

void Findings::plot(const std::string& name, const std::string& caption, const std::vector<format::Plot>& plots) {
  write_data(folder_ / (name + ".csv"), plots);
  const std::vector<format::Plot> drawn = drawable(plots);
  const std::string file = format::plot_file(drawn);
  write_whole_file(folder_ / (name + ".svg"), file);
  cli::write_png(folder_ / (name + ".png"), file, picture_width);
  Drawn picture{name, caption};
  for (const format::Plot& plot : drawn) picture.svg += format::plot_svg(plot);
  pictures_.push_back(std::move(picture));
}

void Findings::table(Table table) {
  std::ostringstream out;
  write_row(out, table.columns, quoted);
  for (const auto& row : table.rows) write_row(out, row, in_full);
  write_whole_file(folder_ / (table.name + ".csv"), out.str());
  tables_.push_back(std::move(table));
}

void Findings::judge(bench::Verdict verdict, About about) {
  verdicts_.push_back({std::move(verdict), about});
  if (listener_) listener_(verdicts_.back());
}

void Findings::note(const std::string& text) { notes_.push_back(text); }

}  // namespace polhode::experiments
