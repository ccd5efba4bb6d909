// Random mechanisms of many classes: every method that takes one must find the same motion, within what the methods' own errors
// allow, and find it again when the whole is turned, moved, renamed and told in another order.
//
// POLHODE_RANDOM=class:seed prints that model; POLHODE_RANDOM=all prints every model with a finding.
#include <gtest/gtest.h>

#include <cstdlib>

#include "open_seeds.h"
#include "tests/support/long_run.h"
#include "tests/support/random_verdict.h"

namespace polhode::testing_support {
namespace {

std::string wanted_model() {
  const char* const value = std::getenv("POLHODE_RANDOM");
  return value == nullptr ? "" : value;
}

/// Seeds from the first to the last; fewer where sanitizers slow everything down.
void expect_agreement(const MechanismClass& kind, unsigned first, unsigned last) {
  Tally tally;
  for (unsigned seed = first; seed <= last_seed(first, last); ++seed) {
    const Verdict verdict = judge(kind, seed);
    tally.add(verdict);
    const bool open = is_open(kind.name, seed);
    for (const Finding& finding : open ? std::vector<Finding>{} : verdict.findings)
      ADD_FAILURE() << kind.name << ":" << seed << ": " << finding.method << " " << finding.what << ": " << finding.text;
    if (wanted_model() == kind.name + ":" + std::to_string(seed) || (wanted_model() == "all" && !verdict.findings.empty()))
      std::cout << "; " << kind.name << ":" << seed << "\n" << verdict.model << std::endl;
  }
  std::cout << "[   TALLY  ] " << kind.name << ": " << tally.text() << std::endl;
  EXPECT_LE(tally.skipped, 0.02 * tally.seeds);
}

std::string name_of(const testing::TestParamInfo<MechanismClass>& info) { return info.param.name; }

class RandomMechanisms : public testing::TestWithParam<MechanismClass> {};
TEST_P(RandomMechanisms, MoveAlikeByAllMethods) { expect_agreement(GetParam(), 1, 6); }
INSTANTIATE_TEST_SUITE_P(Classes, RandomMechanisms, testing::ValuesIn(mechanism_classes()), name_of);

class LongRandomMechanisms : public testing::TestWithParam<MechanismClass> {};
TEST_P(LongRandomMechanisms, MoveAlikeByAllMethods) { expect_agreement(GetParam(), 1001, 1300); }
INSTANTIATE_TEST_SUITE_P(Long, LongRandomMechanisms, testing::ValuesIn(mechanism_classes()), name_of);

}  // namespace
}  // namespace polhode::testing_support
