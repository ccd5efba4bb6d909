#include <array>
#include <cmath>
#include <random>

#include "tests/format/language/reading.h"

namespace polhode::format {
namespace {

/// Builders with every kind of element, with numbers of all sizes and names with awkward letters.
class RandomModel {
 public:
  explicit RandomModel(unsigned seed) : random_(seed) {}

  MechanismBuilder make() {
    MechanismBuilder builder;
    builder.name = name("system\n\t");
    builder.gravity = vector();
    const int n = 1 + pick(6);
    for (int i = 0; i < n; ++i) builder.add_body(body());
    for (int i = 0; i < n; ++i) builder.add_joint(joint());
    for (int i = 0; i < 3; ++i) builder.add_frame({name("frame"), name("body"), pose(), {}});
    for (int i = 0; i < 4; ++i) builder.add_shape(shape(i));
    for (int i = 0; i < 21; ++i) builder.add_constraint(constraint(i));
    for (int i = 0; i < 38; ++i) builder.add_force(force(i));
    if (pick(2)) builder.gravity_scope = {{name("body"), name("body")}, pick(2) == 1, {}};
    for (int i = 0; i < 3; ++i) builder.add_kinematic({name("q"), signal(), {}});
    for (const Drive level : {Drive::position, Drive::velocity, Drive::acceleration}) {
      builder.add_motion({name("q"), level, signal(), {}});
      builder.lock({name("joint"), level, {}});
    }
    for (int i = 0; i < 2; ++i) builder.add_fast({name("q"), {}}).add_discrete({name("d"), number(), {}});
    for (int i = 0; i < 2; ++i) builder.add_input({name("input"), number(), pick(2) ? Range{number(), number()} : Range{}, {}});
    for (int i = 0; i < 2; ++i) builder.add_state({name("state"), number(), by_law(), {}});
    for (int i = 0; i < 4; ++i) builder.set_initial(initial(i));
    for (int i = 0; i < 2; ++i) builder.set_velocity({name("body"), {vector(), vector()}, {}});
    return builder;
  }

