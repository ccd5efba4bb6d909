#pragma once
/// One problem, those who run it, and what came of it.

#include <cstdio>
#include <limits>
#include <span>

#include "entrants.h"
#include "run.h"

namespace polhode::bench {

struct Entry {
  Entrant entrant;
  RunPlan plan;
  int most_rounds = std::numeric_limits<int>::max();
  RunOutcome outcome{};
};

struct Contest {
  std::string key;  // "chain", "whip", ...: what the same problem at several n has in common
  int n;            // links
  Problem problem;
  std::vector<Entry> entries;
};

/// Nothing if the engine (with this method, unless it is empty) does not take part.
const Entry* find_entry(const Contest& contest, const std::string& engine, const std::string& method = {});
const Contest* find_contest(std::span<const Contest> contests, const std::string& key, int n);

/// Runs everybody in turn, so many rounds, so that a slow minute of the machine hits all.
/// Runs that do not finish are not repeated. Says on the terminal, if there is one, who is at it.
void hold(std::vector<Contest>& contests, int rounds);

using PrintContests = void (*)(std::FILE* out, std::span<const Contest> contests);

/// Holds the contests of one part of a program, prints them, and adds them to all.
void hold_part(std::vector<Contest> contests, int rounds, PrintContests print, std::vector<Contest>& all);

}  // namespace polhode::bench
