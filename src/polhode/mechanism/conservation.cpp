#include "polhode/mechanism/conservation.h"

namespace polhode {

bool keeps_energy(const Mechanism& mechanism) {
  const Forces& f = mechanism.forces();
  bool fed = !f.coordinate_dampings.empty();
  for (const PointSpring& spring : f.point_springs) fed |= spring.damping != 0;
  for (const NonlinearSpring& spring : f.nonlinear_springs) fed |= spring.damping != 0;
  for (const DrivenSpeed& d : mechanism.driven()) fed |= d.drive != Drive::position || !d.signal.is_constant();
  for (const InitialLock& lock : mechanism.initial_locks()) fed |= lock.level != Drive::position;
  for (const auto& potential : f.potentials) fed |= potential->depends_on_time();
  return !fed && f.coordinate_forces.empty() && f.coordinate_inputs.empty() && f.body_forces.empty() &&
         f.frame_wrenches.empty() && f.elements.empty();
}

}  // namespace polhode
