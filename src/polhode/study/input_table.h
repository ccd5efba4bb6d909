#pragma once
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "polhode/mechanism/mechanism.h"

namespace polhode::study {

/// What inputs are over the time of a run: a table with a row for each time.
struct InputTable {
  enum class Between {
    hold,   ///< each row's values stay until the next, where a step ends
    linear  ///< straight from row to row; within a step as in its middle
  };
  std::vector<std::string> names{};
  std::vector<double> times{};                ///< increasing [s]
  std::vector<std::vector<double>> values{};  ///< by name, one for each time
  Between between = Between::hold;

  bool empty() const { return names.empty(); }
  bool operator==(const InputTable&) const = default;
};
const char* name(InputTable::Between between);

/// What is wrong with it, in words; empty when nothing is.
std::string objection(const Mechanism& mechanism, const InputTable& table);

/// The inputs of one run, step by step. Before the first row and after the last they are as in these rows; those that the table
/// does not have stay as they are. Looking them up allocates nothing.
class InputSchedule {
 public:
  InputSchedule(const Mechanism& mechanism, const InputTable& table, std::optional<double> fixed_step);

  bool empty() const { return table_.empty(); }
  /// The next time after t at which a step has to end [s]; infinite after the last.
  double next_break(double t) const;
  /// For a step that starts at t: writes those that the table has.
  void put(double t, std::span<double> inputs) const;

 private:
  std::size_t row_at(double t) const;

  const InputTable& table_;
  std::vector<int> index_;  // by name
  double step_;             // [s]
};

}  // namespace polhode::study
