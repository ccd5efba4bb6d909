#include "polhode/format/plots/report_record.h"

#include <fmt/format.h>

namespace polhode::format {

void add_record(const ReportRecord& record, const Model& model, ReportPage& page) {
  ReportRecord facts = record;
  for (const Parameter& p : model.parameters) facts.emplace_back("parameter " + p.name, fmt::format("{}", p.value));
  page.facts(facts);
  page.folded("The model: " + model.file, model.text);
}

}  // namespace polhode::format
