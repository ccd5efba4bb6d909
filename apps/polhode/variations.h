#pragma once
#include <string>
#include <vector>

#include "polhode/study/plan.h"

/// What --vary, --random and --parameter say. Mistakes are std::invalid_argument that name the option and what it should be.
namespace polhode::cli {

/// NAME=first:last:count, or NAME=value,value,...
study::Range parse_range(const std::string& text);
/// NAME=normal(mean,deviation), or NAME=uniform(low,high)
study::Distribution parse_distribution(const std::string& text);

/// NAME, or NAME=low:high.
struct Bounded {
  std::string name;
  bool bounded = false;
  double low = 0, high = 0;
};
Bounded parse_bounded(const std::string& text);

}  // namespace polhode::cli