 private:
  int pick(int n) { return std::uniform_int_distribution<>(0, n - 1)(random_); }
  double number() {
    switch (pick(5)) {
      case 0: return 0;
      case 1: return pick(20) - 10;
      case 2: return std::uniform_real_distribution<>(-1, 1)(random_);
      case 3: return std::ldexp(std::uniform_real_distribution<>(-1, 1)(random_), pick(1900) - 1000);
      default: return 0.1 * pick(100);
    }
  }
  Vec3<double> vector() { return {number(), number(), number()}; }
  std::string name(const std::string& kind) {
    static const char* const odd[] = {"", " left", " \"2\"", "\\", ";", "(", "\xC3\xA9", "\xE2\x80\x9D", "'", "#1"};
    return kind + odd[pick(10)] + std::to_string(pick(1000));
  }
  Transform<double> pose() {
    const auto angle = [&] { return std::uniform_real_distribution<>(-3, 3)(random_); };
    Transform<double> X{Mat3<double>::identity(), vector()};
    if (pick(3) > 0) X.R = rotation_x(angle()) * rotation_y(angle()) * rotation_z(angle());
    if (pick(4) == 0) X.R = rotation(normalized(Quaternion<double>{angle(), angle(), angle(), angle()}));
    return X;
  }
  BodySpec body() {
    MassProperties mass{number(), vector(), {}};
    if (pick(2)) mass.inertia = {number(), number(), number(), 0, 0, 0};
    if (pick(3) == 0) mass.inertia.xz = number();
    return {name("body"), mass, pose(), {}};
  }
  JointSpec joint() {
    JointSpec joint;
    joint.name = name("joint");
    const auto types = joint_type_names();
    joint.model = *joint_from_type_name(types[std::size_t(pick(int(types.size())))]);
    if (auto* screw = std::get_if<Screw>(&joint.model)) screw->lead = number();
    if (auto* ellipsoid = std::get_if<Ellipsoid>(&joint.model)) ellipsoid->semi_axes = {1.5, 0.1 + pick(5), 1e-3};
    joint.parent = pick(3) ? name("body") : ground_name;
    joint.child = name("body");
    if (pick(2)) {
      joint.placement = LocalPlacement{pose(), pose()};
    } else {
      DrawnPlacement drawn{vector(), {}, {}};
      if (pick(2)) drawn.axis = vector();
      if (pick(2)) drawn.axis2 = vector();
      joint.placement = drawn;
    }
    joint.reversed = pick(2);
    for (int k = pick(3); k > 0; --k) joint.coordinate_names.push_back(name("q"));
    return joint;
  }
  ShapeSpec shape(int i) {
    ShapeSpec shape{.frame = pick(4) ? name("frame") : ground_name, .solid = BoxShape{vector()}};
    if (i == 1) shape.solid = SphereShape{number()};
    if (i == 2) shape.solid = CylinderShape{number(), number()};
    if (i == 3) shape.solid = CapsuleShape{number(), number()};
    if (pick(2)) shape.pose = pose();
    if (pick(2)) shape.color = Color{number(), number(), number(), pick(2) ? 1 : number()};
    return shape;
  }
  ConstraintSpec constraint(int i) {
    const std::string label = pick(2) ? name("constraint") : "";
    const auto frame = [&] { return name("frame"); };
    const auto q = [&] { return name("q"); };
    const bool off = pick(4) == 0;
    const auto terms = [&] { return std::vector<CouplerSpec::Term>{{q(), number()}, {q(), number()}}; };
    switch (i % 21) {
      case 20: return {label, FunctionCouplerSpec{q(), q(), curve()}, {}, off};
      case 0: return {label, PointConstraintSpec{frame(), ground_name, vector()}, {}, off};
      case 1: return {label, WireSpec{frame(), frame(), number()}, {}, off};
      case 2: return {label, ScrewSpec{q(), q(), number()}, {}, off};
      case 3: return {label, CoincidentPointsSpec{frame(), frame()}, {}, off};
      case 4: return {label, GearSpec{q(), q(), number()}, {}, off};
      case 5: return {label, PointInPlaneSpec{frame(), frame(), vector()}, {}, off};
      case 6: return {label, CouplerSpec{terms(), number()}, {}, off};
      case 7: return {label, CoincidentFramesSpec{frame(), frame()}, {}, off};
      case 8: return {label, PointOnLineSpec{frame(), frame(), vector()}, {}, off};
      case 9: return {label, ConstantAngleSpec{frame(), frame(), vector(), vector(), number()}, {}, off};
      case 10: return {label, ConstantOrientationSpec{frame(), frame()}, {}, off};
      case 11: return {label, NoSlipSpec{frame(), frame(), frame(), vector()}, {}, off};
      case 12: return {label, RollingDiskSpec{frame(), frame(), number()}, {}, off};
      case 13: return {label, RollingBallSpec{frame(), frame(), number()}, {}, off};
      case 14: return {label, SpeedCouplerSpec{terms(), number()}, {}, off};
      case 15: return {label, ConstantCoordinateSpec{q(), number()}, {}, off};
      case 16: return {label, ConstantSpeedSpec{q(), number()}, {}, off};
      case 17: return {label, ConstantAccelerationSpec{q(), number()}, {}, off};
      case 18: return {label, PointOnCylinderSpec{frame(), frame(), number()}, {}, off};
      default: return {label, MotionConstraintSpec{q(), signal()}, {}, off};
    }
  }
  ForceSpec force(int i) {
    switch (i % 19) {
      case 12: return {LawForceSpec{name("q"), by_law()}, {}};
      case 13:
        return {LawWrenchSpec{.on = name("body"),
                              .at_frame = pick(2) == 1,
                              .components = WrenchComponents(pick(2)),
                              .force = {by_law(), Law::constant(number()), by_law()},
                              .torque = {by_law(), by_law(), wave()}},
                {}};
      case 14: return {LawMotorSpec{name("motor"), name("q"), number(), by_law(), by_law(), pick(2) ? name("input") : ""}, {}};
      case 15: return {ElasticRopeSpec{name("frame"), name("frame"), number(), number(), number(), number()}, {}};
      case 16: return {ElasticBufferSpec{name("frame"), name("frame"), number(), number(), number(), number()}, {}};
      case 17: return {LimitSpringSpec{name("q"), number(), number(), number(), number(), number()}, {}};
      case 18: return {BushingForceSpec{name("frame"), name("frame"), matrix(), matrix()}, {}};
      case 11:
        return {MotorSpec{.name = name("motor"),
                          .coordinate = name("q"),
                          .gear = pick(2) ? number() : 1,
                          .range = pick(2) ? Range{-number(), number()} : Range{},
                          .input = pick(2) ? name("input") : ""},
                {}};
      case 10: return {MagnetSpec{name("frame"), name("frame"), number(), number()}, {}};
      case 5: return {CoordinateInputSpec{name("q"), signal()}, {}};
      case 6: return {NonlinearCoordinateSpringSpec{name("q"), number(), law()}, {}};
      case 7: return {NonlinearSpringSpec{name("frame"), name("frame"), number(), law(), number()}, {}};
      case 8:
        return {FrameWrenchSpec{
                    name("frame"), WrenchComponents(pick(3)), {signal(), signal(), signal()}, {signal(), signal(), signal()}},
                {}};
      case 9:
        return {AttractionSpec{number(), pick(2) ? std::vector{name("body"), name("body")} : std::vector<std::string>{}}, {}};
      case 0: return {CoordinateForceSpec{name("q"), number()}, {}};
      case 1: return {CoordinateDampingSpec{name("q"), number(), pick(2) ? number() : 0}, {}};
      case 2: return {CoordinateSpringSpec{name("q"), number(), number()}, {}};
      case 3: return {PointSpringSpec{name("frame"), name("frame"), number(), number(), number()}, {}};
      default:
        return {
            BodyForceSpec{name("body"), pick(2) ? vector() : Vec3<double>{}, pick(2) ? vector() : Vec3<double>{}, pick(2) == 1},
            {}};
    }
  }
  Symmetric6 matrix() {
    Symmetric6 A;
    for (int i = 0; i < Symmetric6::rows; ++i)
      for (double& x : A.upper)
        if (i == 0 || pick(2)) x = number();
    return pick(2) ? A : Symmetric6::diagonal({number(), number(), number(), number(), number(), number()});
  }
  Curve curve() {
    switch (pick(4)) {
      case 0: return Curve::polynomial({number(), number(), number()});
      case 1: return Curve::sine(number(), number(), number(), number());
      case 2: return Curve::sum({curve(), Curve::polynomial({number()})});
      default: {
        const double first = number();
        return Curve::table({-1, 0.1 * pick(9), 1}, {first, number(), pick(2) ? first : 0}, Curve::Ends(pick(2)));
      }
    }
  }
  ForceLaw law() {
    if (pick(2)) return ForceLaw::polynomial({number(), number()});
    return ForceLaw::table({-1, 0.1 * pick(9), 1}, {number(), 0, 1}, ForceLaw::Joining(pick(3)));
  }
  /// Not any signal: of numbers as large as these, a constant one may have no finite value, and no text says that.
  Law wave() { return Law::signal(Signal::sine(number(), number(), number(), number())); }
  Law by_law() {
    const Law x = Law::of(Law::Kind(pick(6)), name("q")), a = Law::constant(number());
    switch (pick(6)) {
      case 0: return a * x + Law::time();
      case 1: return Law::lookup(x, {0, 1, 2}, {1, number(), 0}, TableCurve::Joining(pick(2)));
      case 2: return Law::clamp(x, -a, by_law());
      case 3: return Law::apply(Law::Code::if_less, {x, a, -x, by_law()}) - x - a;
      case 4: return Law::apply(Law::Code::arctangent2, {Law::apply(Law::Code::exponential, {x}), by_law()});
      default: return x / (Law::constant(1 + pick(9)) * wave() - x);
    }
  }
  Signal signal() {
    switch (pick(6)) {
      case 0: return Signal::constant(number());
      case 1: return Signal::polynomial({number(), number(), number()});
      case 2: return Signal::sine(number(), number(), number(), number());
      case 3: return Signal::sum({signal(), signal()});
      case 4: return Signal::product({signal(), Signal::constant(number())});
      default: {
        std::vector<double> times, values;
        for (int i = 0, n = 1 + pick(4); i < n; ++i) times.push_back(i + 0.1 * pick(9)), values.push_back(pick(9) - 0.3);
        const auto joining = std::array{Signal::Joining::natural, Signal::Joining::clamped, Signal::Joining::linear,
                                        Signal::Joining::hold}[pick(4)];
        return Signal::samples(times, values, joining, number(), number());
      }
    }
  }
  InitialValue initial(int i) {
    InitialValue value{name("q"), std::nullopt, std::nullopt, {}};
    if (i % 3 != 0) value.value = number();
    if (i % 3 != 1) value.speed = number();
    return value;
  }

