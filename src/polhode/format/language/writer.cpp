#include "polhode/format/language/writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "polhode/format/language/element_form.h"
#include "polhode/format/language/event_writer.h"
#include "polhode/format/language/geometry.h"
#include "polhode/format/language/law_writer.h"
#include "polhode/format/language/lexer.h"
#include "polhode/format/language/limits.h"
#include "polhode/format/language/utf8.h"

namespace polhode::format {
namespace {

class Writer {
 public:
  std::string write(const MechanismBuilder& builder);

 private:
  void write(const BodySpec& body);
  void write(const JointSpec& joint);
  void write(const FrameSpec& frame);
  void write(const ShapeSpec& shape);
  void write(const ConstraintSpec& constraint);
  void write(const ForceSpec& force);
  void write(const KinematicSpec& kinematic);
  void write(const MotionSpec& motion);
  void write(const JointMotionSpec& motion);
  std::string turn(const OrientationSignal& orientation);
  void write(const FastSpec& fast);
  void write(const LockSpec& lock);
  void write(const DiscreteSpec& variable);
  void write(const StateSpec& state);
  void write(const InputSpec& input);
  void write(const EventSpec& event);
  void write(const InitialValue& value);
  void write(const InitialVelocity& velocity);

  std::string solid_text(const BoxShape& s) { return "box " + vector(s.size); }
  std::string solid_text(const SphereShape& s) { return "sphere " + number(s.radius); }
  std::string solid_text(const CylinderShape& s) { return fmt::format("cylinder {} {}", number(s.radius), number(s.length)); }
  std::string solid_text(const CapsuleShape& s) { return fmt::format("capsule {} {}", number(s.radius), number(s.length)); }
  std::string solid_text(const MeshShape& s);

  /// From the table of fields, in the user's word for it.
  template <class Element>
  std::string constraint_text(const Element& element) {
    std::string_view word = Element::keyword;
    if constexpr (requires { Element::another_word; })
      if (kind_ == Element::another_word) word = Element::another_word;
    return table_text(word, element);
  }
  std::string constraint_text(const ConstraintFactory&) { return no_text("a constraint"); }
  /// A word and the fields, without parentheses.
  template <class Element>
  std::string table_text(std::string_view word, const Element& element);

  std::string force_text(const CoordinateForceSpec& f) {
    return fmt::format("(generalized-force {} {})", name(f.coordinate), number(f.value));
  }
  std::string force_text(const CoordinateInputSpec& f) {
    return fmt::format("(generalized-force {} {})", name(f.coordinate), signal(f.signal));
  }
  std::string force_text(const FrameWrenchSpec& f);
  std::string force_text(const LawForceSpec& f) {
    return fmt::format("(generalized-force {} {})", name(f.coordinate), law(f.value));
  }
  std::string force_text(const LawWrenchSpec& f);
  std::string force_text(const LawMotorSpec& f);
  std::string force_text(const BodyForceSpec& f);
  /// From the table of fields.
  template <class Element>
  std::string force_text(const Element& element) {
    return fmt::format("({})", table_text(Element::keyword, element));
  }
  std::string force_text(const PotentialFactory&) { return no_text("a potential"); }
  std::string force_text(const ForceFactory&) { return no_text("a force element"); }

  std::string law(const ForceLaw& law);
  std::string law(const Law& law);
  std::string three(const std::array<Law, 3>& laws) {
    return fmt::format("{} {} {}", law(laws[0]), law(laws[1]), law(laws[2]));
  }
  std::string gravity_scope(const GravityScope& scope);
  std::string names(const std::vector<std::string>& list) {
    std::string text;
    for (const std::string& one : list) text += " " + name(one);
    return text;
  }

  std::string signal(const Signal& signal);
  std::string signal_text(const Polynomial& polynomial);
  std::string signal_text(const Signal::Wave& wave);
  std::string signal_text(const Signal::Samples& samples);
  std::string signal_text(const Signal::Sum& sum) { return signal_list("sum", sum.terms); }
  std::string signal_text(const Signal::Product& product) { return signal_list("product", product.factors); }
  std::string signal_text(const Signal::Function&) { return no_text("a signal"); }
  std::string signal_list(const char* keyword, const std::vector<Signal>& parts);

