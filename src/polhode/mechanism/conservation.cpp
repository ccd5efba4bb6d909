#include "polhode/mechanism/conservation.h"

namespace polhode {
namespace {

/// Whether a constraint may do work: one that makes things move does, one that only holds them does not.
bool does_work(const Constraint& constraint) {
  return std::visit(
      [](const auto& model) {
        if constexpr (LinearConstraint<std::remove_cvref_t<decltype(model)>>) {
          const LinearEquation equation = model.equation();
          if (equation.level == RowLevel::acceleration) return true;
          if (equation.level == RowLevel::velocity) return !equation.signal.is_constant() || equation.signal.value(0) != 0;
          return !equation.signal.is_constant();
        }
        return false;
      },
      constraint.model);
}

}  // namespace

bool moves_only_by_forces(const Mechanism& mechanism) {
  bool fed = false;
  for (const DrivenSpeed& d : mechanism.driven()) fed |= d.drive != Drive::position || !d.signal.is_constant();
  for (const InitialLock& lock : mechanism.initial_locks()) fed |= lock.level != Drive::position;
  for (const Constraint& constraint : mechanism.constraints())
    fed |= does_work(constraint) || std::holds_alternative<std::shared_ptr<const CustomConstraint>>(constraint.model);
  return !fed;
}

bool keeps_energy(const Mechanism& mechanism) {
  bool fed = mechanism.forces().any([](const auto& force) { return !force.keeps_energy(); });
  for (const DrivenSpeed& d : mechanism.driven()) fed |= d.drive != Drive::position || !d.signal.is_constant();
  for (const InitialLock& lock : mechanism.initial_locks()) fed |= lock.level != Drive::position;
  for (const Constraint& constraint : mechanism.constraints()) fed |= does_work(constraint);
  return !fed;
}

}  // namespace polhode
