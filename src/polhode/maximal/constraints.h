#pragma once
#include <span>
#include <string>
#include <vector>

#include "polhode/maximal/custom_rows.h"
#include "polhode/maximal/frame_rows.h"
#include "polhode/maximal/joint_rows.h"
#include "polhode/maximal/tree_map.h"
#include "polhode/maximal/turning_rows.h"

namespace polhode::maximal {

/// The equations that hold bodies together when each has coordinates of its own: those of every joint (by body), of the joints
/// that close loops, of the declared constraints, and of speeds that are driven or locked (state/driven_paths.h). The first
/// three are written once, in mechanism/joints and mechanism/constraints.
///
/// An element is one of these; its rows touch a few bodies, its sides (Ground is never one). The derivatives of all rows of an
/// element with respect to one body are a block of num_rows rows of row_width numbers, at values[side.first_value]: so a row is
/// the load (moment in body axes, force in Ground axes, at the centre of mass) that a unit multiplier puts on the body.
///
///   position rows   h(t, x) = 0,   dh/dt = G (w, v) + h_t
///   velocity rows   G (w, v) + v_t = 0; the last ones of an element. Their h is zero.
///   accelerations   G d(w, v)/dt = b
///
/// Rows on coordinates (gears, couplers, signals) read them off the relative pose of a joint's bodies. Angles are counted on
/// from the coordinates in `near`, by coordinate, so that they may pass full turns.
/// All elements are planned once. Those of constraints can be switched off and on again: rows of an element that is off, their
/// errors, rates and biases are zero, and nothing is evaluated for them. Neither evaluation nor switching allocates. They work
/// in memory of the object's own, so each thread needs one of its own.
class Constraints {
 public:
  struct Element {
    int first_row, num_rows;
    int num_velocity_rows;  ///< the last ones
    int first_side, num_sides;
    bool touches_ground;  ///< or reads a direction fixed there: what moves its bodies together can break it
    int joint;            ///< body whose inboard joint it is, or -1
    int switched_by;      ///< the constraint element of the mechanism that it is of, or -1: always on
    int owner;            ///< index for name()
    bool active = true;
  };
  struct Side {
    int body, first_value;
  };
  /// An element that drives or holds speeds, one in each row: u and on.
  struct Driven {
    enum class By : char { path, motion, lock };  ///< any, the model's signal, a lock
    int element, u;
    By by;
  };

  /// planned: by constraint element of the mechanism, those that there is a place for; nothing means all. All of them are on.
  /// Throws ModelError that names the constraints that hold accelerations only: these coordinates have no place for them.
  /// lockable: by joint, those that have places for their locks; nothing means those that the model or its events lock.
  explicit Constraints(const Mechanism& mechanism, std::span<const char> planned = {}, std::span<const char> lockable = {});

  /// By constraint element of the mechanism, as State::enabled().
  void set_active(std::span<const char> enabled);
  /// What the state drives or locks, from where it is. All of it must have a place.
  void set_driven(const State& state);
  /// Whether it has; the joints that the state locks are added to those that have a place already.
  bool has_places_for(const State& state, std::vector<char>& lockable) const;
  /// Elements that may be off because of what a State drives: all but coordinates that follow signals.
  bool has_switched_motion() const { return switched_motion_; }
  bool follows_all_signals() const;
  std::span<const Driven> driven() const { return driven_; }
  const DrivenPaths& paths() const { return paths_; }
  DrivenPaths& paths() { return paths_; }

  const Mechanism& mechanism() const { return map_.mechanism(); }
  const TreeMap& tree_map() const { return map_; }
  std::span<const Element> elements() const { return elements_; }
  std::span<const Side> sides() const { return sides_; }
  std::span<const Side> sides(const Element& element) const {
    return std::span<const Side>(sides_).subspan(std::size_t(element.first_side), std::size_t(element.num_sides));
  }
  int num_rows() const { return num_rows_; }
  int num_values() const { return num_values_; }  ///< of a Jacobian
  /// Who the element is: `joint "pin4"`, `wire "hip" "knee"`.
  const std::string& name(const Element& element) const { return owners_[std::size_t(element.owner)]; }

  void errors(double t, const Bodies& at, std::span<const double> near, std::span<double> h);
  void errors_and_jacobian(double t, const Bodies& at, std::span<const double> near, std::span<double> h,
                           std::span<double> values);
  /// What of G (w, v) must be -h_t or -v_t: the explicit rates in time.
  void rates(double t, const Bodies& at, std::span<const double> near, std::span<double> h_t);
  /// b with G d(w, v)/dt = b. Rows on coordinates have it exactly where the bodies are on their joints' motion.
  void acceleration_bias(double t, const Bodies& at, std::span<const double> near, std::span<double> b);

  /// For bodies that move along a plane, whose unit normal is given by body in the body's own axes: turns the frames that
  /// rows are written in so that one axis of each is normal to the plane, wherever the joint or constraint stays the same. Then
  /// some of its rows speak of motion along the plane, and the others of motion across it.
  void turn_frames(std::span<const Vec3<double>> normals);

  /// out = G (w, v), with velocities as given.
  void multiply(std::span<const double> values, const Bodies& velocities, std::span<double> out) const;

 private:
  class Planner;
  void read_poses(const Bodies& at);
  void evaluate(double t, std::span<const double> near, double* h, double* values);
  bool is_on(int row) const { return on_[std::size_t(row)] != 0; }
  void clear_inactive(double* h, double* values) const;
  void note_inactive();

  TreeMap map_;
  std::vector<Element> elements_;
  std::vector<Side> sides_;
  std::vector<std::string> owners_;
  int num_rows_ = 0, num_values_ = 0;
  std::vector<char> planned_;   ///< by constraint element of the mechanism
  std::vector<char> lockable_;  ///< by joint
  DrivenPaths paths_;
  std::vector<Driven> driven_;
  bool switched_motion_ = false;
  std::vector<char> on_;       ///< by row
  std::vector<int> inactive_;  ///< elements that are off
  std::vector<JointRows> joint_rows_;
  std::vector<FrameRows> frame_rows_;
  std::vector<CoordinateRow> coordinate_rows_;
  std::vector<TurningRows> turning_rows_;
  std::vector<CustomRows> custom_rows_;
  std::vector<Transform<double>> X_WC_;  ///< work: where the bodies are
  std::vector<Motion<double>> V_WC_;
};

}  // namespace polhode::maximal
