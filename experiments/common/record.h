#pragma once
#include <cstdio>
#include <optional>

#include "experiment.h"

/// What is kept of a run of an experiment, so that a page can be made of all that were ever run.
namespace polhode::experiments {

struct Record {
  std::string name, title, source, claim;  ///< as of the experiment when it ran
  std::string date{}, machine{};
  double seconds = 0;  ///< of wall time
  bool quick = false;
  std::string failure{};  ///< what ended it early; empty if nothing did
  std::vector<Drawn> pictures{};
  std::vector<Table> tables{};
  std::vector<Judged> verdicts{};
  std::vector<std::string> notes{};
};

/// "mechanics", "speed" or "aim".
const char* name_of(About about);

/// How many verdicts came out how.
struct Counts {
  int met = 0, missed = 0, not_measured = 0;
};
Counts counts_of(const Record& record);

/// Whether a run of the experiments fails because of it: something was thrown, or what is about mechanics was missed, or could
/// not be measured although all engines are there. If strict, speed and aims count too.
bool fails(const Record& record, bool strict, bool all_engines);

/// Runs an experiment into its folder in `out`, and says there and in `log` what came of it. Does not throw what it throws.
Record run(const Experiment& experiment, const std::filesystem::path& out, bool quick, std::FILE* log);

/// out/NAME/findings.json.
void save(const Record& record, const std::filesystem::path& out);
/// Nothing where it was never run. Throws std::runtime_error where the file is not what save() writes.
std::optional<Record> load(const std::string& name, const std::filesystem::path& out);

/// A number as a table shows it: whole ones in full, others to four digits.
std::string short_number(double value);
/// "<= 0.1"
std::string bound_of(const bench::Verdict& verdict);

}  // namespace polhode::experiments
