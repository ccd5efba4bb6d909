#pragma once
#include <functional>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "polhode/mechanism/builder.h"
#include "polhode/mechanism/inertia_check.h"
#include "polhode/mechanism/joint_placement.h"
#include "polhode/mechanism/mechanism.h"
#include "polhode/mechanism/name_table.h"
#include "polhode/mechanism/spanning_tree.h"
#include "polhode/mechanism/tree_wishes.h"

namespace polhode {

/// Turns a builder's description into a Mechanism, in one pass over each kind of element. A problem is noted and its
/// element replaced by a harmless one, so that one mistake is told once and the search for others goes on.
class MechanismResolver {
 public:
  MechanismResolver(const MechanismBuilder& builder, std::vector<Problem> found, TreeWishes wishes);
  /// Nothing when the model needs another spanning tree than it was given: then wishes() has grown.
  std::optional<Mechanism> resolve();
  const TreeWishes& wishes() const { return found_; }

 private:
  using Data = Mechanism::Data;

  // resolver.cpp: bodies, joints and frames.
  void declare_bodies();
  void declare_joints();
  void check_body(const BodySpec& spec);
  void grow_tree();
  void make_bodies();
  void make_joints();
  void make_implicit_joint(int body, int declared);
  void make_tree_joint(const SpanningTree::Link& link);
  void make_loop_joints();
  void check_parameters(const JointSpec& spec);
  void make_frames();
  void make_flat();
  std::vector<std::string> frame_names() const;
  const std::string& name_of_declared(int body) const;
  const Source& source_of_declared(int body) const;

  // resolver_inertias.cpp
  void judge_inertias();
  /// The body with all that is welded to it, in its own axes; and how many bodies these are.
  std::pair<MassProperties, int> welded_whole(int declared, const std::unordered_multimap<int, int>& welds) const;

  // resolver_halves.cpp: models that need more than the plain spanning tree.
  void regrow_tree(const std::function<bool(int)>& prefers_root);
  std::vector<int> ranks_of_edges() const;
  bool lacks_inertia_by(const GraphEdge& edge, int edge_index, int body) const;
  bool closes_at_a_particle(int edge, int particle, int other) const;
  void share_particle(int edge, int particle, int other);
  void split(int edge, int body);
  int better_half(const GraphEdge& edge) const;
  JointFrames frames_of_edge(int edge) const;
  void share_masses();
  void weld_halves();
  void place_halves();
  void name_joint(std::vector<char>& list, int joint);
  void name_joint_of_body(int body);
  /// Does the joint close a loop? Then it is noted as asked for.
  bool is_loop_joint(const std::string& name);
  bool asks_for_another_tree();
  bool wants_mass_for(const std::vector<UndeterminedMotion>& undetermined);

  // resolver_shapes.cpp
  void make_shapes();
  void add_shape(const ShapeSpec& spec);

  // resolver_coordinates.cpp: what coordinates and speeds are called, and where they start.
  void make_coordinates();
  void refuse_names_of_speeds();
  void add_coordinates(int body);
  void reserve_coordinates(int joint, int standing);
  Source coordinate_source(const std::string& name) const;
  void make_initial_state();
  void make_kinematic();
  void set_initial(const InitialValue& value);
  void set_initial_speed(const InitialValue& value, int q);
  void normalize_initial_quaternions();
  void make_initial_velocities();

  // resolver_drives.cpp
  struct Start {
    std::optional<double> value, rate;
  };
  void make_drives();
  void add_driven(DrivenSpeed driven, const std::string& what);
  void add_motion(const MotionSpec& spec);
  void add_fast(const FastSpec& spec);
  void refuse_slow_on_fast();
  void make_locks();
  void make_discrete();
  static Start start_of(const DrivenSpeed& d);
  void refuse_contradictions();

  // resolver_inputs.cpp
  void make_inputs();
  void add_input(const InputSpec& spec);
  void add_own_input(const std::string& motor, const Source& where);
  void keep_input(const InputSpec& spec);
  bool good_range(const Range& range, const char* what, const std::string& of, const Source& where);

