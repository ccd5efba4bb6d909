#include "run_output.h"

#include "polhode/version.h"
#include "run_record.h"
#include "run_settings.h"

namespace polhode::cli {

format::RunRecord record_of(const format::Model& model, const format::ParameterValues& set,
                            const std::vector<std::string>& track, const study::SimulateOptions& options, double start) {
  format::RunRecord record;
  record.model_text = model.text;
  record.model_name = model.file;
  record.parameters = set;
  record.method = options.method;
  record.options = study::make_stepper(model.mechanism, options)->resolved_options();
  record.settings = words_of(options);
  record.version = version;
  record.date = date();
  record.command_line = command_line();
  record.tracked = track;
  record.time_end = start + options.time;
  return record;
}

}  // namespace polhode::cli
