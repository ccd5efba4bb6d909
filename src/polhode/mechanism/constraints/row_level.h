#pragma once

namespace polhode {

/// What an equation of a constraint restricts (Simbody theory manual ch. 6):
///   position      h(t, q) = 0, and so dh/dt = 0 and d2h/dt2 = 0: holonomic
///   velocity      v(t, q, u) = G u + v_t = 0, and so dv/dt = 0: nonholonomic
///   acceleration  G du/dt = b, and nothing else
enum class RowLevel : char { position, velocity, acceleration };

constexpr const char* name(RowLevel level) {
  constexpr const char* names[] = {"position", "velocity", "acceleration"};
  return names[int(level)];
}

}  // namespace polhode
