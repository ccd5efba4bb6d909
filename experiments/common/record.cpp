#include "record.h"

#include <fmt/format.h>

#include <chrono>
#include <cmath>

#include "machine.h"

namespace polhode::experiments {
namespace {

using Kind = bench::Verdict::Kind;

void print(std::FILE* log, const Judged& judged) {
  constexpr const char* words[]{"holds", "MISSED", "not measured"};
  const bench::Verdict& verdict = judged.verdict;
  fmt::print(log, "  {:<13}{}: {}, bound {}{}\n", words[int(verdict.kind)], verdict.claim,
             verdict.measured ? short_number(*verdict.measured) : "-", bound_of(verdict),
             judged.about == About::mechanics ? "" : fmt::format(" ({})", name_of(judged.about)));
  std::fflush(log);  // also lest a child process prints it again
}

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

std::string failure_of(const Experiment& experiment, Findings& findings) {
  try {
    experiment.run(findings);
    return {};
  } catch (const std::exception& error) {
    const std::string reason = error.what();
    return reason.empty() ? "it gave no reason" : reason;
  } catch (...) {
    return "it gave no reason";
  }
}

}  // namespace

const char* name_of(About about) {
  constexpr const char* names[]{"mechanics", "speed", "aim"};
  return names[int(about)];
}

Counts counts_of(const Record& record) {
  Counts counts;
  for (const Judged& judged : record.verdicts) {
    if (judged.verdict.kind == Kind::met) ++counts.met;
    if (judged.verdict.kind == Kind::missed) ++counts.missed;
    if (judged.verdict.kind == Kind::not_measured) ++counts.not_measured;
  }
  return counts;
}

bool fails(const Record& record, bool strict, bool all_engines) {
  if (!record.failure.empty()) return true;
  for (const Judged& judged : record.verdicts) {
    const bool bad = judged.verdict.kind == Kind::missed || (judged.verdict.kind == Kind::not_measured && all_engines);
    if (bad && (strict || judged.about == About::mechanics)) return true;
  }
  return false;
}

Record run(const Experiment& experiment, const std::filesystem::path& out, bool quick, std::FILE* log) {
  Record record{.name = experiment.name, .title = experiment.title, .source = experiment.source, .claim = experiment.claim};
  record.date = now();
  record.machine = processor() + ", " + compiler();
  record.quick = quick;
  fmt::print(log, "\n{} ({}): {}\n", experiment.name, experiment.source, experiment.title);
  std::fflush(log);
  const auto start = std::chrono::steady_clock::now();
  try {
    Findings findings(out / experiment.name, quick);
    findings.tell([log](const Judged& judged) { print(log, judged); });
    record.failure = failure_of(experiment, findings);
    record.pictures = findings.pictures();
    record.tables = findings.tables();
    record.verdicts = findings.verdicts();
    record.notes = findings.notes();
  } catch (const std::exception& error) {  // there is no folder for it
    record.failure = error.what();
  }
  record.seconds = seconds_since(start);
  if (!record.failure.empty()) fmt::print(log, "  FAILED: {}\n", record.failure);
  const Counts counts = counts_of(record);
  fmt::print(log, "  {:.1f} s; {} hold, {} missed, {} not measured\n", record.seconds, counts.met, counts.missed,
             counts.not_measured);
  std::fflush(log);
  return record;
}

std::string short_number(double value) {
  if (std::abs(value) < 1e6 && value == std::round(value)) return fmt::format("{:.0f}", value + 0.0);
  return fmt::format("{:.4g}", value);
}

std::string bound_of(const bench::Verdict& verdict) {
  return fmt::format("{} {}", verdict.at_most ? "<=" : ">=", short_number(verdict.bound));
}

}  // namespace polhode::experiments
