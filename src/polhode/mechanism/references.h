#pragma once
#include <string>
#include <vector>

#include "polhode/spatial/transform.h"

/// What a force or constraint refers to. An element is one struct, a template on how it refers to others: by name as a user
/// writes it (Named), or by number as algorithms read it (Placed). So its fields are listed once.
namespace polhode {

/// A frame of the mechanism, and where it is on its body.
struct FramePlace {
  int frame = -1, body = 0;
  Transform<double> X_BF{};
};
/// A coordinate, and the speed that is its rate.
struct CoordinatePlace {
  int q = -1, u = -1;
};
/// A speed; q is -1 where it is no coordinate's rate.
struct SpeedPlace {
  int q = -1, u = -1;
};
/// A body, with its centre of mass; `mass` is that of the whole body, whatever parts it has in the tree.
struct BodyPlace {
  int body = 0;
  Vec3<double> com{};
  double mass = 0;  ///< [kg]
};

/// An input of the mechanism.
struct InputPlace {
  int index = -1;
};

/// A coordinate or speed in a sum, times a number.
template <class Coordinate>
struct SumTerm {
  Coordinate coordinate{};
  double coefficient = 0;
};

struct Nothing {};

struct Named {
  using Frame = std::string;
  using FrameIndex = std::string;
  using Coordinate = std::string;
  using Speed = std::string;  ///< a speed's own name, or that of the coordinate whose rate it is
  using Body = std::string;
  using Input = std::string;
  using Bodies = std::vector<std::string>;
  template <class>
  using Derived = Nothing;
};
struct Placed {
  using Frame = FramePlace;
  using FrameIndex = int;  ///< of a constraint: rows that follow one another share the poses of their frames
  using Coordinate = CoordinatePlace;
  using Speed = SpeedPlace;
  using Body = BodyPlace;
  using Input = InputPlace;
  using Bodies = std::vector<BodyPlace>;
  template <class T>
  using Derived = T;  ///< what follows from the fields, made by derive() when they are placed
};

}  // namespace polhode