  // resolver_constraints.cpp
  void make_constraints();
  void make_users_constraints();
  void tell_equal_labels_apart();
  /// What messages call a constraint: `wire "rope"`, or `wire "hip" "knee"` when it has no name of its own.
  static std::string label(const ConstraintSpec& spec);
  template <class Model>
  void keep(const ConstraintSpec& spec, Model model) {
    out_->constraints.push_back({spec.name, label(spec), std::move(model), spec.source, spec.disabled});
  }
  void add_constraint(const ConstraintSpec& spec, const ConstraintFactory& make);
  // resolver_frame_constraints.cpp
  void add_constraint(const ConstraintSpec& spec, const PointConstraintSpec& model);
  void add_constraint(const ConstraintSpec& spec, const CoincidentPointsSpec& model);
  void add_constraint(const ConstraintSpec& spec, const CoincidentFramesSpec& model);
  void add_constraint(const ConstraintSpec& spec, const PointInPlaneSpec& model);
  void add_constraint(const ConstraintSpec& spec, const PointOnLineSpec& model);
  void add_constraint(const ConstraintSpec& spec, const WireSpec& model);
  void add_constraint(const ConstraintSpec& spec, const ConstantAngleSpec& model);
  void add_constraint(const ConstraintSpec& spec, const ConstantOrientationSpec& model);
  void add_constraint(const ConstraintSpec& spec, const NoSlipSpec& model);
  void add_constraint(const ConstraintSpec& spec, const RollingDiskSpec& model);
  void add_constraint(const ConstraintSpec& spec, const RollingBallSpec& model);
  bool positive(double value, const char* what, const char* unit, const std::string& of, const Source& where);
  // resolver_coordinate_constraints.cpp
  /// A coordinate whose rate is a speed, which a generalized force can act on.
  struct Axis {
    int q, u;
  };
  void add_constraint(const ConstraintSpec& spec, const ScrewSpec& model);
  void add_constraint(const ConstraintSpec& spec, const GearSpec& model);
  void add_constraint(const ConstraintSpec& spec, const CouplerSpec& model);
  void add_constraint(const ConstraintSpec& spec, const SpeedCouplerSpec& model);
  void add_constraint(const ConstraintSpec& spec, const ConstantCoordinateSpec& model);
  void add_constraint(const ConstraintSpec& spec, const ConstantSpeedSpec& model);
  void add_constraint(const ConstraintSpec& spec, const ConstantAccelerationSpec& model);
  void add_constraint(const ConstraintSpec& spec, const MotionConstraintSpec& model);
  /// The terms of a sum of coordinates or speeds, or nothing where something is wrong with them.
  std::optional<std::vector<CoordinateTerm>> terms_of(const std::vector<CouplerSpec::Term>& terms, const char* kind,
                                                      const std::string& what, const Source& where,
                                                      const std::function<std::optional<Axis>(const std::string&)>& find);
  bool good_signal(const Signal& signal, const std::string& what, const Source& where);
  bool direction(const Vec3<double>& d, const char* what, const std::string& of, const Source& where);
  /// Two different ones, for a constraint that ties them together.
  std::optional<std::pair<Axis, Axis>> axes_of(const std::string& a, const std::string& b, const std::string& what,
                                               const Source& where);

  // resolver_forces.cpp
  void make_forces();
  void make_users_forces();
  ElementStates states_of(const ForceElement& element);
  BodyPlace body_place(int body) const;
  /// Who asks for a field, in words, and what its number may be.
  struct FieldOf {
    const char *keyword, *name;
    const std::string& label;
    double least;
    const Source& where;
  };
  bool place(const std::string& name, FramePlace& out, const FieldOf& field);
  bool place(const std::string& name, CoordinatePlace& out, const FieldOf& field);
  bool place(const std::string& name, SpeedPlace& out, const FieldOf& field);
  bool place(const std::string& name, BodyPlace& out, const FieldOf& field);
  bool place(const std::vector<std::string>& names, std::vector<BodyPlace>& out, const FieldOf& field);
  bool place(double value, double& out, const FieldOf& field);
  bool place(const Vec3<double>& value, Vec3<double>& out, const FieldOf& field);
  bool place(const ForceLaw& law, ForceLaw& out, const FieldOf& field);
  bool place(const std::string& name, InputPlace& out, const FieldOf& field);  // resolver_inputs.cpp, as the next one
  bool place(const Range& range, Range& out, const FieldOf& field);
  /// Signals, choices: right as they are.
  template <class Value>
  bool place(const Value& value, Value& out, const FieldOf&) {
    out = value;
    return true;
  }
  template <template <class> class Force>
  void add_force(const Source& where, const Force<Named>& spec);
  void add_force(const Source& where, MotorSpec motor);
  template <class F>
  bool makes_sense(F& force, const std::string& of, const Source& where);
  bool makes_sense(FrameWrench& force, const std::string& of, const Source& where);
  bool makes_sense(BodyForce& force, const std::string& of, const Source& where);
  bool makes_sense(MutualAttraction& force, const std::string& of, const Source& where);
  void make_lifts();
  void add_force(const Source&, const PotentialFactory&) {}  // made last, when all else is known to be right
  void add_force(const Source&, const ForceFactory&) {}

