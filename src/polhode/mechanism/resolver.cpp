#include "polhode/mechanism/resolver.h"

#include "polhode/mechanism/resolver_constraints.h"
#include "polhode/mechanism/resolver_coordinates.h"
#include "polhode/mechanism/resolver_drives.h"
#include "polhode/mechanism/resolver_events.h"
#include "polhode/mechanism/resolver_forces.h"
#include "polhode/mechanism/resolver_frames.h"
#include "polhode/mechanism/resolver_shapes.h"

namespace polhode {

MechanismResolver::MechanismResolver(const MechanismBuilder& builder, std::vector<Problem> found, TreeWishes wishes)
    : in_(builder), problems_(std::move(found)), given_(std::move(wishes)), found_(given_) {}

std::optional<Mechanism> MechanismResolver::resolve() {
  const auto out = std::make_shared<Data>();
  Problems problems(problems_);
  const ResolverPart part(in_, *out, problems);
  out->name = in_.name;
  out->gravity = in_.gravity;
  if (!is_finite(in_.gravity)) problems.note("gravity must be three finite numbers", {});
  if (in_.bodies().empty()) problems.note("the model has no bodies, so there is nothing to simulate; add one", {});

  JointGraph graph = GraphReader(part).read();
  InertiaJudge(part).judge(graph);
  problems.give_up_when_hopeless();  // thousands of bodies of one name would make ever longer names for the joints they hang by
  const GrownTree grown = grow_tree(in_, graph, given_);
  const std::vector<Source> joint_source = TreeMaker(part, graph, grown).make();

  CoordinateIndex index;
  WishedTree wishes(part, graph, grown, given_, found_);
  Names names(part, index, wishes);
  FrameMaker(part, names, graph).make_frames();
  ShapeMaker(part, names).make_shapes();
  index = CoordinateNamer(part, graph, grown, joint_source).make();
  InitialState start(part, names);
  start.set_values();
  Drives drives(part, names, joint_source);
  drives.make_kinematic();
  drives.make_drives();
  start.place_halves(grown);
  start.set_velocities();
  drives.make_discrete();

  InputMaker inputs(part, names);
  FieldPlacer fields(part, names, inputs);
  ConstraintMaker constraints(part, fields);
  constraints.make_constraints();
  inputs.make_inputs();
  LawPlacer laws(part, names, inputs);
  laws.make_states();
  laws.make_rates();
  ForceMaker forces(part, names, fields, laws);
  forces.make_forces();
  EventChecker events(part, names, graph);
  events.check_events();
  if (problems.none() && wishes.asks_for_another_tree(joint_source)) return std::nullopt;
  if (problems.none()) {
    make_flat(*out, joint_source);
    out->description = std::make_shared<MechanismBuilder>(in_);
    constraints.make_users_constraints(Mechanism(out));
    forces.make_users_forces(Mechanism(out));
    events.check_discrete_of_events();
  }
  problems.throw_if_any();
  return Mechanism(out);
}

void Problems::duplicate(const std::string& what, const Source& where, const Source& first) {
  note({what + " is already defined; give one of the two another name", where, first, "first defined"});
}

std::string Problems::hint(const std::string& asked, const std::function<std::vector<std::string>()>& valid,
                           const char* kind) const {
  // A hint reads every name; a generated model with one mistake in every line must not take hours.
  constexpr size_t enough = 50;
  return all_.size() < enough ? suggestion(asked, valid(), kind) : std::string();
}

void Problems::give_up_when_hopeless() {
  constexpr size_t hopeless = 1000;
  if (all_.size() >= hopeless) throw_if_any();
}

void Problems::throw_if_any() {
  if (!all_.empty()) throw ModelError(std::move(all_));
}

}  // namespace polhode
