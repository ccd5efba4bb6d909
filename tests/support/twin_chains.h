#pragma once
#include <algorithm>
#include <string>
#include <vector>

#include "polhode/mechanism/builder.h"
#include "polhode/tree/assemble.h"
#include "polhode/tree/realize.h"

namespace polhode::testing_support {

/// Two chains of two links side by side, in space or in a plane. A wire between their tips, a coupler of two angles and one of
/// two speeds tie them to each other: these are the constraint elements 0, 1 and 2. As long as both chains swing alike, all of
/// them are met, on or off.
struct TwinChains {
  enum class Hinges { universal, revolute };
  enum class Ties { given, none };  ///< none: the same mechanism without constraints
  enum class Swing { alike, differently };
  Hinges hinges = Hinges::universal;
  Ties ties = Ties::given;
  Swing swing = Swing::alike;
};

inline State twin_chains(const TwinChains& how) {
  const bool planar = how.hinges == TwinChains::Hinges::revolute;
  const JointModel hinge = planar ? JointModel(Revolute{}) : JointModel(Universal{});
  const auto at = [](double x, double z) {  // axes of pins across the plane of x and z
    return Transform<double>{rotation_with_z(Vec3<double>{0, 1, 0}), {x, 0, z}};
  };
  const MassProperties mass = MassProperties::box(1, {0.3, 0.2, 0.4}, {0, 0, -0.2});
  MechanismBuilder b;
  const std::vector<std::string> axes = planar ? std::vector<std::string>{""} : std::vector<std::string>{".x", ".y"};
  double number = 0;
  for (const std::string& side : {std::string("left"), std::string("right")}) {
    const double x = side == "left" ? -0.5 : 0.5;
    b.add_body({.name = side + " upper", .mass = mass}).add_body({.name = side + " lower", .mass = mass});
    b.add_joint(
        {.name = side + " hip", .model = hinge, .child = side + " upper", .placement = LocalPlacement{at(x, 0), at(0, 0)}});
    b.add_joint({.name = side + " knee",
                 .model = hinge,
                 .parent = side + " upper",
                 .child = side + " lower",
                 .placement = LocalPlacement{at(0, -0.4), at(0, 0)}});
    b.add_frame({.name = side + " tip", .body = side + " lower", .X_BF = at(0, -0.4)});
    for (const std::string& joint : {std::string(" hip"), std::string(" knee")})
      for (const std::string& axis : axes) {
        number = how.swing == TwinChains::Swing::differently ? number + 1 : axis == ".y" ? 2 : joint == " knee" ? 3 : 1;
        b.set_initial({.coordinate = side + joint + axis, .value = 0.2 * number, .speed = 0.5 - 0.3 * number});
      }
  }
  if (how.ties == TwinChains::Ties::given) {
    const std::string& axis = axes.front();
    b.add_constraint({.name = "tips", .model = WireSpec{"left tip", "right tip", 1.0}});
    b.add_constraint({.name = "knees", .model = CouplerSpec{{{"left knee" + axis, 1.0}, {"right knee" + axis, -1.0}}, 0.0}});
    b.add_constraint({.name = "hips", .model = SpeedCouplerSpec{{{"left hip" + axis, 1.0}, {"right hip" + axis, -1.0}}, 0.0}});
  }
  return tree::initial_state(b.build());
}

/// With the constraints named by their numbers on, and the others off.
inline State with_only(State state, std::initializer_list<int> on) {
  for (int e = 0; e < state.mechanism().num_constraint_elements(); ++e)
    state.enable(e, std::find(on.begin(), on.end(), e) != on.end());
  return state;
}

/// Where the bodies are and how they move.
inline std::vector<double> motion_of(const State& state) {
  std::vector<double> all(state.q().begin(), state.q().end());
  all.insert(all.end(), state.u().begin(), state.u().end());
  return all;
}

}  // namespace polhode::testing_support
