#pragma once
/// The results of polhode_bench_projected for people and for machines, and the targets.

#include <cstdio>
#include <optional>
#include <span>
#include <string>

#include "../verdict.h"
#include "race.h"
#include "twins.h"

namespace polhode::bench {

struct ProjectedResults {
  std::vector<Race> chains, loops;
  std::vector<Twin> twins;
  std::optional<SweepTimes> sweep;
  struct Table {
    LoopProblem problem;
    std::vector<IntegratorRun> runs;
  };
  std::vector<Table> integrators;
};

void print_races(std::FILE* out, const std::string& title, std::span<const Race> races);
void print_twins(std::FILE* out, std::span<const Twin> twins);
void print_sweep(std::FILE* out, const SweepTimes& sweep);
void print_integrators(std::FILE* out, const ProjectedResults::Table& table);

std::vector<Verdict> judge(const ProjectedResults& results);
std::string to_json(const ProjectedResults& results, std::span<const Verdict> verdicts);

}  // namespace polhode::bench
