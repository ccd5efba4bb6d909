#include "polhode/projected/tree/make_integrator.h"

#include "polhode/projected/tableau_dop853.h"
#include "polhode/projected/tableaux.h"
#include "polhode/projected/tree/cvode.h"
#include "polhode/projected/tree/runge_kutta.h"
#include "polhode/projected/tree/units.h"
#include "polhode/projected/tree/verlet.h"

namespace polhode::projected {

std::unique_ptr<Stepper> make_integrator(const Mechanism& mechanism, const Options& given) {
  validate(given);
  const Options options = with_units(mechanism, given);
  const std::string& name = options.integrator;
  if (name == "euler") return std::make_unique<RungeKutta<ExplicitEuler>>(mechanism, options);
  if (name == "semi-explicit-euler") return std::make_unique<SemiExplicitEuler>(mechanism, options);
  if (name == "verlet") return std::make_unique<Verlet>(mechanism, options);
  if (name == "rk2") return std::make_unique<RungeKutta<ExplicitTrapezoid>>(mechanism, options);
  if (name == "rk3") return std::make_unique<RungeKutta<BogackiShampine32>>(mechanism, options);
  if (name == "merson") return std::make_unique<RungeKutta<Merson4>>(mechanism, options);
  if (name == "rk8") return std::make_unique<RungeKutta<DormandPrince853>>(mechanism, options);
  if (name == "cvode") return std::make_unique<Cvode>(mechanism, options);
  return std::make_unique<RungeKutta<DormandPrince54>>(mechanism, options);
}

}  // namespace polhode::projected
