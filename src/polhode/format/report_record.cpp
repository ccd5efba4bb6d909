#include "polhode/format/report_record.h"

#include <fmt/format.h>

namespace polhode::format {

void add_record(const ReportRecord& record, const Model& model, ReportPage& page) {
  ReportTable facts{{"", ""}, {}};
  for (const auto& [name, value] : record) facts.rows.push_back({name, value});
  for (const Parameter& p : model.parameters) facts.rows.push_back({"parameter " + p.name, fmt::format("{}", p.value)});
  page.table(facts);
  page.folded("The model: " + model.file, model.text);
}

}  // namespace polhode::format
