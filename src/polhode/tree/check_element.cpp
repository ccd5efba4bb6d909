#include "polhode/tree/check_element.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <random>

#include "polhode/mechanism/joint_queries.h"
#include "polhode/tree/applied_forces.h"

namespace polhode::tree {
namespace {

using Vector = std::vector<double>;
constexpr double step = 1e-3;

/// d/dx at 0 to fourth order; f writes a vector of fixed size.
Vector slope(const std::function<Vector(double)>& f) {
  const Vector a = f(-2 * step), b = f(-step), c = f(step), d = f(2 * step);
  Vector result(a.size());
  for (std::size_t i = 0; i < a.size(); ++i) result[i] = (a[i] - 8 * b[i] + 8 * c[i] - d[i]) / (12 * step);
  return result;
}

/// A place to try an element at.
struct Trial {
  Vector q, u;
};

class Trials {
 public:
  Trials(const Mechanism& mechanism, const ElementCheckOptions& options) : m_(mechanism), o_(options), bits_(options.seed) {}

  Trial next(bool moving) {
    Vector displacement(std::size_t(m_.num_u()));
    for (double& x : displacement) x = o_.reach * uniform();
    Trial trial{moved(m_.initial_q(), displacement), Vector(std::size_t(m_.num_u()), 0.0)};
    if (moving)
      for (double& x : trial.u) x = uniform();
    return trial;
  }
  /// q a little further, with speed j alone.
  Vector moved(const Vector& q, int j, double by) const {
    Vector displacement(std::size_t(m_.num_u()), 0.0);
    displacement[std::size_t(j)] = by;
    return moved(q, displacement);
  }

 private:
  double uniform() { return 2 * (double(bits_() >> 11) * 0x1p-53) - 1; }
  Vector moved(const Vector& q, const Vector& displacement) const {
    Vector to(q), rate(q.size());
    coordinate_rates(m_, q, displacement, rate);
    for (std::size_t i = 0; i < q.size(); ++i) to[i] += rate[i];
    for (const Joint& joint : m_.joints()) normalize_coordinates(joint.model, to.data() + joint.first_q);
    return to;
  }

  const Mechanism& m_;
  const ElementCheckOptions& o_;
  std::mt19937_64 bits_;
};

/// What an element gives at a place, as generalized numbers.
class Probe {
 public:
  Probe(const Mechanism& mechanism, double t) : w_(mechanism), t_(t) {}

  double energy(const Potential& potential, const Vector& q) {
    place(q, w_.no_speeds);
    return potential.energy(at_rest(q));
  }
  Vector forces(const Potential& potential, const Trial& at) {
    return generalized(at, [&](AppliedForces& out) { potential.add_forces(at_rest(at.q), out); });
  }
  Vector forces(const ForceElement& element, const Trial& at) {
    return generalized(at, [&](AppliedForces& out) { element.add_forces(in_motion(element, at), out); });
  }
  bool derivatives(const Potential& potential, const Trial& at, Vector& by_displacement, Vector& by_speed) {
    auto out = cleared(at, by_displacement, by_speed);
    return potential.add_derivatives(at_rest(at.q), out);
  }
  bool derivatives(const ForceElement& element, const Trial& at, Vector& by_displacement, Vector& by_speed) {
    auto out = cleared(at, by_displacement, by_speed);
    return element.add_derivatives(in_motion(element, at), out);
  }

 private:
  void place(const Vector& q, const Vector& u) {
    kinematics(w_, q, u);
    read_bodies(w_);
  }
  Configuration at_rest(const Vector& q) { return {w_.mechanism(), t_, q, w_.no_speeds, w_.X_WB, w_.at_rest}; }
  /// With the states of its own that the element starts with.
  Configuration in_motion(const ForceElement& element, const Trial& at) {
    z_ = element.initial_z(), discrete_ = element.initial_discrete();
    return {w_.mechanism(), t_, at.q, at.u, w_.X_WB, w_.V_WB, z_, discrete_, w_.mechanism().initial_inputs()};
  }
  template <class Add>
  Vector generalized(const Trial& at, Add add) {
    place(at.q, at.u);
    Vector tau(at.u.size(), 0.0), from_bodies(at.u.size());
    std::vector<Wrench<double>> wrenches(std::size_t(w_.mechanism().num_bodies()));
    AppliedForces out{tau, wrenches, w_.X_WB};
    add(out);
    multiply_jacobian_transpose(w_, wrenches, from_bodies);
    for (std::size_t i = 0; i < tau.size(); ++i) tau[i] += from_bodies[i];
    return tau;
  }
  ForceDerivatives cleared(const Trial& at, Vector& by_displacement, Vector& by_speed) {
    place(at.q, at.u);
    by_displacement.assign(at.u.size() * at.u.size(), 0.0);
    by_speed.assign(at.u.size() * at.u.size(), 0.0);
    return {int(at.u.size()), by_displacement, by_speed};
  }

