#include "polhode/maximal/struts.h"

#include <algorithm>
#include <cmath>

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

Struts::Struts(const Mechanism& mechanism)
    : map_(mechanism),
      row_of_speed_(std::size_t(mechanism.num_u()), -1),
      X_WC_(std::size_t(mechanism.num_bodies())),
      V_WC_(std::size_t(mechanism.num_bodies())),
      q_(std::size_t(mechanism.num_q())),
      u_(std::size_t(mechanism.num_u())) {
  map_.mechanism().forces().for_each([&]<class F>(const F& f) {
    if constexpr (CoordinateForceType<F>) {
      if (!f.depends_on_position() && !f.depends_on_velocity()) return;
      row_of_speed(f.coordinate.u);
      on_coordinates_.push_back({f.coordinate.u, f.depends_on_position() ? f.coordinate.q : -1, &f,
                                 [](const void* force, const Now& now, double q, double u) {
                                   const CoordinateSlopes slopes = coordinate_slopes(*static_cast<const F*>(force), now, q, u);
                                   return Stiffness{-slopes.by_position, -slopes.by_speed};
                                 }});
    } else if constexpr (LineForceType<F>) {
      add_between(f.frame_a, f.frame_b, &f, [](const void* force, const Now& now, double length, double rate) {
        const TensionSlopes slopes = tension_slopes(*static_cast<const F*>(force), now, length, rate);
        return Stiffness{slopes.by_length, slopes.by_rate};
      });
    } else if constexpr (LawForceType<F>) {
      for (const LawLoad& load : f.loads) add_law(load);
    }
  });
  number_rows();
}

/// The row of a joint's speed, of which there is one however many struts it has.
int Struts::row_of_speed(int u) {
  int& row = row_of_speed_[std::size_t(u)];
  if (row >= 0) return row;
  for (const JointCoordinates& joint : map_.joints()) {
    const int k = u - joint.joint().first_u;
    if (k < 0 || k >= joint.joint().nu) continue;
    const int parent = joint.parent(), child = joint.body();
    row = int(joint_rows_.size());
    joint_rows_.push_back({{joint, {parent, joint.X_CF(), parent == 0 ? -1 : 0}, {child, joint.X_CM(), row_width}}, k});
  }
  return row;
}

void Struts::add_between(const FramePlace& frame_a, const FramePlace& frame_b, const void* force, Slopes slopes) {
  const Place a = place_of(map_.mechanism(), frame_a, 0), b = place_of(map_.mechanism(), frame_b, row_width);
  if (a.body == b.body) return;  // its length never changes
  line_rows_.push_back({a, b});
  between_frames_.push_back({force, slopes});
}

void Struts::add_law(const LawLoad& load) {
  LawSlopes slopes(map_.mechanism(), load.law);
  if (slopes.speeds().empty()) return;
  for (const int u : slopes.speeds()) row_of_speed(u);
  int wrench = -1;
  if (load.on_speed()) {
    row_of_speed(load.u);
  } else {
    wrench = int(wrench_rows_.size());
    wrench_rows_.push_back({load});
  }
  laws_.push_back({std::move(slopes), load.u, wrench});
}

/// When all rows are known.
void Struts::number_rows() {
  for (const JointRow& row : joint_rows_) sides_.push_back({row.site.joint.parent(), row.site.joint.body()});
  const int first_line = int(sides_.size());
  for (const LineRow& row : line_rows_) sides_.push_back({row.a.body, row.b.body});
  const int first_wrench = int(sides_.size());
  for (const WrenchRow& row : wrench_rows_) sides_.push_back({0, row.load.place.body});

  for (const OnCoordinate& strut : on_coordinates_) {
    const int row = row_of_speed_[std::size_t(strut.u)];
    struts_.push_back({row, row});
  }
  for (int i = 0; i < int(line_rows_.size()); ++i) struts_.push_back({first_line + i, first_line + i});
  for (const LawOfMotion& law : laws_)
    for (const int u : law.slopes.speeds())
      struts_.push_back(
          {law.u >= 0 ? row_of_speed_[std::size_t(law.u)] : first_wrench + law.wrench, row_of_speed_[std::size_t(u)]});
  lengths_.resize(line_rows_.size());
}