  // resolver_events.cpp: events stay as they are described; only their names and numbers are checked here.
  void check_events();
  void check_discrete_of_events();
  void check_when(const EventSpec& event, const std::string& what);
  void check_witness(const WitnessSpec& witness, const std::string& what, const Source& where);
  void check_action(const ActionSpec& action, const std::string& what);
  void check_constraint_name(const std::string& name, const std::string& what, const Source& where);
  void check_joint_name(const std::string& name, const std::string& what, const Source& where);
  void check_settable(std::optional<int> u, const std::string& name, const std::string& what, const Source& where);
  void check_discrete_name(const std::string& name, const std::string& what, const Source& where);

  // Look-ups that note a problem when they fail. `what` says who asks.
  std::optional<int> body_of(const std::string& name, const std::string& what, const Source& where);
  std::optional<int> frame_of(const std::string& name, const std::string& what, const Source& where);
  /// Two different frames.
  std::optional<std::pair<int, int>> frames_of(const std::string& a, const std::string& b, const std::string& what,
                                               const Source& where);
  std::optional<int> coordinate_of(const std::string& name, const std::string& what, const Source& where);
  std::optional<Axis> axis_of(const std::string& name, const std::string& what, const Source& where);
  /// The speed that a force on a coordinate acts on. Speeds that are not rates of coordinates go by their own name.
  std::optional<int> speed_of(const std::string& name, const std::string& what, const Source& where);
  /// A speed by its own name. One of a joint that closes a loop is noted as asked for.
  std::optional<int> own_speed(const std::string& name);
  bool number(double value, double least, const char* what, const std::string& of, const Source& where);

  void problem(std::string message, const Source& where) { problems_.push_back({std::move(message), where, {}, {}}); }
  void duplicate(const std::string& what, const Source& where, const Source& first);
  /// The list of valid names is asked for only when it will be shown: making it takes as long as the model is large.
  std::string hint(const std::string& asked, const std::function<std::vector<std::string>()>& valid, const char* kind) const;
  std::vector<std::string> body_names() const;
  /// Stops at once when mistakes are so many that they are one mistake of a generator, not many of a person.
  void give_up_when_hopeless();

  // A name that stands for nothing in the tree, though the user wrote it. What refers to it is not a mistake of its own.
  static constexpr int broken = -1, closes_loop = -2;

  const MechanismBuilder& in_;
  std::shared_ptr<Data> out_ = std::make_shared<Data>();
  std::vector<Problem> problems_;

  const TreeWishes given_;
  TreeWishes found_;
  bool again_ = false;  // found_ asks for another tree

  NameTable declared_bodies_;             // name -> place in in_.bodies() + 1; 0 is Ground
  std::vector<Transform<double>> drawn_;  // by declared body, 0 for Ground
  std::vector<MassProperties> mass_;
  std::vector<int> odd_inertias_;  // declared bodies that break the triangle inequality, if taken by themselves
  NameTable declared_joints_;
  std::vector<GraphEdge> edges_;  // joints with good ends
  std::vector<int> edge_joint_;   // which of in_.joints() each is
  SpanningTree tree_;
  std::vector<int> body_of_declared_;  // tree index
  std::vector<Source> joint_source_;   // by body
  /// A body that is in the tree once more, at the end of a joint that would close a loop otherwise.
  struct Half {
    int of, edge;  // declared body; its number as a declared body comes after all that are declared
    std::string name;
  };
  std::vector<Half> halves_;
  std::unordered_set<std::string> taken_names_;           // by bodies, frames and halves; made with the first half
  std::unordered_map<std::string, int> reserved_;         // joints, by name of their coordinates that are not in the tree
  std::unordered_map<std::string, int> reserved_speeds_;  // and of their speeds
  std::vector<int> body_of_u_;
  std::vector<int> speed_of_q_;  // index of the speed that is the coordinate's rate, or -1
  std::vector<int> body_of_q_;
  struct NamedInput {
    int index;
    Source source;
  };
  std::unordered_map<std::string, NamedInput> inputs_;
  std::vector<int> q_of_speed_;  // index of the coordinate whose rate is the speed, or -1
};

}  // namespace polhode
