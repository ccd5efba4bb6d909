#pragma once
#include <nlohmann/json.hpp>
#include <string>

#include "polhode/format/language/model.h"
#include "polhode/study/design.h"

namespace polhode::cli {

/// What there is to tell of a design.
struct DesignReport {
  const std::string &file, &method, &out;  ///< as given
  const study::DesignProblem& problem;
  const study::DesignResult& result;
  const format::Model& model;
};

void print_for_people(const DesignReport& report);
nlohmann::json as_json(const DesignReport& report);
/// One row for each run of the search, as .csv.
std::string table_of(const study::DesignProblem& problem, const study::DesignResult& result);

}  // namespace polhode::cli
