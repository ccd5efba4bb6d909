#include "targets.h"

namespace polhode::bench {
namespace {

constexpr int any_n = 0;

struct Target {
  Operation operation;
  std::string_view peer;
  int n;
  double least_ratio;
};

// MuJoCo's forward dynamics factorises M, so the ratio to an O(n) recursion has to be stated for each n.
constexpr std::array targets{
    Target{Operation::forward_dynamics, "simbody", any_n, 9.0}, Target{Operation::forward_dynamics, "dart", any_n, 8.0},
    Target{Operation::forward_dynamics, "mujoco", 30, 3.0},     Target{Operation::forward_dynamics, "mujoco", 100, 9.0},
    Target{Operation::forward_dynamics, "bullet", any_n, 3.0},  Target{Operation::inverse_dynamics, "simbody", any_n, 12.0},
    Target{Operation::inverse_dynamics, "mujoco", any_n, 3.5},  Target{Operation::mass_matrix, "mujoco", any_n, 2.2},
};

}  // namespace

std::optional<double> least_ratio(Operation operation, std::string_view peer, int n) {
  for (const Target& target : targets) {
    if (target.operation == operation && target.peer == peer && (target.n == any_n || target.n == n)) return target.least_ratio;
  }
  return std::nullopt;
}

}  // namespace polhode::bench
