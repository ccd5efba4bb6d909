#include "measures.h"

#include <fmt/format.h>

#include <stdexcept>

namespace polhode::cli {

std::vector<study::Measure> measures_of(const std::vector<std::string>& texts, const Mechanism& mechanism) {
  std::vector<study::Measure> measures;
  for (const std::string& text : texts) {
    measures.push_back(study::Measure::parse(text, mechanism));
    study::Quantity(mechanism, measures.back().quantity);  // says what there is, once and not for every run
    for (std::size_t i = 0; i + 1 < measures.size(); ++i)
      if (measures[i].name() == measures.back().name())
        throw std::invalid_argument(fmt::format("--measure \"{}\" is given twice", measures[i].name()));
  }
  return measures;
}

}  // namespace polhode::cli
