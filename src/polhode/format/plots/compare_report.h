#pragma once
#include <string>
#include <vector>

#include "polhode/format/language/model.h"
#include "polhode/format/plots/report_page.h"
#include "polhode/format/plots/report_record.h"
#include "polhode/study/compare.h"

/// What `polhode compare` found, as a table and as a page.
namespace polhode::format {

/// One column for each method that ran, one row for each thing that is told about it; "-" where a method has no such thing.
ReportTable compare_table(const study::CompareResult& result);

/// What distances are, what they are measured from, and up to where motions agree: sentences.
std::vector<std::string> about_reference(const study::CompareResult& result);

/// Why a method does not apply, with the places in the model's file.
std::string why_refused(const study::MethodRun& run, const Model& model);

/// A page that opens from disk and needs nothing else. The start is the state that all methods began with.
std::string compare_report(const study::CompareResult& result, const Model& model, const State& start,
                           const ReportRecord& record);

}  // namespace polhode::format
