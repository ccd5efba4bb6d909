#pragma once
#include <string>
#include <utility>
#include <vector>

#include "polhode/format/language/model.h"
#include "polhode/format/plots/report_page.h"

namespace polhode::format {

/// How a result came about, so that it can be had again: name and value.
using ReportRecord = std::vector<std::pair<std::string, std::string>>;

/// The record as a table, the values of the model's parameters, and its text.
void add_record(const ReportRecord& record, const Model& model, ReportPage& page);

}  // namespace polhode::format
