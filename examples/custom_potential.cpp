// A potential of one's own: a particle in the field -k/r of a fixed centre moves on a Kepler ellipse. From the far end of
// an ellipse of semi-axis a it must be back after the period 2 pi sqrt(a^3/k).
//
//   $ build/examples/custom_potential
//   after one period of 6.283185 s the planet is 2.7e-12 m from where it began
#include <cmath>
#include <cstdio>

#include "polhode/polhode.h"

namespace {

using namespace polhode;

class Attraction : public Potential {
 public:
  Attraction(int body, double strength) : body_(body), k_(strength) {}
  double energy(const Configuration& c) const override { return -k_ / norm(c.X_WB[body_].p); }
  void add_forces(const Configuration& c, AppliedForces& forces) const override {
    const Vec3<double> p = c.X_WB[body_].p;
    const double r = norm(p);
    forces.add_force_at(body_, p, (-k_ / (r * r * r)) * p);
  }

 private:
  int body_;
  double k_;
};

}  // namespace

int main() {
  const double a = 1, eccentricity = 0.6, k = 1;
  const double far = a * (1 + eccentricity), slowest = std::sqrt(k * (1 - eccentricity) / far);
  MechanismBuilder builder;
  builder.gravity = {0, 0, 0};
  builder.add_body({.name = "planet", .mass = MassProperties::particle(1), .drawn_pose = at(far, 0, 0)});
  builder.add_potential([&](const Mechanism& m) { return std::make_shared<Attraction>(m.body("planet"), k); });
  builder.set_initial({.coordinate = "planet.y", .speed = slowest});

  const double period = 2 * pi * std::sqrt(a * a * a / k);
  Vec3<double> end{};
  study::simulate(State(builder.build()), {.method = "tree-projected", .time = period, .options = {{"accuracy", 1e-12}}},
                  [&](const State& s) { end = s.pose(1).p; });
  const double miss = norm(end - Vec3<double>{far, 0, 0});
  std::printf("after one period of %.6f s the planet is %.1e m from where it began\n", period, miss);
  return miss < 1e-8 ? 0 : 1;
}
