#pragma once
#include <limits>
#include <span>
#include <string_view>
#include <vector>

namespace polhode::format {

/// Arithmetic that may stand wherever a model needs a number.
struct Operation {
  std::string_view keyword, usage;
  std::size_t fewest, most;  ///< arguments
  double (*apply)(std::span<const double> arguments);
  std::string_view unit{};  ///< of the result, for (mm 30) and its like, which turn a plain number into SI units
};

inline constexpr std::size_t any_number = std::numeric_limits<std::size_t>::max();

/// Null when there is none of that name.
const Operation* operation_named(std::string_view keyword);
const std::vector<Operation>& operations();

}  // namespace polhode::format
