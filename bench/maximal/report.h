#pragma once
/// The results of polhode_bench_maximal for people and for machines, and the targets.

#include <cstdio>

#include "../step/contest.h"
#include "../verdict.h"
#include "factors.h"
#include "jets.h"

namespace polhode::bench {

struct MaximalResults {
  std::vector<Contest> contests;
  std::vector<JetRun> jets;
  bool jets_asked_for = false;
  std::vector<FactorTime> factors;
};

void print_maximal_chains(std::FILE* out, std::span<const Contest> contests);
void print_maximal_loops(std::FILE* out, std::span<const Contest> contests);
void print_jets(std::FILE* out, std::span<const JetRun> runs);
void print_factors(std::FILE* out, std::span<const FactorTime> times);

/// The targets of what was measured.
std::vector<Verdict> judge(const MaximalResults& results);

std::string to_json(const MaximalResults& results, std::span<const Verdict> verdicts);

}  // namespace polhode::bench
