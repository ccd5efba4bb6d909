#pragma once
#include <map>
#include <string>
#include <vector>

#include "tests/support/random_classes.h"

/// What all methods say of one random mechanism, and of the same one turned, moved, renamed and told in another order.
namespace polhode::testing_support {

struct Finding {
  std::string method, what;  ///< what: "failed", "disagreed", "energy", "constraints", "refused", "changed by moving"
  std::string text;          ///< in words, with numbers
};
struct Verdict {
  std::vector<Finding> findings;
  std::vector<std::string> refused;  ///< methods that do not take the model, as expected
  std::string skipped;               ///< why the seed was not judged
  std::string model;                 ///< as text, with its start
};
Verdict judge(const MechanismClass& kind, unsigned seed);

/// How many seeds of a class came out how, by method.
struct Tally {
  int seeds = 0, skipped = 0;
  std::map<std::string, int> refused;                          ///< by method
  std::map<std::string, std::map<std::string, int>> findings;  ///< by method, by what
  void add(const Verdict& verdict);
  std::string text() const;
};

}  // namespace polhode::testing_support
