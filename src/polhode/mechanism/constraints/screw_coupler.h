#pragma once
#include "polhode/mechanism/constraints/linear_equation.h"

namespace polhode {

/// translation = lead * rotation:  h = q_d - lead q_theta  [m]  (Johnson & Murphey (39), with the other sign).
struct ScrewCoupler {
  int q_rotation, q_translation, u_rotation, u_translation;
  double lead;  ///< [m/rad]

  LinearEquation equation() const {
    return {RowLevel::position, {{q_translation, u_translation, 1}, {q_rotation, u_rotation, -lead}}};
  }
};

}  // namespace polhode
