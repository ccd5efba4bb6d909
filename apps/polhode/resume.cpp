#include "resume.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "polhode/format/runs/run_file.h"
#include "polhode/study/start.h"
#include "polhode/tree/realize.h"
#include "polhode/version.h"
#include "run_settings.h"

namespace polhode::cli {
namespace {

void require_resumable(const std::string& name, const format::RunFile& file, bool more) {
  const auto refuse = [&](const std::string& why) { throw std::invalid_argument(fmt::format("{}: {}", name, why)); };
  if (file.is_being_written()) refuse("another process is writing to it now; wait until it ends, or stop it");
  if (file.record().version != version)
    refuse(
        fmt::format("was written by polhode {}, this is {}; to be the same run it must be resumed by the version that began it",
                    file.record().version, version));
  if (file.state() == format::RunState::failed)
    refuse(fmt::format("failed ({}), and would fail there again; run its model anew with other options", file.message()));
  if (file.state() == format::RunState::finished && !more)
    refuse(fmt::format("is finished: it has reached its end at t = {:.9g} s; give --time for how much longer to run",
                       file.record().time_end));
}

}  // namespace

ResumedRun read_run(const std::string& name, std::optional<double> more) {
  const format::RunFile file(name);
  require_resumable(name, file, more.has_value());
  const auto checkpoint = file.checkpoint();
  if (!checkpoint || checkpoint->rows == 0)
    throw std::invalid_argument(
        fmt::format("{}: was stopped before its first checkpoint, so nothing is lost: run the model anew", name));
  study::SimulateOptions options;
  try {
    options = options_of(file.record().settings);
  } catch (const std::invalid_argument& error) {
    throw std::invalid_argument(fmt::format("{}: {}", name, error.what()));
  }
  format::Model model = file.model();
  State start = tree::initial_state(model.mechanism);
  study::assemble_start(start);  // as the run did that is to go on
  if (more) options.time = file.read(file.rows() - 1, 1).front() + *more - start.time();
  return {std::move(model), std::move(start), std::move(options), file.record().tracked, *checkpoint};
}

RunOutput output_of(const std::string& file, const ResumedRun& run) {
  std::vector<int> tracked;
  for (const std::string& frame : run.track) tracked.push_back(run.model.mechanism.frame(frame));
  return RunOutput(std::make_unique<format::RunFileWriter>(file, run.model.mechanism, tracked, run.checkpoint,
                                                           run.start.time() + run.options.time,
                                                           study::Quantity::select(run.model.mechanism, run.options.record)));
}

void refuse_with_resume(const CLI::App& command) {
  constexpr std::array allowed{"resume", "time", "json", "quiet", "help"};
  for (const CLI::Option* option : command.get_options()) {
    if (option->count() == 0) continue;
    const std::string& name = option->get_lnames().empty() ? option->get_name() : option->get_lnames().front();
    if (std::find(allowed.begin(), allowed.end(), name) != allowed.end()) continue;
    throw std::invalid_argument(fmt::format("{}{} cannot be given with --resume: a resumed run takes it from its file",
                                            option->get_lnames().empty() ? "" : "--", name));
  }
}

}  // namespace polhode::cli
