#include "one_degree.h"

#include <algorithm>
#include <stdexcept>

#include "../../bench/step/extrapolated.h"

namespace polhode::experiments::jets {
namespace {

using bench::Motion;

constexpr double gravity = 9.81;  // [m/s^2]

/// T = mass rate^2 / 2, and the force on the coordinate from all potentials, gravity's and the torque's.
struct Reduced {
  double mass = 0, mass_slope = 0, force = 0, potential = 0;
};

/// Angular velocity in body axes is the skew part of R^T dR; its derivative by the coordinate that of R^T d2R, as dR^T dR is
/// symmetric.
void add_rotation(const BodyData& body, const std::array<TaylorVector, 3>& axes, Reduced& sum) {
  for (std::size_t k = 0; k < 3; ++k) {
    const TaylorVector &a = axes[(k + 1) % 3], &b = axes[(k + 2) % 3];
    double turn = 0, turn_slope = 0;
    for (std::size_t i = 0; i < 3; ++i) {
      turn += (b[i].v * a[i].d - a[i].v * b[i].d) / 2;
      turn_slope += (b[i].v * a[i].dd - a[i].v * b[i].dd) / 2;
    }
    sum.mass += body.inertia[k] * turn * turn;
    sum.mass_slope += 2 * body.inertia[k] * turn * turn_slope;
  }
}

class Lagrangian {
 public:
  explicit Lagrangian(const OneDegree& mechanism) : mechanism_(mechanism) {}

  Reduced at(double coordinate) const {
    const std::vector<Placed> places = mechanism_.places({coordinate, 1, 0});
    Reduced sum{.force = mechanism_.torque, .potential = -mechanism_.torque * (coordinate - mechanism_.start)};
    for (std::size_t i = 0; i < places.size(); ++i) {
      const BodyData& body = mechanism_.bodies[i];
      for (const Taylor& x : places[i].centre) {
        sum.mass += body.mass * x.d * x.d;
        sum.mass_slope += 2 * body.mass * x.d * x.dd;
      }
      add_rotation(body, places[i].axes, sum);
      sum.force -= body.mass * gravity * places[i].centre[1].d;
      sum.potential += body.mass * gravity * places[i].centre[1].v;
    }
    return sum;
  }

  /// d/dt (mass rate) = dmass/dtheta rate^2 / 2 + force.
  Motion derivative(Motion y) const {
    const Reduced here = at(y.theta);
    return {y.rate, (here.force - here.mass_slope * y.rate * y.rate / 2) / here.mass};
  }

  double kinetic(Motion y) const { return at(y.theta).mass * y.rate * y.rate / 2; }
  double energy(Motion y) const { return kinetic(y) + at(y.theta).potential; }

 private:
  const OneDegree& mechanism_;
};

}  // namespace

std::array<TaylorVector, 3> axes_in_plane(const TaylorVector& along) {
  const Taylor zero{0}, one{1};
  return {along, TaylorVector{zero - along[1], along[0], zero}, TaylorVector{zero, zero, one}};
}

ExactMotion follow(const OneDegree& mechanism, double interval, int intervals) {
  constexpr double longest = 0.001;  // [s]
  const int parts = int(std::ceil(interval / longest));
  const Lagrangian lagrangian(mechanism);
  Motion y{mechanism.start, 0};
  const double start = lagrangian.energy(y);
  double scale = 0;
  ExactMotion motion;
  for (int k = 0;; ++k) {
    motion.t.push_back(k * interval);
    motion.coordinate.push_back(y.theta);
    auto& centres = motion.centres.emplace_back();
    for (const Placed& body : mechanism.places({y.theta, 1, 0}))
      centres.push_back({body.centre[0].v, body.centre[1].v, body.centre[2].v});
    scale = std::max(scale, lagrangian.kinetic(y));
    if (!(std::abs(lagrangian.energy(y) - start) <= 1e-10 * scale))
      throw std::logic_error("the exact motion of a mechanism of one degree is not exact");
    if (k == intervals) return motion;
    for (int part = 0; part < parts; ++part) y = extrapolated_step(lagrangian, y, interval / parts);
  }
}

}  // namespace polhode::experiments::jets
