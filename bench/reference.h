#pragma once
/// What every engine must answer on the chain before its time counts.

#include "subjects.h"

namespace polhode::bench {

/// The right answer for a chain of `n` links, n one of chain_sizes.
Ends reference(Operation operation, int n);

/// Whether `value` has the first `digits` significant digits of `expected`, give or take half of the last.
bool agrees(double value, double expected, int digits);

/// Evaluates whatever the engine offers at each size and compares.  Prints a line on stderr for every mismatch;
/// returns how many there were.
int count_mismatches(const SubjectKind& kind, std::span<const int> sizes, SubjectPool& pool);

}  // namespace polhode::bench
