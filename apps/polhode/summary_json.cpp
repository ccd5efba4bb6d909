#include "summary_json.h"

#include <algorithm>

#include "usage.h"

namespace polhode::cli {
namespace {

template <class T>
nlohmann::json as_json(const T& value) {
  return value;
}
nlohmann::json as_json(const NamedNumbers& numbers) {
  nlohmann::json result = nlohmann::json::object();
  for (const auto& [name, x] : numbers) result[name] = x;
  return result;
}

void add_events(const study::SimulateSummary& s, nlohmann::json& result) {
  if (!s.stopped_by.empty()) result["stopped_by"] = s.stopped_by;
  if (s.event_counts.empty()) return;
  nlohmann::json counts = nlohmann::json::array(), records = nlohmann::json::array();
  for (const study::EventCount& event : s.event_counts) {
    counts.push_back({{"name", event.name}, {"count", event.count}});
    if (event.count > 0) counts.back()["first"] = event.first, counts.back()["last"] = event.last;
  }
  for (const study::EventRecord& record : s.event_records) {
    records.push_back({{"time", record.time}, {"name", s.event_counts[std::size_t(record.event)].name}});
    if (!record.text.empty()) records.back()["said"] = record.text;
  }
  result["event_counts"] = counts;
  result["events"] = records;
  result["events_left_off"] = s.events - long(s.event_records.size());
  result["energy_by_events"] = s.energy_by_events;
}

}  // namespace

nlohmann::json options_json(const ResolvedOptions& options) {
  nlohmann::json result = nlohmann::json::object();
  for (const ResolvedOption& option : options) {
    std::string key = option.name;
    std::replace(key.begin(), key.end(), ' ', '_');
    result[key] = std::visit([](const auto& value) { return as_json(value); }, option.value);
  }
  return result;
}

nlohmann::json summary_json(const study::SimulateSummary& s) {
  nlohmann::json result{{"version", s.version},
                        {"method", s.method},
                        {"options", options_json(s.options)},
                        {"completed", s.completed},
                        {"time_start", s.time_start},
                        {"time_end", s.time_end},
                        {"steps", s.steps.steps},
                        {"rejected", s.steps.rejected},
                        {"evaluations", s.steps.evaluations},
                        {"newton_iterations", s.steps.newton_iterations},
                        {"halved", s.steps.halved},
                        {"smallest_step", s.steps.smallest_step},
                        {"largest_step", s.steps.largest_step},
                        {"reports", s.reports},
                        {"wall_time", s.wall_time},
                        {"real_time_factor", s.real_time_factor},
                        {"energy_start", s.energy_start},
                        {"energy_end", s.energy_end},
                        {"energy_drift", s.energy_drift()},
                        {"energy_span", s.energy_span()},
                        {"energy_slope", s.energy_slope},
                        {"conservative", s.conservative},
                        {"constraint_error", s.constraint_error}};
  if (!s.velocity_worst.empty()) result["velocity_error"] = s.velocity_error, result["velocity_worst"] = s.velocity_worst;
  if (s.kept_momenta > 0) result["momentum_error"] = s.momentum_error, result["momentum_size"] = s.momentum_size;
  for (const auto& [name, force] : s.largest_drives) result["largest_drives"][name] = force;
  for (const Counter& counter : s.counters) result["counters"][std::string(counter.name)] = counter.value;
  add_events(s, result);
  for (const study::RecordedRange& range : s.recorded)
    result["recorded"][range.name] = {
        {"unit", range.unit}, {"least", range.least}, {"greatest", range.greatest}, {"last", range.last}};
  if (!s.completed) result["failure"] = with_flags(s.failure);
  return result;
}

}  // namespace polhode::cli