  std::mt19937 random_;
};

// Field by field, with nothing of the writer in it.

bool same(const BodySpec& a, const BodySpec& b) { return a.name == b.name && a.mass == b.mass && a.drawn_pose == b.drawn_pose; }
bool same(const JointSpec& a, const JointSpec& b) {
  bool placed_alike = a.placement.index() == b.placement.index();
  if (placed_alike && a.placement.index() == 0) {
    const auto &p = std::get<0>(a.placement), &r = std::get<0>(b.placement);
    placed_alike = p.at == r.at && p.axis == r.axis && p.axis2 == r.axis2;
  } else if (placed_alike) {
    const auto &p = std::get<1>(a.placement), &r = std::get<1>(b.placement);
    placed_alike = p.X_PF == r.X_PF && p.X_BM == r.X_BM;
  }
  return placed_alike && a.name == b.name && a.model == b.model && a.parent == b.parent && a.child == b.child &&
         a.reversed == b.reversed && a.coordinate_names == b.coordinate_names;
}
bool same(const FrameSpec& a, const FrameSpec& b) { return a.name == b.name && a.body == b.body && a.X_BF == b.X_BF; }

bool same(const ShapeSpec& a, const ShapeSpec& b) {
  return a.frame == b.frame && a.solid == b.solid && a.pose == b.pose && a.color == b.color;
}

bool same(const PointConstraintSpec& a, const PointConstraintSpec& b) {
  return a.frame_a == b.frame_a && a.frame_b == b.frame_b && a.direction == b.direction;
}
bool same(const WireSpec& a, const WireSpec& b) {
  return a.frame_a == b.frame_a && a.frame_b == b.frame_b && a.length == b.length;
}
bool same(const ScrewSpec& a, const ScrewSpec& b) {
  return a.rotation == b.rotation && a.translation == b.translation && a.lead == b.lead;
}
bool same(const CoincidentPointsSpec& a, const CoincidentPointsSpec& b) {
  return a.frame_a == b.frame_a && a.frame_b == b.frame_b;
}
bool same(const PointInPlaneSpec& a, const PointInPlaneSpec& b) {
  return a.frame_a == b.frame_a && a.frame_b == b.frame_b && a.normal == b.normal;
}
bool same(const GearSpec& a, const GearSpec& b) { return a.a == b.a && a.b == b.b && a.ratio == b.ratio; }
bool same(const std::vector<CouplerSpec::Term>& a, const std::vector<CouplerSpec::Term>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const auto& x, const auto& y) {
    return x.coordinate == y.coordinate && x.coefficient == y.coefficient;
  });
}
bool same(const CouplerSpec& a, const CouplerSpec& b) { return a.constant == b.constant && same(a.terms, b.terms); }
bool same(const SpeedCouplerSpec& a, const SpeedCouplerSpec& b) { return a.constant == b.constant && same(a.terms, b.terms); }
bool same(const CoincidentFramesSpec& a, const CoincidentFramesSpec& b) {
  return a.frame_a == b.frame_a && a.frame_b == b.frame_b;
}
bool same(const ConstantOrientationSpec& a, const ConstantOrientationSpec& b) {
  return a.frame_a == b.frame_a && a.frame_b == b.frame_b;
}
bool same(const PointOnLineSpec& a, const PointOnLineSpec& b) {
  return a.frame_a == b.frame_a && a.frame_b == b.frame_b && a.direction == b.direction;
}
bool same(const ConstantAngleSpec& a, const ConstantAngleSpec& b) {
  return a.frame_a == b.frame_a && a.frame_b == b.frame_b && a.axis_a == b.axis_a && a.axis_b == b.axis_b && a.angle == b.angle;
}
bool same(const NoSlipSpec& a, const NoSlipSpec& b) {
  return a.frame_case == b.frame_case && a.frame_a == b.frame_a && a.frame_b == b.frame_b && a.direction == b.direction;
}
bool same(const RollingDiskSpec& a, const RollingDiskSpec& b) {
  return a.frame_a == b.frame_a && a.frame_b == b.frame_b && a.radius == b.radius;
}
bool same(const RollingBallSpec& a, const RollingBallSpec& b) {
  return a.frame_a == b.frame_a && a.frame_b == b.frame_b && a.radius == b.radius;
}
bool same(const ConstantCoordinateSpec& a, const ConstantCoordinateSpec& b) {
  return a.coordinate == b.coordinate && a.value == b.value;
}
bool same(const ConstantSpeedSpec& a, const ConstantSpeedSpec& b) { return a.speed == b.speed && a.value == b.value; }
bool same(const ConstantAccelerationSpec& a, const ConstantAccelerationSpec& b) {
  return a.speed == b.speed && a.value == b.value;
}
bool same(const Signal& a, const Signal& b);
bool same(const MotionConstraintSpec& a, const MotionConstraintSpec& b) {
  return a.coordinate == b.coordinate && same(a.signal, b.signal);
}
bool same(const ConstraintFactory&, const ConstraintFactory&) { return false; }
bool same(const Signal& a, const Signal& b);
bool same(const std::vector<Signal>& a, const std::vector<Signal>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const Signal& x, const Signal& y) { return same(x, y); });
}
bool same(const Polynomial& a, const Polynomial& b) { return a.coefficients() == b.coefficients(); }
bool same(const Signal::Wave& a, const Signal::Wave& b) {
  return a.sinusoid.amplitude() == b.sinusoid.amplitude() && a.sinusoid.frequency() == b.sinusoid.frequency() &&
         a.sinusoid.phase() == b.sinusoid.phase() && a.offset == b.offset;
}
bool same(const Signal::Samples& a, const Signal::Samples& b) {
  return a.times == b.times && a.values == b.values && a.joining == b.joining && a.first_rate == b.first_rate &&
         a.last_rate == b.last_rate;
}
bool same(const Signal::Sum& a, const Signal::Sum& b) { return same(a.terms, b.terms); }
bool same(const Signal::Product& a, const Signal::Product& b) { return same(a.factors, b.factors); }
bool same(const Signal::Function&, const Signal::Function&) { return false; }
bool same(const Signal& a, const Signal& b) {
  if (a.form().index() != b.form().index()) return false;
  return std::visit([&](const auto& form) { return same(form, std::get<std::decay_t<decltype(form)>>(b.form())); }, a.form());
}
bool same(const ForceLaw& a, const ForceLaw& b) {
  if (a.form().index() != b.form().index()) return false;
  if (const auto* powers = std::get_if<ForceLaw::Powers>(&a.form()))
    return powers->stiffnesses == std::get<ForceLaw::Powers>(b.form()).stiffnesses;
  const auto &x = std::get<ForceLaw::Table>(a.form()), &y = std::get<ForceLaw::Table>(b.form());
  return x.extensions == y.extensions && x.forces == y.forces;
}
bool same(const Curve& a, const Curve& b);
bool same(const Curve::Wave& a, const Curve::Wave& b) {
  return a.sinusoid.amplitude() == b.sinusoid.amplitude() && a.sinusoid.frequency() == b.sinusoid.frequency() &&
         a.sinusoid.phase() == b.sinusoid.phase() && a.offset == b.offset;
}
bool same(const Curve::Table& a, const Curve::Table& b) { return a.x == b.x && a.y == b.y && a.ends == b.ends; }
bool same(const Curve::Sum& a, const Curve::Sum& b) {
  return std::equal(a.terms.begin(), a.terms.end(), b.terms.begin(), b.terms.end(),
                    [](const Curve& x, const Curve& y) { return same(x, y); });
}
bool same(const Curve::Function&, const Curve::Function&) { return false; }
bool same(const Curve& a, const Curve& b) {
  if (a.form().index() != b.form().index()) return false;
  return std::visit([&](const auto& form) { return same(form, std::get<std::decay_t<decltype(form)>>(b.form())); }, a.form());
}
bool same(const std::array<Signal, 3>& a, const std::array<Signal, 3>& b) {
  return same(a[0], b[0]) && same(a[1], b[1]) && same(a[2], b[2]);
}
bool same(const Law& a, const Law& b) {
  const auto alike = [](const auto& x, const auto& y, const auto& equal) {
    return std::equal(x.begin(), x.end(), y.begin(), y.end(), equal);
  };
  return a.operations() == b.operations() && same(a.signals(), b.signals()) &&
         alike(a.reads(), b.reads(), [](const auto& x, const auto& y) { return x.kind == y.kind && x.name == y.name; }) &&
         alike(a.tables(), b.tables(),
               [](const auto& x, const auto& y) { return x.x == y.x && x.y == y.y && x.joining == y.joining; });
}
bool same(const std::array<Law, 3>& a, const std::array<Law, 3>& b) {
  return same(a[0], b[0]) && same(a[1], b[1]) && same(a[2], b[2]);
}
bool same(const LawForceSpec& a, const LawForceSpec& b) { return a.coordinate == b.coordinate && same(a.value, b.value); }
bool same(const LawWrenchSpec& a, const LawWrenchSpec& b) {
  return a.on == b.on && a.at_frame == b.at_frame && a.components == b.components && same(a.force, b.force) &&
         same(a.torque, b.torque);
}
bool same(const LawMotorSpec& a, const LawMotorSpec& b) {
  return a.name == b.name && a.coordinate == b.coordinate && a.gear == b.gear && same(a.low, b.low) && same(a.high, b.high) &&
         a.input == b.input;
}
bool same(const StateSpec& a, const StateSpec& b) { return a.name == b.name && a.initial == b.initial && same(a.rate, b.rate); }
/// Every field of an element that has a table of them.
template <class Element>
requires requires { Element::fields(); }
bool same(const Element& a, const Element& b) {
  bool alike = true;
  for_each_field<Element>([&](const auto& field) {
    const auto &x = a.*field.member, &y = b.*field.member;
    if constexpr (requires { same(x, y); }) {
      alike = alike && same(x, y);
    } else {
      alike = alike && x == y;
    }
  });
  return alike;
}
bool same(const KinematicSpec& a, const KinematicSpec& b) { return a.coordinate == b.coordinate && same(a.signal, b.signal); }
bool same(const MotionSpec& a, const MotionSpec& b) {
  return a.coordinate == b.coordinate && a.level == b.level && same(a.signal, b.signal);
}
bool same(const FastSpec& a, const FastSpec& b) { return a.coordinate == b.coordinate; }
bool same(const LockSpec& a, const LockSpec& b) { return a.joint == b.joint && a.level == b.level; }
bool same(const DiscreteSpec& a, const DiscreteSpec& b) { return a.name == b.name && a.initial == b.initial; }
bool same(const InputSpec& a, const InputSpec& b) { return a.name == b.name && a.initial == b.initial && a.limits == b.limits; }
bool same(const PotentialFactory&, const PotentialFactory&) { return false; }
bool same(const ForceFactory&, const ForceFactory&) { return false; }
template <class... Models>
bool same_model(const std::variant<Models...>& a, const std::variant<Models...>& b) {
  return a.index() == b.index() &&
         std::visit([&](const auto& x) { return same(x, std::get<std::decay_t<decltype(x)>>(b)); }, a);
}
bool same(const ConstraintSpec& a, const ConstraintSpec& b) {
  return a.name == b.name && a.disabled == b.disabled && same_model(a.model, b.model);
}
bool same(const ForceSpec& a, const ForceSpec& b) { return same_model(a.model, b.model); }
bool same(const InitialValue& a, const InitialValue& b) {
  return a.coordinate == b.coordinate && a.value == b.value && a.speed == b.speed;
}
bool same(const InitialVelocity& a, const InitialVelocity& b) {
  return a.body == b.body && a.V_WB.angular == b.V_WB.angular && a.V_WB.linear == b.V_WB.linear;
}
template <class Spec>
bool same(const std::vector<Spec>& a, const std::vector<Spec>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const Spec& x, const Spec& y) { return same(x, y); });
}

