#include "design_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "chosen_values.h"
#include "polhode/format/runs/csv.h"
#include "polhode/study/column_names.h"

namespace polhode::cli {
namespace {

const char* sign_of(study::DesignLimit::Sense sense) {
  using Sense = study::DesignLimit::Sense;
  return sense == Sense::at_most ? "<=" : sense == Sense::at_least ? ">=" : "=";
}

NamedValues found_values(const study::DesignResult& r) {
  NamedValues values;
  for (const auto& v : r.values) values.emplace_back(v.name, v.value);
  return values;
}

std::string bounds_of(const study::DesignVariable& v) {
  return std::isfinite(v.upper - v.lower) ? fmt::format("{:.6g} to {:.6g}", v.lower, v.upper) : "none";
}

std::string worth_text(const std::optional<double>& worth, const char* of) {
  return worth ? fmt::format("; {} {:+.4g} of the measure per unit", of, *worth) : std::string();
}

void print_certainty(const study::DesignResult& r) {
  if (r.starts > 1)
    fmt::print("  places               {} searched from, {} came to this measure\n", r.starts, r.starts_agreeing);
  if (r.restart_gain) fmt::print("  searched once more   from there: better by {:.2g}\n", *r.restart_gain);
  if (r.slope_left) fmt::print("  slope left           {:.2g} per whole change of a value\n", *r.slope_left);
  if (!r.curvatures.empty())
    fmt::print("  curvature            {:.4g} to {:.4g} per square of it, condition {:.2g}\n", r.curvatures.front(),
               r.curvatures.back(),
               std::abs(r.curvatures.front()) > std::abs(r.curvatures.back()) ? r.curvatures.front() / r.curvatures.back()
                                                                              : r.curvatures.back() / r.curvatures.front());
}

nlohmann::json or_null(const std::optional<double>& x) { return x ? nlohmann::json(*x) : nlohmann::json(); }

}  // namespace

void print_for_people(const DesignReport& report) {
  const auto& [file, method, out, p, r, model] = report;
  fmt::print("{}: {} {} over {} value{}{}\n", file, p.measure, p.maximize ? "maximised" : "minimised", r.values.size(),
             r.values.size() == 1 ? "" : "s",
             p.limits.empty() ? "" : fmt::format(", with {} limit{}", p.limits.size(), p.limits.size() == 1 ? "" : "s"));
  std::size_t width = std::max<std::size_t>(20, p.measure.size());
  for (const auto& v : r.values) width = std::max(width, v.name.size());
  fmt::print("  {:<{}} {:>14} {:>16}   {}\n", "", width, "start", "best", "bounds");
  for (std::size_t k = 0; k < r.values.size(); ++k)
    fmt::print("  {:<{}} {:>14.6g} {:>16.9g}   {}{}\n", r.values[k].name, width, r.values[k].start, r.values[k].value,
               bounds_of(p.variables[k]), worth_text(r.values[k].worth, "its bound is worth"));
  fmt::print("  {:<{}} {:>14} {:>16.9g}\n", p.measure, width,
             r.measure_start ? fmt::format("{:.6g}", *r.measure_start) : "failed", r.measure);
  for (const auto& l : r.limits)
    fmt::print("  limit                {} {} {:.6g}: {:.9g}, {}{}\n", l.limit.name, sign_of(l.limit.sense), l.limit.bound,
               l.measured, l.active ? "active" : fmt::format("margin {:.4g}", l.margin), worth_text(l.worth, "worth"));
  fmt::print("  search               {}, {} runs, {} failed; stopped because {}\n", r.method, r.runs, r.failures, r.reason);
  print_certainty(r);
  fmt::print("  wall time            {:.3g} s\n", r.wall_time);
  for (const std::string& warning : r.warnings) fmt::print("  warning: {}\n", warning);
  if (!out.empty()) fmt::print("  {} rows written to {}\n", r.tries.size(), out);
  const NamedValues found = found_values(r);
  if (const std::string set = set_options(found, model); !set.empty()) fmt::print("  to use it            {}\n", set);
  if (const std::string start = start_values(found, model); !start.empty()) fmt::print("  at the start         {}\n", start);
}

nlohmann::json as_json(const DesignReport& report) {
  const auto& [file, method, out, p, r, model] = report;
  nlohmann::json values = nlohmann::json::array(), limits = nlohmann::json::array();
  for (const auto& v : r.values)
    values.push_back({{"name", v.name},
                      {"start", v.start},
                      {"value", v.value},
                      {"at_lower", v.at_lower},
                      {"at_upper", v.at_upper},
                      {"worth", or_null(v.worth)}});
  for (const auto& l : r.limits)
    limits.push_back({{"measure", l.limit.name},
                      {"sense", sign_of(l.limit.sense)},
                      {"bound", l.limit.bound},
                      {"measured", l.measured},
                      {"margin", l.margin},
                      {"active", l.active},
                      {"worth", or_null(l.worth)}});
  nlohmann::json object{{"model", file},
                        {"method", method},
                        {"measure", p.measure},
                        {"maximize", p.maximize},
                        {"values", values},
                        {"limits", limits},
                        {"start", or_null(r.measure_start)},
                        {"best", r.measure},
                        {"met", r.met},
                        {"converged", r.converged},
                        {"interrupted", r.interrupted},
                        {"search", r.method},
                        {"reason", r.reason},
                        {"runs", r.runs},
                        {"failed", r.failures},
                        {"starts", r.starts},
                        {"starts_agreeing", r.starts_agreeing},
                        {"restart_gain", or_null(r.restart_gain)},
                        {"slope_left", or_null(r.slope_left)},
                        {"curvatures", r.curvatures},
                        {"warnings", r.warnings},
                        {"set", set_options(found_values(r), model)},
                        {"wall_time", r.wall_time}};
  if (!out.empty()) object["out"] = out;
  return object;
}

std::string table_of(const study::DesignProblem& p, const study::DesignResult& r) {
  std::vector<std::string> names, others{"try", "place", "meets_limits", "failure", p.measure};
  for (const auto& v : p.variables) names.push_back(v.name);
  for (const auto& l : p.limits) others.push_back(l.name);
  std::string text = "try,place";
  for (const std::string& name : study::distinct(names, others, "varied.")) text += ',' + format::csv_field(name);
  text += ',' + format::csv_field(p.measure);
  for (std::size_t i = 0; i < p.limits.size(); ++i) text += ',' + format::csv_field("limit." + p.limits[i].name);
  text += ",meets_limits,failure\n";
  for (std::size_t i = 0; i < r.tries.size(); ++i) {
    const study::DesignTry& tried = r.tries[i];
    text += fmt::format("{},{}", i + 1, tried.start + 1);
    for (const double x : tried.values) text += fmt::format(",{}", x);
    for (std::size_t m = 0; m <= p.limits.size(); ++m)
      text += tried.measures.empty() ? "," : fmt::format(",{}", tried.measures[m]);
    text += fmt::format(",{},{}\n", tried.meets_limits ? 1 : 0, format::csv_field(tried.failure));
  }
  return text;
}

}  // namespace polhode::cli
