#include "subjects.h"

#include <vector>

namespace polhode::bench {

std::span<const SubjectKind> available_subjects() {
  // The O(n) recursions share eleven digits; seven are asked of peers, whose exactness is not our business.
  // MuJoCo factorises M, which is badly conditioned on a long chain, and keeps fewer there.
  static const std::vector<SubjectKind> kinds{
#ifdef POLHODE_BENCH_OURS
      {our_name, make_polhode_chain, 11, 11},
#endif
#ifdef POLHODE_BENCH_SIMBODY
      {"simbody", make_simbody_chain, 7, 7},
#endif
#ifdef POLHODE_BENCH_DART
      {"dart", make_dart_chain, 7, 7},
#endif
#ifdef POLHODE_BENCH_MUJOCO
      {"mujoco", make_mujoco_chain, 7, 5},
#endif
#ifdef POLHODE_BENCH_BULLET
      {"bullet", make_bullet_chain, 7, 7},
#endif
  };
  return kinds;
}

ChainSubject& SubjectPool::get(const SubjectKind& kind, int n) {
  std::unique_ptr<ChainSubject>& chain = chains_[{kind.name, n}];
  if (!chain) chain = kind.make(n);
  return *chain;
}

}  // namespace polhode::bench