TEST(RoundTrip, RandomModelsComeBackEqualToTheLastBit) {
  for (unsigned seed = 0; seed < 300; ++seed) {
    SCOPED_TRACE(seed);
    const MechanismBuilder before = RandomModel(seed).make();
    const std::string text = write_model(before);
    const MechanismBuilder after = sound(text);
    EXPECT_EQ(after.name, before.name);
    EXPECT_EQ(after.gravity, before.gravity);
    EXPECT_EQ(after.gravity_scope.bodies, before.gravity_scope.bodies);
    EXPECT_EQ(after.gravity_scope.only, before.gravity_scope.only);
    EXPECT_TRUE(same(after.bodies(), before.bodies()));
    EXPECT_TRUE(same(after.joints(), before.joints()));
    EXPECT_TRUE(same(after.frames(), before.frames()));
    EXPECT_TRUE(same(after.shapes(), before.shapes()));
    EXPECT_TRUE(same(after.constraints(), before.constraints()));
    EXPECT_TRUE(same(after.forces(), before.forces()));
    EXPECT_TRUE(same(after.kinematic(), before.kinematic()));
    EXPECT_TRUE(same(after.motions(), before.motions()));
    EXPECT_TRUE(same(after.fast(), before.fast()));
    EXPECT_TRUE(same(after.locks(), before.locks()));
    EXPECT_TRUE(same(after.discrete(), before.discrete()));
    EXPECT_TRUE(same(after.inputs(), before.inputs()));
    EXPECT_TRUE(same(after.states(), before.states()));
    EXPECT_TRUE(same(after.initial_values(), before.initial_values()));
    EXPECT_TRUE(same(after.initial_velocities(), before.initial_velocities()));
    EXPECT_EQ(write_model(after), text);
    if (HasFailure()) break;
  }
}

