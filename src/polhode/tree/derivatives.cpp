#include "polhode/tree/derivatives.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "polhode/tree/derivatives_data.h"

namespace polhode::tree {
namespace {

void require_size(std::size_t given, int wanted, const char* what) {
  if (given != std::size_t(wanted))
    throw std::invalid_argument(fmt::format("derivatives: {}: {} numbers given, {} needed", what, given, wanted));
}

/// X hat(x).
PoseDerivative first(const Transform<double>& X, const Motion<double>& x) { return {X.R * skew(x.angular), X.R * x.linear}; }
/// X (hat(x_b) hat(x_a) + hat(dx_a/db)).
PoseDerivative second(const Transform<double>& X, const Motion<double>& x_a, const Motion<double>& x_b,
                      const Motion<double>& x_ab) {
  return {X.R * (skew(x_b.angular) * skew(x_a.angular) + skew(x_ab.angular)),
          X.R * (cross(x_b.angular, x_a.linear) + x_ab.linear)};
}

/// Where a body's coordinates and speeds stand in a frame's lists.
struct Place {
  int chart, speed;
};

void fill_first(const BodyTerms& body, Place at, FrameDerivatives& out) {
  const ToFrame to_frame(out.X_WF, body);
  for (int i = 0; i < body.j.nchart; ++i) {
    out.twist[at.chart + i] = to_frame(body.j.A[i]);
    out.X_q[at.chart + i] = first(out.X_WF, out.twist[at.chart + i]);
    out.V_q[at.chart + i] = to_frame(body.D[i]);
  }
  for (int k = 0; k < body.j.nu; ++k) out.V_u[at.speed + k] = to_frame(body.j.S[k]);
}

/// Second derivatives by two coordinates, or a coordinate and a speed, of one joint.
void fill_own(const BodyTerms& body, Place at, FrameDerivatives& out) {
  const ToFrame to_frame(out.X_WF, body);
  const std::size_t n = out.chart.size(), m = out.speeds.size();
  for (int i = 0; i < body.j.nchart; ++i) {
    const std::size_t a = std::size_t(at.chart + i);
    for (int j = 0; j < body.j.nchart; ++j) {
      const std::size_t b = std::size_t(at.chart + j);
      out.X_qq[a * n + b] = second(out.X_WF, out.twist[a], out.twist[b], to_frame(body.j.A_q[i][j]));
      out.V_qq[a * n + b] = to_frame(body.D_q[i][j]);
    }
    for (int k = 0; k < body.j.nu; ++k) out.V_qu[a * m + std::size_t(at.speed + k)] = to_frame(body.j.S_q[k][i]);
  }
}

/// The same with a joint inboard and one outboard of it: the outboard coordinate turns what the inboard one moves.
void fill_crossed(const BodyTerms& inboard, Place in, const BodyTerms& outboard, Place on, FrameDerivatives& out) {
  const std::size_t n = out.chart.size(), m = out.speeds.size();
  for (int j = 0; j < outboard.j.nchart; ++j) {
    const std::size_t b = std::size_t(on.chart + j);
    const Motion<double>& turning = out.twist[b];
    for (int i = 0; i < inboard.j.nchart; ++i) {
      const std::size_t a = std::size_t(in.chart + i);
      out.X_qq[a * n + b] = out.X_qq[b * n + a] = second(out.X_WF, out.twist[b], out.twist[a], {});
      out.V_qq[a * n + b] = out.V_qq[b * n + a] = bracket(out.V_q[a], turning);
    }
    for (int k = 0; k < inboard.j.nu; ++k) {
      const std::size_t s = std::size_t(in.speed + k);
      out.V_qu[b * m + s] = bracket(out.V_u[s], turning);
    }
  }
}

}  // namespace

FrameDerivatives::FrameDerivatives(const Mechanism& mechanism, int frame_index) : frame(frame_index) {
  if (frame < 0 || frame >= int(mechanism.frames().size()))
    throw std::invalid_argument(
        fmt::format("derivatives: there is no frame number {}; the mechanism has {}", frame, mechanism.frames().size()));
  for (int b = mechanism.frames()[frame].body; b > 0; b = mechanism.bodies()[b].parent) path_.push_back(b);
  std::reverse(path_.begin(), path_.end());
  for (const int b : path_) {
    const Joint& joint = mechanism.joints()[b];
    for (int i = 0; i < joint.nchart; ++i) chart.push_back(joint.first_chart + i);
    for (int k = 0; k < joint.nu; ++k) speeds.push_back(joint.first_u + k);
  }
  const std::size_t n = chart.size(), m = speeds.size();
  X_q.resize(n), V_q.resize(n), twist.resize(n), V_u.resize(m);
  X_qq.resize(n * n), V_qq.resize(n * n), V_qu.resize(n * m);
}

Derivatives::Data::Data(const Mechanism& m)
    : mechanism(m),
      q(m.num_q()),
      u(m.num_u()),
      bodies(m.num_bodies()),
      composites(m.num_bodies()),
      difference_q(m.num_chart()),
      is_moved(m.num_chart()) {
  moved.reserve(m.num_chart());
  const bool on_bodies = m.forces().any([]<class F>(const F&) { return F::has_potential && BodyForceType<F>; });
  if (on_bodies) differentiator.emplace(m.num_bodies()), touched.reserve(std::size_t(m.num_bodies()));
  if (m.forces().of<UsersPotential>().empty() && !on_bodies) return;
  scratches = ForceScratches(m.forces());
  X_WB.resize(m.num_bodies()), at_rest.resize(m.num_bodies()), wrenches.resize(m.num_bodies());
  generalized.resize(m.num_u()), no_speeds.resize(m.num_u()), q_displaced.resize(m.num_q());
  slope_before.resize(m.num_chart()), slope_after.resize(m.num_chart());
  displaced.resize(m.num_bodies());
}

Derivatives::Derivatives(const Mechanism& mechanism) : d_(std::make_unique<Data>(mechanism)) {}
Derivatives::~Derivatives() = default;
Derivatives::Derivatives(Derivatives&&) noexcept = default;
Derivatives& Derivatives::operator=(Derivatives&&) noexcept = default;

const Mechanism& Derivatives::mechanism() const { return d_->mechanism; }

void Derivatives::set(Numbers q, Numbers u) {
  require_size(q.size(), d_->mechanism.num_q(), "coordinates");
  require_size(u.size(), d_->mechanism.num_u(), "speeds");
  std::copy(q.begin(), q.end(), d_->q.begin());
  std::copy(u.begin(), u.end(), d_->u.begin());
  fill_terms(d_->mechanism, q.data(), u.data(), d_->bodies);
}

void Derivatives::frame(FrameDerivatives& out) const {
  const Frame& frame = d_->mechanism.frames()[out.frame];
  const BodyTerms& carrier = d_->bodies[frame.body];
  out.X_WF = carrier.X_WM * d_->mechanism.joints()[frame.body].X_MB * frame.X_BF;
  out.V = ToFrame(out.X_WF, carrier)(carrier.V);
  std::fill(out.V_qu.begin(), out.V_qu.end(), Motion<double>{});  // an inboard coordinate leaves outboard columns as they are

  Place on{0, 0};
  for (std::size_t b = 0; b < out.path_.size(); ++b) {
    const BodyTerms& body = d_->bodies[out.path_[b]];
    fill_first(body, on, out);
    fill_own(body, on, out);
    Place in{0, 0};
    for (std::size_t a = 0; a < b; ++a) {
      const BodyTerms& inboard = d_->bodies[out.path_[a]];
      fill_crossed(inboard, in, body, on, out);
      in.chart += inboard.j.nchart, in.speed += inboard.j.nu;
    }
    on.chart += body.j.nchart, on.speed += body.j.nu;
  }
}

}  // namespace polhode::tree
