#pragma once
/// The contests' results for people and for machines.

#include <cstdio>

#include "contest.h"
#include "verdicts.h"

namespace polhode::bench {

/// Each prints what it knows of the contests of its kind.
void print_chain(std::FILE* out, std::span<const Contest> contests);
void print_whips(std::FILE* out, std::span<const Contest> contests);
void print_loops(std::FILE* out, std::span<const Contest> contests);

/// One object: every run with all that was measured, the verdicts, the engines that were not there.
std::string to_json(std::span<const Contest> contests, std::span<const Verdict> verdicts);

}  // namespace polhode::bench