  std::string number(double value);
  /// What has no limit has one that no number is beyond.
  std::string range(const Range& range) {
    constexpr double most = std::numeric_limits<double>::max();
    return fmt::format("{} {}", number(std::max(range.low, -most)), number(std::min(range.high, most)));
  }
  std::string vector(const Vec3<double>& v) { return fmt::format("{} {} {}", number(v.x), number(v.y), number(v.z)); }
  std::string name(const std::string& name);
  std::string text(const std::string& text);
  std::string pose(const Transform<double>& X);
  std::string orientation(const Mat3<double>& R);
  std::string no_text(const char* what) {
    problems_.push_back(
        {fmt::format("{} that was made in code has no text; leave it out, or write the model without it", what), {}});
    return {};
  }

  std::string out_ = "(system";
  std::vector<Problem> problems_;
  std::string subject_;  ///< what is being written, for messages
  std::string kind_;     ///< what the constraint that is being written is called
};

std::string Writer::number(double value) {
  if (!std::isfinite(value)) problems_.push_back({fmt::format("{}: {} is not a finite number", subject_, value), {}});
  return value == 0 ? "0" : fmt::format("{}", value);  // one zero for both signs
}

std::string Writer::text(const std::string& s) {
  const std::string inside = escaped(s);
  bool clean = inside.size() <= max_word_bytes;
  for (std::size_t i = 0; i < inside.size() && clean;) {
    const std::size_t length = utf8_length(inside, i);
    clean = length > 0 && static_cast<unsigned char>(inside[i]) >= 0x20 && inside[i] != 0x7F;
    i += length;
  }
  if (!clean)
    problems_.push_back({fmt::format("{}: its name is too long, or has characters that no model file can hold", subject_), {}});
  return fmt::format("\"{}\"", inside);
}

std::string Writer::name(const std::string& name) {
  if (name.empty()) problems_.push_back({fmt::format("{}: a name is empty", subject_), {}});
  if (name.find_first_of("\n\t") != std::string::npos) {
    problems_.push_back({fmt::format("{}: the name {} has a line break or tab in it", subject_, quoted(name)), {}});
  }
  return name == ground_name ? name : text(name);
}

/// A quaternion where it gives back the very same matrix, else the matrix.
std::string Writer::orientation(const Mat3<double>& R) {
  const Quaternion<double> a = quaternion(R);
  if (rotation(unit_quaternion(a)) == R) {
    return fmt::format("(quat {} {} {} {})", number(a.w), number(a.x), number(a.y), number(a.z));
  }
  std::string text = "(rotation";
  for (int i = 0; i < 9; ++i) text += " " + number(R(i / 3, i % 3));
  return text + ")";
}

std::string Writer::pose(const Transform<double>& X) {
  const std::string turn = X.R == Mat3<double>::identity() ? "" : " " + orientation(X.R);
  return fmt::format("(pose {}{})", vector(X.p), turn);
}

void Writer::write(const BodySpec& body) {
  subject_ = fmt::format("body {}", quoted(body.name));
  out_ += fmt::format("\n  (body {} (mass {})", name(body.name), number(body.mass.mass));
  const auto& I = body.mass.inertia;
  if (I != SymMat3<double>{}) {
    out_ += fmt::format(" (inertia {}", vector({I.xx, I.yy, I.zz}));
    if (I.xy != 0 || I.xz != 0 || I.yz != 0) out_ += " " + vector({I.xy, I.xz, I.yz});
    out_ += body.as_given ? " (as-given))" : ")";
  }
  if (body.mass.com != Vec3<double>{}) out_ += fmt::format(" (com {})", vector(body.mass.com));
  if (body.drawn_pose != Transform<double>{}) out_ += " " + pose(body.drawn_pose);
  out_ += ")";
}

void Writer::write(const JointSpec& joint) {
  subject_ = fmt::format("joint {}", quoted(joint.name));
  const std::string type(type_name(joint.model));
  const auto named = joint_from_type_name(type);
  if (!named || named->index() != joint.model.index()) no_text("a joint type");
  out_ += fmt::format("\n  (joint {} {} {} {}", type, name(joint.name), name(joint.parent), name(joint.child));
  if (const auto* drawn = std::get_if<DrawnPlacement>(&joint.placement)) {
    out_ += fmt::format(" (at {})", vector(drawn->at));
    if (drawn->axis) out_ += fmt::format(" (axis {})", vector(*drawn->axis));
    if (drawn->axis2) out_ += fmt::format(" (axis2 {})", vector(*drawn->axis2));
  } else {
    const auto& local = std::get<LocalPlacement>(joint.placement);
    out_ += fmt::format("\n    (parent-frame {}) (child-frame {})", pose(local.X_PF), pose(local.X_BM));
  }
  if (const auto* screw = std::get_if<Screw>(&joint.model)) out_ += fmt::format(" (lead {})", number(screw->lead));
  if (const auto* ellipsoid = std::get_if<Ellipsoid>(&joint.model)) {
    out_ += fmt::format(" (semi-axes {})", vector(ellipsoid->semi_axes));
  }
  if (joint.reversed) out_ += " (reversed)";
  if (!joint.coordinate_names.empty()) {
    out_ += " (coordinates";
    for (const std::string& coordinate : joint.coordinate_names) out_ += " " + name(coordinate);
    out_ += ")";
  }
  out_ += ")";
}

void Writer::write(const FrameSpec& frame) {
  subject_ = fmt::format("frame {}", quoted(frame.name));
  out_ += fmt::format("\n  (frame {} {} {})", name(frame.name), name(frame.body), pose(frame.X_BF));
}

void Writer::write(const ShapeSpec& shape) {
  subject_ = fmt::format("shape on {}", quoted(shape.frame));
  out_ += fmt::format("\n  (shape {} ({})", name(shape.frame),
                      std::visit([&](const auto& solid) { return solid_text(solid); }, shape.solid));
  if (shape.pose != Transform<double>{}) out_ += " " + pose(shape.pose);
  if (const auto& c = shape.color) {
    out_ += fmt::format(" (color {}{})", vector({c->red, c->green, c->blue}), c->opacity == 1 ? "" : " " + number(c->opacity));
  }
  out_ += ")";
}

std::string Writer::solid_text(const MeshShape& s) {
  if (s.file.empty()) return no_text("a mesh");
  const Vec3<double>& k = s.scale;
  if (k == Vec3<double>{1, 1, 1}) return fmt::format("mesh {}", text(s.file));
  return fmt::format("mesh {} (scale {})", text(s.file), k.x == k.y && k.y == k.z ? number(k.x) : vector(k));
}

void Writer::write(const ConstraintSpec& constraint) {
  subject_ = constraint.name.empty() ? "constraint" : fmt::format("constraint {}", quoted(constraint.name));
  kind_ = constraint.kind;
  out_ += "\n  (" + std::visit([&](const auto& model) { return constraint_text(model); }, constraint.model);
  if (!constraint.name.empty()) out_ += fmt::format(" (name {})", name(constraint.name));
  if (constraint.disabled) out_ += " (disabled)";
  if (constraint.sense != RowSense::equal)
    problems_.push_back({fmt::format("{} holds on one side only (h >= 0), which the language cannot say yet; make it an "
                                     "equation, or leave it out",
                                     subject_),
                         {}});
  out_ += ")";
}

std::string Writer::force_text(const BodyForceSpec& f) {
  const bool pushes = f.force != Vec3<double>{}, turns = f.torque != Vec3<double>{};
  const char* world = f.in_ground ? " (world)" : "";
  if (pushes && turns) {
    return fmt::format("(wrench {} (force {}) (torque {}){})", name(f.body), vector(f.force), vector(f.torque), world);
  }
  return fmt::format("({} {} {}{})", turns ? "torque" : "force", name(f.body), vector(turns ? f.torque : f.force), world);
}

std::string Writer::force_text(const FrameWrenchSpec& f) {
  constexpr const char* components[] = {"", " (hybrid)", " (spatial)"};
  const auto three = [&](const std::array<Signal, 3>& s) {
    return fmt::format("{} {} {}", signal(s[0]), signal(s[1]), signal(s[2]));
  };
  return fmt::format("(frame-wrench {} (force {}) (torque {}){})", name(f.frame), three(f.force), three(f.torque),
                     components[int(f.components)]);
}

std::string Writer::force_text(const LawWrenchSpec& f) {
  if (f.at_frame) {
    constexpr const char* components[] = {"", " (hybrid)", " (spatial)"};
    return fmt::format("(frame-wrench {} (force {}) (torque {}){})", name(f.on), three(f.force), three(f.torque),
                       components[int(f.components)]);
  }
  const char* world = f.components == WrenchComponents::body ? "" : " (world)";
  return fmt::format("(wrench {} (force {}) (torque {}){})", name(f.on), three(f.force), three(f.torque), world);
}

std::string Writer::force_text(const LawMotorSpec& f) {
  const std::string gear = f.gear == 1 ? "" : fmt::format(" (gear {})", number(f.gear));
  const std::string input = f.input.empty() ? "" : fmt::format(" (input {})", name(f.input));
  return fmt::format("(motor {} {}{} (force {} {}){})", name(f.name), name(f.coordinate), gear, law(f.low), law(f.high), input);
}

std::string Writer::law(const Law& law) {
  try {
    return law_text(law, {[&](double x) { return number(x); }, [&](const std::string& s) { return name(s); },
                          [&](const Signal& s) { return signal(s); }});
  } catch (const std::length_error& error) {
    problems_.push_back({fmt::format("{}: its law {}", subject_, error.what()), {}});
    return {};
  }
}

/// With a blank before it.
std::string Writer::law(const ForceLaw& law) {
  std::string text;
  if (const auto* powers = std::get_if<ForceLaw::Powers>(&law.form())) {
    for (const double k : powers->stiffnesses) text += " " + number(k);
    return text;
  }
  const auto& table = std::get<ForceLaw::Table>(law.form());
  for (std::size_t i = 0; i < table.extensions.size() && i < table.forces.size(); ++i)
    text += fmt::format(" ({} {})", number(table.extensions[i]), number(table.forces[i]));
  constexpr const char* joinings[] = {"", " (linear)", " (natural)"};
  return fmt::format(" (table{}{})", text, joinings[int(table.joining)]);
}

/// With a blank before it; nothing when gravity acts on all.
std::string Writer::gravity_scope(const GravityScope& scope) {
  if (scope.bodies.empty() && !scope.only) return {};
  return fmt::format(" ({}{})", scope.only ? "on" : "except", names(scope.bodies));
}

template <class Element>
std::string Writer::table_text(std::string_view word, const Element& element) {
  std::string text(word);
  for_each_field<Element>([&](const auto& field) {
    const auto& value = element.*field.member;
    using Value = std::remove_cvref_t<decltype(value)>;
    if constexpr (std::is_same_v<Value, std::string>) {
      if (field.given != Given::as_option) text += " " + name(value);
      if (field.given == Given::as_option && !value.empty()) text += fmt::format(" ({} {})", hyphened(field.name), name(value));
    } else if constexpr (std::is_same_v<Value, ForceLaw>) {
      text += law(value);
    } else if constexpr (std::is_same_v<Value, Signal>) {
      text += " " + signal(value);
    } else if constexpr (std::is_same_v<Value, std::vector<std::string>>) {
      text += names(value);
    } else if constexpr (std::is_same_v<Value, std::vector<SumTerm<std::string>>>) {
      for (const auto& term : value) text += fmt::format(" ({} {})", name(term.coordinate), number(term.coefficient));
    } else if constexpr (std::is_same_v<Value, Vec3<double>>) {
      text += fmt::format(fmt::runtime(is_inside<Element>(field) ? " ({})" : " {}"), vector(value));
    } else if constexpr (std::is_same_v<Value, Range>) {
      if (value != Range{}) text += fmt::format(" ({} {})", hyphened(field.name), range(value));
    } else {
      const bool left_out = field.given != Given::always && value == Element{}.*field.member;
      if (!left_out)
        text += field.given == Given::as_option
                    ? fmt::format(" ({} {})", hyphened(std::string(option_word(field))), number(value))
                    : " " + number(value);
    }
  });
  return text;
}

void Writer::write(const ForceSpec& force) {
  subject_ = "force";
  out_ += "\n  " + std::visit([&](const auto& model) { return force_text(model); }, force.model);
}

std::string Writer::signal(const Signal& signal) {
  return std::visit([&](const auto& form) { return signal_text(form); }, signal.form());
}

std::string Writer::signal_text(const Polynomial& polynomial) {
  const auto& c = polynomial.coefficients();
  if (c.size() == 1) return fmt::format("(constant {})", number(c[0]));
  std::string text = "(polynomial";
  for (const double coefficient : c) text += " " + number(coefficient);
  return text + ")";
}

std::string Writer::signal_text(const Signal::Wave& wave) {
  const Sinusoid& s = wave.sinusoid;
  return fmt::format("(sine {} {} {} {})", number(s.amplitude()), number(s.frequency()), number(s.phase()),
                     number(wave.offset));
}

std::string Writer::signal_text(const Signal::Samples& samples) {
  std::string text = "(samples";
  for (std::size_t i = 0; i < samples.times.size(); ++i)
    text += fmt::format(" ({} {})", number(samples.times[i]), number(samples.values[i]));
  if (samples.joining == Signal::Joining::linear) text += " (linear)";
  if (samples.joining == Signal::Joining::hold) text += " (hold)";
  if (samples.joining == Signal::Joining::clamped)
    text += fmt::format(" (clamped {} {})", number(samples.first_rate), number(samples.last_rate));
  return text + ")";
}

std::string Writer::signal_list(const char* keyword, const std::vector<Signal>& parts) {
  std::string text = fmt::format("({}", keyword);
  for (const Signal& part : parts) text += " " + signal(part);
  return text + ")";
}

void Writer::write(const KinematicSpec& kinematic) {
  subject_ = fmt::format("kinematic {}", quoted(kinematic.coordinate));
  out_ += fmt::format("\n  (kinematic {} {})", name(kinematic.coordinate), signal(kinematic.signal));
}

void Writer::write(const MotionSpec& motion) {
  subject_ = fmt::format("motion {}", quoted(motion.coordinate));
  out_ += fmt::format("\n  (motion {} {} {})", name(motion.coordinate), polhode::name(motion.level), signal(motion.signal));
}

std::string Writer::turn(const OrientationSignal& orientation) {
  if (const auto* rpy = std::get_if<OrientationSignal::RollPitchYaw>(&orientation.form()))
    return signal_list("rpy", rpy->angles);
  if (const auto* about = std::get_if<OrientationSignal::AboutAxis>(&orientation.form()))
    return fmt::format("(axis-angle {} {})", vector(about->axis), signal(about->angle));
  const auto& samples = std::get<OrientationSignal::Samples>(orientation.form());
  std::string text = "(orientations";
  for (std::size_t i = 0; i < samples.times.size(); ++i) {
    const Quaternion<double>& a = samples.values[i];
    text +=
        fmt::format(" ({} (quat {} {} {} {}))", number(samples.times[i]), number(a.w), number(a.x), number(a.y), number(a.z));
  }
  return text + ")";
}

void Writer::write(const JointMotionSpec& motion) {
  subject_ = fmt::format("motion {}", quoted(motion.joint));
  std::string way = turn(motion.orientation);
  if (!motion.place.empty())
    way = [&] {
      const std::string place = signal_list("pose", motion.place);
      return place.substr(0, place.size() - 1) + " " + turn(motion.orientation) + ")";
    }();
  out_ += fmt::format("\n  (motion {} position {})", name(motion.joint), way);
}

void Writer::write(const FastSpec& fast) {
  subject_ = fmt::format("fast {}", quoted(fast.coordinate));
  out_ += fmt::format("\n  (fast {})", name(fast.coordinate));
}

void Writer::write(const LockSpec& lock) {
  subject_ = fmt::format("lock {}", quoted(lock.joint));
  out_ += fmt::format("\n  (lock {} {})", name(lock.joint), polhode::name(lock.level));
}

void Writer::write(const DiscreteSpec& variable) {
  subject_ = fmt::format("discrete {}", quoted(variable.name));
  out_ += fmt::format("\n  (discrete {} {})", name(variable.name), number(variable.initial));
}

void Writer::write(const StateSpec& state) {
  subject_ = fmt::format("state {}", quoted(state.name));
  out_ += fmt::format("\n  (state {} {} (rate {}))", name(state.name), number(state.initial), law(state.rate));
}

void Writer::write(const InputSpec& input) {
  subject_ = fmt::format("input {}", quoted(input.name));
  const std::string start = input.initial == 0 ? "" : " " + number(input.initial);
  const std::string limits = input.limits == Range{} ? "" : fmt::format(" (limits {})", range(input.limits));
  out_ += fmt::format("\n  (input {}{}{})", name(input.name), start, limits);
}

void Writer::write(const EventSpec& event) {
  subject_ = fmt::format("event {}", quoted(event.name));
  out_ += "\n  " + event_text(event, {[&](double x) { return number(x); }, [&](const std::string& s) { return name(s); },
                                      [&](const std::string& s) { return text(s); }});
}

void Writer::write(const InitialValue& value) {
  subject_ = fmt::format("initial {}", quoted(value.coordinate));
  if (value.value) {
    const std::string speed = value.speed ? " " + number(*value.speed) : "";
    out_ += fmt::format("\n    ({} {}{})", name(value.coordinate), number(*value.value), speed);
  } else if (value.speed) {
    out_ += fmt::format("\n    ({} (speed {}))", name(value.coordinate), number(*value.speed));
  }
}

void Writer::write(const InitialVelocity& velocity) {
  subject_ = fmt::format("velocity of {}", quoted(velocity.body));
  out_ += fmt::format("\n  (velocity {} (angular {}) (linear {}))", name(velocity.body), vector(velocity.V_WB.angular),
                      vector(velocity.V_WB.linear));
}

std::string Writer::write(const MechanismBuilder& builder) {
  subject_ = "system";
  if (!builder.name.empty()) out_ += fmt::format("\n  (name {})", text(builder.name));
  out_ += fmt::format("\n  (gravity {}{})", vector(builder.gravity), gravity_scope(builder.gravity_scope));
  for (const BodySpec& body : builder.bodies()) write(body);
  for (const JointSpec& joint : builder.joints()) write(joint);
  for (const FrameSpec& frame : builder.frames()) write(frame);
  for (const ShapeSpec& shape : builder.shapes()) write(shape);
  for (const ConstraintSpec& constraint : builder.constraints()) write(constraint);
  for (const ForceSpec& force : builder.forces()) write(force);
  for (const KinematicSpec& kinematic : builder.kinematic()) write(kinematic);
  for (const MotionSpec& motion : builder.motions()) write(motion);
  for (const JointMotionSpec& motion : builder.joint_motions()) write(motion);
  for (const FastSpec& fast : builder.fast()) write(fast);
  for (const LockSpec& lock : builder.locks()) write(lock);
  for (const DiscreteSpec& variable : builder.discrete()) write(variable);
  for (const StateSpec& state : builder.states()) write(state);
  for (const InputSpec& input : builder.inputs()) write(input);
  for (const EventSpec& event : builder.events()) write(event);
  if (!builder.initial_values().empty()) {
    out_ += "\n  (initial";
    for (const InitialValue& value : builder.initial_values()) write(value);
    out_ += ")";
  }
  for (const InitialVelocity& velocity : builder.initial_velocities()) write(velocity);
  if (!problems_.empty()) throw ModelError(std::move(problems_));
  return out_ + ")\n";
}

}  // namespace

std::string write_model(const MechanismBuilder& builder) { return Writer().write(builder); }

}  // namespace polhode::format
