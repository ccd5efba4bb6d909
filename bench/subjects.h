#pragma once
/// The engines that this build can measure, and the chains made of them so far.

#include <map>
#include <span>
#include <string_view>
#include <utility>

#include "chain_subject.h"

namespace polhode::bench {

inline constexpr std::array chain_sizes{7, 30, 100, 300, 1000};
inline constexpr std::string_view our_name = "polhode";

struct SubjectKind {
  std::string_view name;
  std::unique_ptr<ChainSubject> (*make)(int n);
  int digits;               // significant digits that its results must share with the reference
  int digits_of_long_ones;  // the same for n >= 300
};

/// Ours first if it is built in, then the peers that were found.
std::span<const SubjectKind> available_subjects();

/// Makes each chain when it is first asked for and keeps it: some take a second to build.
class SubjectPool {
 public:
  ChainSubject& get(const SubjectKind& kind, int n);

 private:
  std::map<std::pair<std::string_view, int>, std::unique_ptr<ChainSubject>> chains_;
};

}  // namespace polhode::bench
