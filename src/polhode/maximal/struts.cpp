#include "polhode/maximal/struts.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "polhode/maximal/row_places.h"
#include "polhode/mechanism/forces/force_loads.h"

namespace polhode::maximal {
namespace {

/// A frame of the mechanism, in its body's own frame C.
Place place_of(const Mechanism& mechanism, const FramePlace& frame, int first_value) {
  Transform<double> X_CF = frame.X_BF;
  X_CF.p -= mechanism.bodies()[std::size_t(frame.body)].mass.com;
  return {frame.body, X_CF, frame.body == 0 ? -1 : first_value};
}

}  // namespace

Struts::Struts(const Mechanism& mechanism) : map_(mechanism), X_WC_(std::size_t(mechanism.num_bodies())), V_WC_(X_WC_.size()) {
  map_.mechanism().forces().for_each([&]<class F>(const F& f) {
    if constexpr (CoordinateForceType<F>) {
      if (!f.depends_on_position() && !f.depends_on_velocity()) return;
      add_on_coordinate(
          f.coordinate.u, f.depends_on_position() ? f.coordinate.q : -1, &f,
          [](const void* force, const Now& now, double q, double u) {
            const CoordinateSlopes slopes = coordinate_slopes(*static_cast<const F*>(force), now, q, u);
            return Stiffness{-slopes.by_position, -slopes.by_speed};
          },
          polhode::most_stiffness(f));
    } else if constexpr (LineForceType<F>) {
      add_between(
          f.frame_a, f.frame_b, &f,
          [](const void* force, const Now& now, double length, double rate) {
            const TensionSlopes slopes = tension_slopes(*static_cast<const F*>(force), now, length, rate);
            return Stiffness{slopes.by_length, slopes.by_rate};
          },
          polhode::most_stiffness(f));
    } else if constexpr (HasStruts<F>) {
      add_struts_of(f);
    }
  });
  if (of_forces_.empty()) return;
  X_WB_.resize(X_WC_.size()), at_rest_.resize(X_WC_.size()), on_body_.resize(X_WC_.size());
}

template <class F>
void Struts::add_struts_of(const F& force) {
  const Place a = place_of(map_.mechanism(), force.frame_a, 0), b = place_of(map_.mechanism(), force.frame_b, row_width);
  if (a.body == b.body) return;
  for (int i = 0; i < force.num_struts(); ++i) {
    const StrutSlopes slopes = force.strut_slopes(i);
    of_forces_.push_back({a,
                          b,
                          &force,
                          i,
                          {slopes.stiffness, slopes.damping},
                          [](const void* of, const Configuration& at, int number, AppliedForces& out) {
                            static_cast<const F*>(of)->add_strut(at, number, out);
                          }});
    sides_.push_back({a.body, b.body});
    most_stiffness_.push_back(0);
  }
}

void Struts::add_on_coordinate(int u, int q, const void* force, Slopes slopes, double most_stiffness) {
  for (const JointCoordinates& joint : map_.joints()) {
    const int k = u - joint.joint().first_u;
    if (k < 0 || k >= joint.joint().nu) continue;
    const int parent = joint.parent(), child = joint.body();
    on_coordinates_.push_back({{joint, {parent, joint.X_CF(), parent == 0 ? -1 : 0}, {child, joint.X_CM(), row_width}},
                               k,
                               q < 0 ? -1 : q - joint.joint().first_q,
                               force,
                               slopes});
    const auto place = std::ptrdiff_t(on_coordinates_.size()) - 1;
    sides_.insert(sides_.begin() + place, {parent, child});
    most_stiffness_.insert(most_stiffness_.begin() + place, most_stiffness);
  }
}

void Struts::add_between(const FramePlace& frame_a, const FramePlace& frame_b, const void* force, Slopes slopes,
                         double most_stiffness) {
  const Place a = place_of(map_.mechanism(), frame_a, 0), b = place_of(map_.mechanism(), frame_b, row_width);
  if (a.body == b.body) return;  // its length never changes
  const auto place = std::ptrdiff_t(on_coordinates_.size() + between_frames_.size());
  between_frames_.push_back({a, b, force, slopes});
  sides_.insert(sides_.begin() + place, {a.body, b.body});
  most_stiffness_.insert(most_stiffness_.begin() + place, most_stiffness);
}

void Struts::evaluate(const Now& now, const Bodies& at, std::span<const double> near, std::span<double> rows,
                      std::span<Stiffness> stiffness) {
  for (std::size_t b = 0; b < at.size(); ++b) {
    X_WC_[b] = pose_of(at[b]);
    V_WC_[b] = velocity_of(at[b], X_WC_[b].R);
  }
  std::fill(rows.begin(), rows.end(), 0.0);
  double* row = rows.data();
  Stiffness* slope = stiffness.data();
  for (const OnCoordinate& strut : on_coordinates_) {
    const JointSite::Reading reading = strut.site.read(X_WC_, near);
    double u[JointCoordinates::most_speeds];
    strut.site.speeds(reading, X_WC_, V_WC_, u);
    strut.site.add_derivatives(reading, X_WC_, strut.k, 1, 0, row);
    *slope++ = strut.slopes(strut.force, now, strut.q < 0 ? 0 : reading.q[strut.q], u[strut.k]);
    row += 2 * row_width;
  }
  for (const BetweenFrames& strut : between_frames_) {
    const Vec3<double> p_a = strut.a.pose(X_WC_).p, p_b = strut.b.pose(X_WC_).p;
    const double length = norm(p_b - p_a);
    *slope++ = length > 0 ? strut.slopes(strut.force, now, length, 0) : Stiffness{0, 0};
    const Vec3<double> d = length > 0 ? (1 / length) * (p_b - p_a) : Vec3<double>{};
    const auto add = [&](const Place& place, const Vec3<double>& p, double sign) {
      if (place.first_value < 0) return;
      add_load(X_WC_[std::size_t(place.body)].R, p - X_WC_[std::size_t(place.body)].p, {{}, sign * d}, row + place.first_value);
    };
    add(strut.a, p_a, -1), add(strut.b, p_b, 1);
    row += 2 * row_width;
  }
  if (!of_forces_.empty()) evaluate_of_forces(now, row, slope);
}

void Struts::evaluate_of_forces(const Now& now, double* row, Stiffness* slope) {
  const Mechanism& m = map_.mechanism();
  for (std::size_t b = 0; b < X_WC_.size(); ++b) X_WB_[b] = {X_WC_[b].R, X_WC_[b].p - X_WC_[b].R * m.bodies()[b].mass.com};
  const Configuration at{m, now.t, {}, {}, X_WB_, at_rest_, {}, {}, now.inputs};
  AppliedForces out{{}, on_body_, X_WB_};
  for (const OfForce& strut : of_forces_) {
    on_body_[std::size_t(strut.a.body)] = on_body_[std::size_t(strut.b.body)] = {};
    strut.add(strut.force, at, strut.number, out);
    for (const Place* place : {&strut.a, &strut.b}) {
      if (place->first_value < 0) continue;
      const std::size_t body = std::size_t(place->body);
      add_load(X_WC_[body].R, X_WB_[body].p - X_WC_[body].p, on_body_[body], row + place->first_value);
    }
    *slope++ = strut.stiffness;
    row += 2 * row_width;
  }
}

}  // namespace polhode::maximal
