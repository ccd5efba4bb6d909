#pragma once
#include <memory>
#include <string>
#include <vector>

#include "polhode/format/model.h"
#include "polhode/format/run_record.h"
#include "polhode/format/trajectory_writer.h"
#include "polhode/study/simulate.h"

namespace polhode::cli {

/// What goes into a run file about the run.
format::RunRecord record_of(const format::Model& model, const format::ParameterValues& set,
                            const std::vector<std::string>& track, const study::SimulateOptions& options, double start);

}  // namespace polhode::cli
