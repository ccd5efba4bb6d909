#include "polhode/format/plots/run_facts.h"

#include <fmt/format.h>

#include <algorithm>

namespace polhode::format {
namespace {

using study::SimulateSummary;

/// Grows line by line.
class Facts {
 public:
  template <class... Args>
  void add(const char* label, fmt::format_string<Args...> text, Args&&... args) {
    lines_.emplace_back(label, fmt::format(text, std::forward<Args>(args)...));
  }
  /// The same label only once, before the first of its lines.
  template <class... Args>
  void add_to_list(const char* label, fmt::format_string<Args...> text, Args&&... args) {
    add(label == last_list_ ? "" : label, text, std::forward<Args>(args)...);
    last_list_ = label;
  }
  std::vector<std::pair<std::string, std::string>> take() { return std::move(lines_); }

 private:
  std::vector<std::pair<std::string, std::string>> lines_;
  std::string last_list_;
};

void add_steps(const SimulateSummary& s, Facts& facts) {
  const StepStatistics& steps = s.steps;
  std::string text = fmt::format("{}", steps.steps);
  if (steps.rejected > 0) text += fmt::format(" and {} rejected", steps.rejected);
  if (steps.steps > 0 && steps.newton_iterations == 0)
    text += fmt::format("   ({:.3g} to {:.3g} s; {} evaluations)", steps.smallest_step, steps.largest_step, steps.evaluations);
  const bool sizes_vary = std::any_of(s.options.begin(), s.options.end(), [](const auto& o) { return o.name == "accuracy"; });
  const std::string sizes =
      sizes_vary ? fmt::format("{:.3g} to {:.3g} s; ", steps.smallest_step, steps.largest_step) : std::string();
  if (steps.newton_iterations > 0)
    text += fmt::format("   ({}{:.2f} Newton iterations in a step)", sizes,
                        double(steps.newton_iterations) / double(std::max(steps.steps, 1L)));
  facts.add("steps", "{}", text);
  if (steps.halved > 0)
    facts.add("halved steps", "{}, where the step was too long for the motion; the smallest was {:.3g} s", steps.halved,
              steps.smallest_step);
}

void add_what_is_kept(const SimulateSummary& s, Facts& facts) {
  facts.add("energy", "{:.9g} J at the start, {:.9g} J at the end", s.energy_start, s.energy_end);
  if (s.conservative) {
    facts.add("energy drift", "{:+.3g} J, span {:.3g} J, slope {:+.2g} W", s.energy_drift(), s.energy_span(), s.energy_slope);
  } else {
    facts.add("energy change", "{:+.6g} J (the model has forces that do work)", s.energy_drift());
  }
  if (s.energy_by_events != 0)
    facts.add("energy by events", "{:+.6g} J, not counted in the {}", s.energy_by_events, s.conservative ? "drift" : "change");
  if (s.kept_momenta > 0)
    facts.add("momentum error", "{:.3g} of {:.3g} ({} conserved component{})", s.momentum_error, s.momentum_size,
              s.kept_momenta, s.kept_momenta > 1 ? "s" : "");
  facts.add("constraint error", "{:.3g}", s.constraint_error);
  constexpr double rounding = 1e-12;  // which row has the most of it says nothing
  if (!s.velocity_worst.empty())
    facts.add("velocity error", "{:.3g} m/s or rad/s{}", s.velocity_error,
              s.velocity_error > rounding ? ", largest in " + s.velocity_worst : "");
}

/// One line per event of the model, what they said, and who ended the run.
void add_events(const SimulateSummary& s, Facts& facts) {
  for (const study::EventCount& event : s.event_counts) {
    if (event.count == 0) facts.add_to_list("events", "\"{}\" never", event.name);
    if (event.count == 1) facts.add_to_list("events", "\"{}\" once, at {:.9g} s", event.name, event.first);
    if (event.count > 1)
      facts.add_to_list("events", "\"{}\" {} times, from {:.9g} to {:.9g} s", event.name, event.count, event.first, event.last);
  }
  constexpr int most = 20;
  int said = 0;
  for (const study::EventRecord& record : s.event_records)
    if (!record.text.empty() && ++said <= most) facts.add("said", "at {:.9g} s: {}", record.time, record.text);
  if (said > most) facts.add("", "and {} more", said - most);
  if (!s.stopped_by.empty()) facts.add("stopped by", "{}", s.stopped_by);
}

void add_recorded(const SimulateSummary& s, Facts& facts) {
  constexpr std::size_t most = 40;
  for (std::size_t i = 0; i < std::min(most, s.recorded.size()); ++i) {
    const study::RecordedRange& range = s.recorded[i];
    facts.add_to_list("recorded", "{}: {:.9g} to {:.9g}{}{}, at the end {:.9g}", range.name, range.least, range.greatest,
                      range.unit.empty() ? "" : " ", range.unit, range.last);
  }
  if (s.recorded.size() > most) facts.add("", "and {} more", s.recorded.size() - most);
}

}  // namespace

std::vector<std::pair<std::string, std::string>> run_facts(const SimulateSummary& s) {
  Facts facts;
  add_steps(s, facts);
  facts.add("wall time", "{:.3g} s, {:.3g} times real time", s.wall_time, s.real_time_factor);
  add_what_is_kept(s, facts);
  std::string counts;
  for (const Counter& counter : s.counters)
    counts += fmt::format("{}{} {}", counts.empty() ? "" : ", ", counter.name, counter.value);
  if (!counts.empty()) facts.add("counted", "{}", counts);
  for (const auto& [name, force] : s.largest_drives)
    facts.add_to_list("largest drives", "{:.4g} N or N m, to move \"{}\"", force, name);
  add_events(s, facts);
  add_recorded(s, facts);
  return facts.take();
}

std::string how_it_was_run(const SimulateSummary& s) {
  std::string text = s.method;
  for (const auto& [name, value] : told(s.options)) text += fmt::format(", {} {}", name, value);
  return text;
}

}  // namespace polhode::format
