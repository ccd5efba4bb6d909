#pragma once
/// Which bodies of a model are links of a problem, and how the links' frames are turned on them.

#include <optional>

#include "from_mechanism.h"

namespace polhode::bench {

/// What a body is to a problem.
enum class BodyRole {
  ground,
  link,
  hook,  // without mass, carried on signals from the world
  root   // without mass, between the world and a link that moves in a plane
};

class LinkFrames {
 public:
  /// Throws std::runtime_error that names a body which is none of these.
  explicit LinkFrames(const OwnModel& own);

  BodyRole role(int body) const { return roles_[std::size_t(body)]; }
  /// The world for bodies that are no links.
  int link_of(int body) const { return links_[std::size_t(body)]; }
  const std::vector<LinkPlace>& places() const { return places_; }
  /// X_BL; nothing for the world.
  const Transform<double>& on_body(int body) const { return X_BL_[std::size_t(body)]; }
  /// The first body on the way from the world to a link that carries only it; else the body itself.
  int first_of_root(int body) const;
  /// What the whole mechanism moves perpendicular to, where it does: every joint lets it, and no force or inertia works against
  /// it.  A ball joint is a hinge then.
  const std::optional<Vec3<double>>& normal() const { return normal_; }
  /// The same motion with hinges for ball joints and for sleeves: what is made of mechanisms that a sleeve closes.
  bool is_planar_twin() const { return planar_twin_; }

 private:
  void find_roles();
  BodyRole role_of(int body) const;
  void find_normal();
  bool moves_across(const Vec3<double>& n, State& state) const;
  void ask_for_axes();
  void ask(int body, const Vec3<double>& y_B, const std::string& who);
  void ask_for_pin(const LoopJoint& joint);
  Mat3<double> axes_of(int body) const;

  const OwnModel& own_;
  const Mechanism& mechanism_;
  std::vector<BodyRole> roles_;
  std::vector<int> links_;
  std::vector<LinkPlace> places_;
  std::vector<Transform<double>> X_BL_;
  std::vector<std::optional<Vec3<double>>> y_B_;  // what the links' y axes must be, as closures are about them
  std::optional<Vec3<double>> normal_;
  bool planar_twin_ = false;
};

[[noreturn]] void refuse(const std::string& what);

}  // namespace polhode::bench
