#pragma once
#include <concepts>
#include <string>
#include <vector>

#include "polhode/mechanism/fields.h"
#include "polhode/mechanism/forces/force_view.h"
#include "polhode/mechanism/range.h"
#include "polhode/mechanism/references.h"

/// What every type of force answers. There are three shapes: a force on one coordinate, a force along the line between two
/// frames' origins, and any other force on bodies. A type that leaves a question open does not compile, so nothing that the
/// engine does with forces can overlook one (docs/architecture.md, "Forces").
namespace polhode {

/// What a force does to the mechanism's total momentum.
enum class Momentum {
  exchanged,      ///< between the bodies that it acts on: their sum stays
  along_gravity,  ///< it acts along gravity only
  changed
};

/// How near the mechanism is to a place where a force is singular.
struct NearSingularity {
  enum class Of { frames, bodies, angle };  ///< angle: between the frames' axes, the distance being in radians
  double distance;                          ///< [m]; the force is singular at 0
  double usual;                             ///< an ordinary distance [m], besides that at the start of a run
  const char* words;                        ///< what the two do: "attract each other"
  int a, b;                                 ///< the two frames or bodies that meet there
  Of of;
};

/// The questions about energy, time and speed that all shapes answer.
///   has_potential    the force on a mechanism at rest is minus the gradient of energy()
///   acts_at_rest     it may be other than zero where nothing moves
///   keeps_energy     kinetic plus potential energy stays what it is under this force
///   add_breaks       times at which the force, or its first derivatives, may jump
template <class F>
concept ForceTraits = requires(const F& f, std::vector<double>& times) {
  { F::has_potential } -> std::convertible_to<bool>;
  { F::acts_at_rest } -> std::convertible_to<bool>;
  { f.keeps_energy() } -> std::same_as<bool>;
  { f.depends_on_velocity() } -> std::same_as<bool>;
  { f.depends_on_time() } -> std::same_as<bool>;
  f.add_breaks(times);
};

/// A force on one coordinate: a function of what is so now (now.h), the coordinate and its speed. A force that reads no
/// coordinate has a Speed for `coordinate`, so that it can act on ball joints too.
template <class F>
concept CoordinateForceType = ForceTraits<F> && requires(const F& f, const Now& now, double x, Dual<double> d) {
  { f.coordinate.u } -> std::convertible_to<int>;
  { f.coordinate.q } -> std::convertible_to<int>;
  { f.depends_on_position() } -> std::same_as<bool>;
  { f.template force<double>(now, x, x) } -> std::same_as<double>;  // (now, q, u)
  { f.template force<Dual<double>>(now, d, d) } -> std::same_as<Dual<double>>;
  { f.template energy<double>(x) } -> std::same_as<double>;  // (q)
};

/// A force along the line between two frames' origins: a tension, positive when it pulls them together, that depends on their
/// distance and its rate. Where the origins coincide there is no direction, and the force counts as zero.
template <class F>
concept LineForceType = ForceTraits<F> && requires(const F& f, const Now& now, double x, Dual<double> d) {
  { f.frame_a } -> std::convertible_to<FramePlace>;
  { f.frame_b } -> std::convertible_to<FramePlace>;
  { f.template tension<double>(now, x, x) } -> std::same_as<double>;  // (now, length, rate)
  { f.template tension<Dual<double>>(now, d, d) } -> std::same_as<Dual<double>>;
  { f.template energy<double>(x) } -> std::same_as<double>;  // (length)
  { f.usual_length() } -> std::same_as<double>;              // [m]: what is short is judged by this
};

/// Any other force on bodies.
template <class F>
concept BodyForceType = ForceTraits<F> &&
    requires(const F& f, const ForceView<double>& at, const ForceView<Dual<double>>& d, ForceLoads<double>& out,
             ForceLoads<Dual<double>>& out_d, std::vector<NearSingularity>& near) {
  { F::momentum } -> std::convertible_to<Momentum>;
  f.for_each_body([](int) {});  // that it reads and loads
  f.template add_load<double>(at, out);
  f.template add_load<Dual<double>>(d, out_d);
  { f.template energy<double>(at) } -> std::same_as<double>;
  f.add_singularities(at, near);
};

/// How the tension of a strut grows with its extension and with the rate of that.
struct StrutSlopes {
  double stiffness, damping;
};
/// A force on bodies that is made of struts, springs and dampers along directions of its own, tells implicit steps which these
/// are; without them such a step takes the force for a soft one.
template <class F>
concept HasStruts = BodyForceType<F> && requires(const F& f, const ForceView<double>& at, ForceLoads<double>& out) {
  { f.frame_a } -> std::convertible_to<FramePlace>;
  { f.frame_b } -> std::convertible_to<FramePlace>;
  { f.num_struts() } -> std::same_as<int>;
  { f.strut_slopes(0) } -> std::same_as<StrutSlopes>;
  f.add_strut(at, 0, out);  ///< the loads whose power is the rate of its extension
};

/// The stiffness that a force has where it acts at all: one that is slack to begin with tells its own.
template <class F>
double most_stiffness(const F& f) {
  if constexpr (requires { f.most_stiffness(); }) return f.most_stiffness();
  return 0;
}

template <class F>
concept ForceType = CoordinateForceType<F> || LineForceType<F> || BodyForceType<F>;

}  // namespace polhode
