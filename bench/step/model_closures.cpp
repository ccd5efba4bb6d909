#include "model_closures.h"

#include <fmt/format.h>

#include "convert.h"
#include "polhode/tree/realize.h"

namespace polhode::bench {
namespace {

/// One side of a closure.
struct Side {
  int link;
  Triple p;
};

/// What moves a hook: each signal along its own direction.
struct Slide {
  Vec3<double> direction;  // in the world
  Signal signal;
};

class Closures {
 public:
  Closures(const OwnModel& own, const LinkFrames& frames) : mechanism_(own.mechanism), frames_(frames), start_(own.start) {
    tree::realize(start_, Stage::position);
  }

  std::vector<Closure> all() {
    for (const LoopJoint& joint : mechanism_.loop_joints()) add(joint);
    const std::vector<Constraint>& constraints = mechanism_.constraints();
    for (std::size_t i = 0; i < constraints.size(); ++i) {
      if (std::holds_alternative<PointConstraint>(constraints[i].model)) {
        add_pair(constraints[i], i + 1 < constraints.size() ? &constraints[i + 1] : nullptr);
        ++i;
      } else {
        add(constraints[i]);
      }
    }
    return std::move(closures_);
  }

 private:
  Side side(int body, const Vec3<double>& p_B) const {
    if (body == 0) return {world, triple(p_B)};
    return {frames_.link_of(body), triple(inverse(frames_.on_body(body)) * p_B)};
  }
  const Frame& frame(int i) const { return mechanism_.frames()[std::size_t(i)]; }
  bool is_on_link(int i) const { return frames_.role(frame(i).body) == BodyRole::link; }

  void add_between(Closure::Kind kind, const Side& a, const Side& b, double length = 0) {
    closures_.push_back({kind, a.link, b.link, a.p, b.p, length});
  }

  void add(const LoopJoint& joint) {
    Side a = side(joint.parent, joint.X_PF.p), b = side(joint.child, joint.X_BM.p);
    if (std::holds_alternative<Cylindrical>(joint.model) && frames_.is_planar_twin()) {
      return add_between(Closure::Kind::planar, a, b);
    }
    if (a.link == world) std::swap(a, b);
    if (std::holds_alternative<Revolute>(joint.model)) return add_between(Closure::Kind::pin, a, b);
    if (std::holds_alternative<Ball>(joint.model)) return add_between(Closure::Kind::point, a, b);
    refuse(fmt::format("joint \"{}\", which closes a loop and is {}", joint.name, type_name(joint.model)));
  }

  /// Two directions in the plane of the mechanism hold what a line across it does (Johnson & Murphey, IV-D4).
  void add_pair(const Constraint& one, const Constraint* two) {
    const auto& first = std::get<PointConstraint>(one.model);
    const auto* second = two ? std::get_if<PointConstraint>(&two->model) : nullptr;
    const bool fits = second && second->frame_a == first.frame_a && second->frame_b == first.frame_b;
    if (!fits || norm(cross(cross(first.direction, second->direction), *frames_.normal())) > 1e-9 ||
        norm(cross(first.direction, second->direction)) < 1e-9) {
      refuse(fmt::format("{} without a second one in the plane", one.description));
    }
    add_frames(Closure::Kind::planar, first.frame_a, first.frame_b, one);
  }

  void add(const Constraint& constraint) {
    if (const auto* points = std::get_if<CoincidentPoints>(&constraint.model)) {
      add_frames(Closure::Kind::point, points->frame_a, points->frame_b, constraint);
    } else if (const auto* line = std::get_if<PointOnLine>(&constraint.model)) {
      add_frames(Closure::Kind::planar, line->frame_a, line->frame_b, constraint);
    } else if (const auto* wire = std::get_if<Wire>(&constraint.model)) {
      add_wire(*wire, constraint);
    } else {
      refuse(constraint.description);
    }
  }

  void add_frames(Closure::Kind kind, int a, int b, const Constraint& constraint) {
    if (kind == Closure::Kind::point && !is_on_link(a)) std::swap(a, b);
    if (!is_on_link(a) || (!is_on_link(b) && frame(b).body != 0)) {
      refuse(fmt::format("{}, which is not between two links or a link and the world", constraint.description));
    }
    add_between(kind, side(frame(a).body, frame(a).X_BF.p), side(frame(b).body, frame(b).X_BF.p));
  }

  void add_wire(const Wire& wire, const Constraint& constraint) {
    int a = wire.frame_a, b = wire.frame_b;
    if (!is_on_link(a)) std::swap(a, b);
    if (!is_on_link(a)) refuse(fmt::format("{}, which is on no link", constraint.description));
    const Side below = side(frame(a).body, frame(a).X_BF.p);
    if (frames_.role(frame(b).body) != BodyRole::hook) {
      if (!is_on_link(b) && frame(b).body != 0) refuse(constraint.description);
      return add_between(Closure::Kind::rod, below, side(frame(b).body, frame(b).X_BF.p), wire.length);
    }
    // Where the hook is now, less what the signals have added to it.
    Vec3<double> p = start_.frame_pose(b).p;
    const std::vector<Slide> slides = slides_of(frame(b).body);
    add_between(Closure::Kind::rod, below, {world, triple(p)}, wire.length);
    for (const Slide& slide : slides) p = p - slide.signal.value(0) * slide.direction;
    if (!slides.empty()) {
      closures_.back().hook = [p, slides](double t, Triple& position, Triple& velocity) {
        Vec3<double> at = p, rate{};
        for (const Slide& slide : slides) {
          const Signal::Sample sample = slide.signal.at(t);
          at += sample.value * slide.direction;
          rate += sample.rate * slide.direction;
        }
        position = triple(at), velocity = triple(rate);
      };
    }
  }

  /// Those that do move.
  std::vector<Slide> slides_of(int body) const {
    std::vector<Slide> slides;
    for (; body != 0; body = mechanism_.bodies()[std::size_t(body)].parent) {
      const Joint& joint = mechanism_.joints()[std::size_t(body)];
      for (const KinematicCoordinate& moved : mechanism_.kinematic()) {
        if (moved.u != joint.first_u || moved.signal.is_constant()) continue;
        const Vec3<double> z = start_.pose(body).R * joint.X_BM.R.col[2];
        slides.push_back({(joint.reversed ? -1.0 : 1.0) * z, moved.signal});
      }
    }
    return slides;
  }

  const Mechanism& mechanism_;
  const LinkFrames& frames_;
  State start_;
  std::vector<Closure> closures_;
};

}  // namespace

std::vector<Closure> closures_of(const OwnModel& own, const LinkFrames& frames) { return Closures(own, frames).all(); }

}  // namespace polhode::bench
