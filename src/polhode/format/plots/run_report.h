#pragma once
#include <string>

#include "polhode/format/language/model.h"
#include "polhode/format/plots/report_record.h"
#include "polhode/format/plots/run_samples.h"
#include "polhode/study/simulate.h"

namespace polhode::format {

/// A page about one run that opens from disk and needs nothing else: what came of it, how it moved, what it kept, and all that
/// is needed to have it again.
std::string run_report(const study::SimulateSummary& summary, const RunSamples& samples, const Model& model, const State& start,
                       const ReportRecord& record);

}  // namespace polhode::format