void Struts::evaluate(const Now& now, const Bodies& at, std::span<const double> near, std::span<double> rows,
                      std::span<Stiffness> stiffness) {
  for (std::size_t b = 0; b < at.size(); ++b) {
    X_WC_[b] = pose_of(at[b]);
    V_WC_[b] = velocity_of(at[b], X_WC_[b].R);
  }
  std::fill(rows.begin(), rows.end(), 0.0);
  put_wrench_rows(put_line_rows(put_joint_rows(near, rows.data())));
  put_stiffness(now, stiffness);
}

/// The rows, and the coordinates and speeds of their joints.
double* Struts::put_joint_rows(std::span<const double> near, double* row) {
  for (const JointRow& r : joint_rows_) {
    const Joint& joint = r.site.joint.joint();
    const JointSite::Reading reading = r.site.read(X_WC_, near);
    std::copy_n(reading.q, joint.nq, q_.begin() + joint.first_q);
    r.site.speeds(reading, X_WC_, V_WC_, u_.data() + joint.first_u);
    r.site.add_derivatives(reading, X_WC_, r.k, 1, 0, row);
    row += 2 * row_width;
  }
  return row;
}

double* Struts::put_line_rows(double* row) {
  for (std::size_t i = 0; i < line_rows_.size(); ++i) {
    const LineRow& r = line_rows_[i];
    const Vec3<double> p_a = r.a.pose(X_WC_).p, p_b = r.b.pose(X_WC_).p;
    const double length = lengths_[i] = norm(p_b - p_a);
    const Vec3<double> d = length > 0 ? (1 / length) * (p_b - p_a) : Vec3<double>{};
    const auto add = [&](const Place& place, const Vec3<double>& p, double sign) {
      if (place.first_value < 0) return;
      add_load(X_WC_[std::size_t(place.body)].R, p - X_WC_[std::size_t(place.body)].p, {{}, sign * d}, row + place.first_value);
    };
    add(r.a, p_a, -1), add(r.b, p_b, 1);
    row += 2 * row_width;
  }
  return row;
}

double* Struts::put_wrench_rows(double* row) {
  for (const WrenchRow& r : wrench_rows_) {
    const std::size_t body = std::size_t(r.load.place.body);
    const Transform<double>& X_WC = X_WC_[body];
    const Transform<double> X_WB{X_WC.R, X_WC.p - X_WC.R * map_.mechanism().bodies()[body].mass.com};
    add_load(X_WC.R, X_WB.p - X_WC.p, r.load.unit(X_WB), row + row_width);
    row += 2 * row_width;
  }
  return row;
}

/// A law's force grows where a strut's tension pulls it back: hence the minus.
void Struts::put_stiffness(const Now& now, std::span<Stiffness> stiffness) {
  Stiffness* next = stiffness.data();
  for (const OnCoordinate& strut : on_coordinates_)
    *next++ = strut.slopes(strut.force, now, strut.q < 0 ? 0 : q_[std::size_t(strut.q)], u_[std::size_t(strut.u)]);
  for (std::size_t i = 0; i < between_frames_.size(); ++i) {
    const BetweenFrames& strut = between_frames_[i];
    *next++ = lengths_[i] > 0 ? strut.slopes(strut.force, now, lengths_[i], 0) : Stiffness{0, 0};
  }
  for (LawOfMotion& law : laws_)
    for (const LawSlopes::Slope& slope : law.slopes.evaluate(now, q_, u_)) *next++ = {-slope.by_displacement, -slope.by_speed};
}

}  // namespace polhode::maximal
