#pragma once
/// The best time of everything measured, and the judgement on it.

#include <compare>
#include <cstdio>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "chain_subject.h"

namespace polhode::bench {

/// What one benchmark measures.
struct Case {
  Operation operation;
  std::string subject;
  int n;
  auto operator<=>(const Case&) const = default;
};

/// Times are kept as minima: whatever disturbs a run on a shared machine only ever adds to it.
class Results {
 public:
  void record(const Case& measured, double seconds);
  std::optional<double> seconds(const Case& measured) const;

  /// Time of the peer over ours, if both were measured.
  std::optional<double> ratio_to_ours(const Case& peer) const;

  /// Least-squares slope of log(time) over log(n) for the sizes from 30 up; nothing with fewer than three of them.
  std::optional<double> exponent(Operation operation, const std::string& subject) const;

  const std::map<Case, double>& all() const { return best_; }

 private:
  std::map<Case, double> best_;
};

struct SubjectLabel {
  std::string name;    // as in Case::subject
  std::string engine;  // with its version
};

/// Prints times, then ratios beside their targets, then the exponent; returns how many targets were missed.
int print_tables(std::FILE* out, const Results& results, std::span<const SubjectLabel> subjects, std::span<const int> sizes);

/// One object: subjects, best times in seconds, ratios with their targets, exponents.
std::string to_json(const Results& results, std::span<const SubjectLabel> subjects);

}  // namespace polhode::bench
