// One rigid body: the heavy top of the literature, steady precession, and free rotation in Jacobi's elliptic functions.
#include "tests/study/validation.h"
#include "tests/support/jacobi.h"

namespace polhode::study {
namespace {

// Four published digits; a quaternion and its opposite are the same orientation.
TEST(ValidationHeavyTop, TurnsToThePublishedOrientation) {
  const double published[] = {-0.70828, 0.43878, 0.54573, 0.0894};
  const State start = start_of(load("heavy_top"));
  for (const SimulateOptions& options : {projected(0.2, 1e-9), variational(0.2, 5e-5)}) {
    SCOPED_TRACE(options.method);
    const Outcome r = run(start, options);
    const double sign = r.end.q()[0] < 0 ? 1 : -1;
    for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(sign * r.end.q()[i], published[i], 1e-4) << i;
  }
}

// C w P = m g l + A P^2 cos(lean): the lean stays, and the axis is at P t. A small error would nod, not grow.
TEST(ValidationPrecession, AxisGoesRoundAtAConstantLean) {
  SimulateOptions options = projected(sanitized ? 1 : 5, 1e-10);
  options.interval = 0.1;
  run(start_of(load("precessing_top")), options, [](const State& s) {
    const Vec3<double> axis = s.pose(s.mechanism().body("top")).R.col[2];
    const double azimuth = 3 * s.time() - pi / 2;  // it starts towards -y
    const Vec3<double> exact{0.5 * std::cos(azimuth), 0.5 * std::sin(azimuth), std::cos(pi / 6)};
    // 90 rad/s for 5 s in steps whose errors are 1e-10; a shift of phase is all that is left of them.
    EXPECT_LT(norm(axis - exact), 1e-7) << s.time();
  });
}

/// A free body with principal moments I1 < I2 < I3 (Landau and Lifshitz, Mechanics, sec. 37): components of the angular
/// velocity in body axes at time t, from those at t = 0.
class FreeBody {
 public:
  FreeBody(const Vec3<double>& I, const Vec3<double>& w0) {
    const double T2 = I.x * w0.x * w0.x + I.y * w0.y * w0.y + I.z * w0.z * w0.z;
    const double L2 = I.x * I.x * w0.x * w0.x + I.y * I.y * w0.y * w0.y + I.z * I.z * w0.z * w0.z;
    about_last_ =
        L2 > T2 * I.y;  // the momentum goes round the axis of I3, or round that of I1: the same with the names exchanged
    const double I1 = about_last_ ? I.x : I.z, I2 = I.y, I3 = about_last_ ? I.z : I.x;
    const double w1 = about_last_ ? w0.x : w0.z, w3 = about_last_ ? w0.z : w0.x;
    a_ = {std::sqrt((T2 * I3 - L2) / (I1 * (I3 - I1))), std::sqrt((T2 * I3 - L2) / (I2 * (I3 - I2))),
          std::sqrt((L2 - T2 * I1) / (I3 * (I3 - I1)))};
    rate_ = std::sqrt((I3 - I2) * (L2 - T2 * I1) / (I1 * I2 * I3));
    k_ = std::sqrt((I2 - I1) * (T2 * I3 - L2) / ((I3 - I2) * (L2 - T2 * I1)));
    sign3_ = w3 < 0 ? -1 : 1;
    // (a1 cn, a2 sn, a3 dn) with signs such that the rates come out as Euler's equations have them.
    start_ = std::ellint_1(k_, std::atan2(sign3_ * w0.y / a_.y, w1 / a_.x));
  }
  Vec3<double> at(double t) const {
    const auto f = testing_support::jacobi(start_ + rate_ * t, k_);
    const double w1 = a_.x * f.cn, w2 = sign3_ * a_.y * f.sn, w3 = sign3_ * a_.z * f.dn;
    return about_last_ ? Vec3<double>{w1, w2, w3} : Vec3<double>{w3, w2, w1};
  }

 private:
  bool about_last_;
  Vec3<double> a_;
  double rate_, k_, sign3_, start_;
};

// Two starts on either side of the separatrix, and the model's own, near the middle axis, where it turns over again and again
// and errors grow by exp(6 t) until it does. Moments 3, 6, 8 (times 1e-5).
TEST(ValidationFreeBody, SpinsInJacobisEllipticFunctions) {
  const Vec3<double> I{3, 6, 8};
  struct Case {
    Vec3<double> w0;
    double tolerance;
  };
  for (const Case& c : {Case{{1, 2, 5}, 1e-8}, Case{{-5, 1, 2}, 1e-8}, Case{{0.01, 12, 0.001}, 1e-4}}) {
    const Vec3<double> w0 = c.w0;
    State start = tree::initial_state(load("dzhanibekov"));
    for (int i = 0; i < 3; ++i) start.set_u(i, i == 0 ? w0.x : i == 1 ? w0.y : w0.z);  // body axes are Ground's at the start
    const FreeBody exact(I, w0);
    tree::realize(start, Stage::velocity);
    const auto spin = [](const State& s) { return transpose_times(s.pose(1).R, s.velocity(1).angular); };
    ASSERT_LT(norm(spin(start) - exact.at(0)), 1e-12 * norm(w0));
    SimulateOptions options = projected(10, 1e-12);
    options.interval = 0.5;
    const Vec3<double> momentum = start.momentum().moment;
    run(start, options, [&](const State& s) {
      EXPECT_LT(norm(spin(s) - exact.at(s.time())), c.tolerance * norm(w0)) << s.time();
      EXPECT_LT(norm(s.momentum().moment - momentum), 1e-9 * norm(momentum)) << s.time();
    });
  }
}

}  // namespace
}  // namespace polhode::study