  Workspace w_;
  Vector z_, discrete_;
  double t_;
};

/// Keeps the largest difference of two lists of numbers. Columns: numbers in a row.
void compare(DerivativeCheck& check, const Vector& given, const Vector& measured, int configuration, std::size_t columns) {
  double size = 0;
  for (std::size_t i = 0; i < given.size(); ++i) size = std::max({size, std::abs(given[i]), std::abs(measured[i])});
  for (std::size_t i = 0; i < given.size(); ++i) {
    double difference = size > 0 ? std::abs(given[i] - measured[i]) / size : 0;
    if (!std::isfinite(given[i]) || !std::isfinite(measured[i])) difference = HUGE_VAL;
    if (difference < check.difference || (difference == 0 && size == 0)) continue;
    if (check.configuration >= 0 && difference == check.difference) continue;
    check.difference = difference, check.given = given[i], check.measured = measured[i];
    check.configuration = configuration;
    check.row = int(i / columns), check.column = columns > 1 ? int(i % columns) : -1;
  }
}

void finish(ElementCheck& result, const Mechanism& m, double tolerance) {
  for (const DerivativeCheck& c : result.checks) {
    const bool good = c.difference <= tolerance;
    result.passed = result.passed && good;
    if (c.configuration < 0) {
      result.text += fmt::format("{}: all zero\n", c.what);
      continue;
    }
    std::string place = fmt::format("speed \"{}\"", m.speed_names()[std::size_t(c.row)]);
    if (c.column >= 0) place += fmt::format(" by \"{}\"", m.speed_names()[std::size_t(c.column)]);
    result.text +=
        fmt::format("{}: {}; largest relative difference {:.2g} ({}, configuration {}: given {:.9g}, differences say {:.9g})\n",
                    c.what, good ? "agree" : "DIFFER", c.difference, place, c.configuration + 1, c.given, c.measured);
  }
  if (!result.gives_derivatives) result.text += "derivatives of the forces: the element gives none\n";
}

/// The derivatives of forces, for either kind of element.
template <class Element>
void check_force_derivatives(const Element& element, const Mechanism& m, const ElementCheckOptions& o, bool moving,
                             ElementCheck& result) {
  Trials trials(m, o);
  Probe probe(m, o.t);
  const std::size_t n = std::size_t(m.num_u());
  DerivativeCheck by_q{"forces' derivatives by displacement against differences"};
  DerivativeCheck by_u{"forces' derivatives by speed against differences"};
  for (int k = 0; k < o.configurations; ++k) {
    const Trial at = trials.next(moving);
    Vector given_q, given_u, measured_q(n * n), measured_u(n * n);
    if (!probe.derivatives(element, at, given_q, given_u)) return;
    result.gives_derivatives = true;
    for (std::size_t j = 0; j < n; ++j) {
      const Vector column_q = slope([&](double x) {
        return probe.forces(element, Trial{trials.moved(at.q, int(j), x), at.u});
      });
      const Vector column_u = slope([&](double x) {
        Trial faster = at;
        faster.u[j] += x;
        return probe.forces(element, faster);
      });
      for (std::size_t i = 0; i < n; ++i) measured_q[i * n + j] = column_q[i], measured_u[i * n + j] = column_u[i];
    }
    compare(by_q, given_q, measured_q, k, n);
    if (moving) compare(by_u, given_u, measured_u, k, n);
  }
  if (!result.gives_derivatives) return;
  result.checks.push_back(by_q);
  if (moving) result.checks.push_back(by_u);
}

}  // namespace

ElementCheck check_derivatives(const Potential& potential, const Mechanism& mechanism, const ElementCheckOptions& options) {
  ElementCheck result;
  Trials trials(mechanism, options);
  Probe probe(mechanism, options.t);
  DerivativeCheck forces{"forces against minus the gradient of the energy"};
  for (int k = 0; k < options.configurations; ++k) {
    const Trial at = trials.next(false);
    Vector measured(at.u.size());
    for (std::size_t j = 0; j < measured.size(); ++j)
      measured[j] = slope([&](double x) { return Vector{-probe.energy(potential, trials.moved(at.q, int(j), x))}; })[0];
    compare(forces, probe.forces(potential, at), measured, k, 1);
  }
  result.checks.push_back(forces);
  check_force_derivatives(potential, mechanism, options, false, result);
  finish(result, mechanism, options.tolerance);
  return result;
}

ElementCheck check_derivatives(const ForceElement& element, const Mechanism& mechanism, const ElementCheckOptions& options) {
  ElementCheck result;
  check_force_derivatives(element, mechanism, options, true, result);
  finish(result, mechanism, options.tolerance);
  return result;
}

std::vector<ElementCheck> check_users_elements(const Mechanism& mechanism, const ElementCheckOptions& options) {
  std::vector<ElementCheck> results;
  mechanism.forces().for_each([&]<class F>(const F& f) {
    if constexpr (UsersForceType<F>) results.push_back(check_derivatives(*f.element, mechanism, options));
  });
  return results;
}

}  // namespace polhode::tree