/// What write_model says when it refuses.
std::string refusal(const MechanismBuilder& builder) {
  try {
    write_model(builder);
  } catch (const ModelError& error) {
    return error.what();
  }
  return {};
}

TEST(Writer, RefusesWhatHasNoText) {
  MechanismBuilder code;
  code.add_potential([](const Mechanism&) { return std::shared_ptr<const Potential>(); });
  EXPECT_TRUE(contains(refusal(code), "a potential that was made in code"));
  MechanismBuilder mesh;
  mesh.add_shape({.frame = "a", .solid = MeshShape{}});
  EXPECT_TRUE(contains(refusal(mesh), "a mesh that was made in code"));
  MechanismBuilder infinite;
  infinite.add_body({"a", MassProperties::particle(INFINITY), {}, {}});
  EXPECT_TRUE(contains(refusal(infinite), "body \"a\": inf is not a finite number"));
  MechanismBuilder unprintable;
  unprintable.add_body({"a\x01", {}, {}, {}});
  EXPECT_TRUE(contains(refusal(unprintable), "no model file can hold"));
  MechanismBuilder broken;
  broken.add_body({"a\xFF", {}, {}, {}});
  EXPECT_TRUE(contains(refusal(broken), "no model file can hold"));
}

}  // namespace
}  // namespace polhode::format
