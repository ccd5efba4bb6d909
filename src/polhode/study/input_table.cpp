#include "polhode/study/input_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace polhode::study {

const char* name(InputTable::Between between) { return between == InputTable::Between::hold ? "hold" : "linear"; }

std::string objection(const Mechanism& mechanism, const InputTable& table) {
  std::vector<std::string> known;
  for (const Input& input : mechanism.inputs()) known.push_back(input.name);
  for (auto name = table.names.begin(); name != table.names.end(); ++name) {
    if (std::find(known.begin(), known.end(), *name) == known.end())
      return known.empty() ? fmt::format("inputs: the model has no input \"{0}\", nor any other; add (input \"{0}\")", *name)
                           : fmt::format("inputs: the model has no input \"{}\"{}", *name, suggestion(*name, known, "inputs"));
    if (std::find(table.names.begin(), name, *name) != name)
      return fmt::format("inputs: the table has two columns \"{}\"; keep one", *name);
  }
  if (table.names.empty()) return table.times.empty() ? "" : "inputs: the table has times but no inputs";
  if (table.times.empty()) return "inputs: the table has no rows";
  if (table.values.size() != table.names.size()) return "inputs: the table must have one list of values for each name";
  for (std::size_t row = 0; row < table.times.size(); ++row)
    if (!std::isfinite(table.times[row]) || (row > 0 && !(table.times[row - 1] < table.times[row])))
      return fmt::format("inputs: times must be finite and increase, but row {} has {}", row + 1, table.times[row]);
  for (std::size_t i = 0; i < table.names.size(); ++i) {
    if (table.values[i].size() != table.times.size())
      return fmt::format("inputs: there are {} values of \"{}\" for {} times", table.values[i].size(), table.names[i],
                         table.times.size());
    for (const double value : table.values[i])
      if (!std::isfinite(value)) return fmt::format("inputs: a value of \"{}\" is {}, no finite number", table.names[i], value);
  }
  return {};
}

InputSchedule::InputSchedule(const Mechanism& mechanism, const InputTable& table, std::optional<double> fixed_step)
    : table_(table), step_(fixed_step.value_or(0)) {
  for (const std::string& name : table.names) index_.push_back(mechanism.input(name));
}

/// The last row at or before t; the first where all are later.
std::size_t InputSchedule::row_at(double t) const {
  const auto after = std::upper_bound(table_.times.begin(), table_.times.end(), t);
  return after == table_.times.begin() ? 0 : std::size_t(after - table_.times.begin()) - 1;
}

double InputSchedule::next_break(double t) const {
  const auto after = std::upper_bound(table_.times.begin(), table_.times.end(), t);
  return after == table_.times.end() ? std::numeric_limits<double>::infinity() : *after;
}

void InputSchedule::put(double t, std::span<double> inputs) const {
  const std::size_t row = row_at(t);
  double part = 0;  // of the way to the next row
  if (table_.between == InputTable::Between::linear && row + 1 < table_.times.size() && t >= table_.times[row]) {
    const double t0 = table_.times[row], t1 = table_.times[row + 1];
    const double middle = 0.5 * (t + std::min(t + step_, t1));
    part = (middle - t0) / (t1 - t0);
  }
  for (std::size_t i = 0; i < index_.size(); ++i) {
    const double here = table_.values[i][row];
    inputs[std::size_t(index_[i])] = part == 0 ? here : here + part * (table_.values[i][row + 1] - here);
  }
}

}  // namespace polhode::study
