#pragma once
/// Numbers in tables, and the one fitted to them.

#include <optional>
#include <span>
#include <string>
#include <utility>

namespace polhode::bench {

/// Three significant digits without an exponent: 0.123, 1.23, 12.3, 1234.
std::string three_digits(double value);

/// Least-squares slope of log(y) over log(x); nothing with fewer than three points.
std::optional<double> log_log_slope(std::span<const std::pair<double, double>> points);

}  // namespace polhode::bench
