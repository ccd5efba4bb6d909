#include "polhode/mechanism/beam.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "polhode/spatial/math.h"
#include "polhode/spatial/rotation.h"

namespace polhode {
namespace {

/// Saint-Venant's torsion constant of a rectangle with sides a >= b, to 4 digits (Young & Budynas 2002, table 10.7).
double torsion_of_rectangle(double a, double b) {
  const double ratio = b / a;
  return a * b * b * b * (1.0 / 3 - 0.21 * ratio * (1 - std::pow(ratio, 4) / 12));
}

Transform<double> along_x(double x) { return {Mat3<double>::identity(), {x, 0, 0}}; }

class BeamMaker {
 public:
  BeamMaker(MechanismBuilder& builder, const BeamSpec& beam) : builder_(builder), beam_(beam) {}
  void make();

 private:
  struct Place {
    std::string body;
    Transform<double> X_BF{}, X_WF{};
  };
  std::string part(const char* what) const { return fmt::format("{}.{}", beam_.name, what); }
  std::string part(int i) const { return fmt::format("{}.{}", beam_.name, i); }
  void problem(std::string what) { builder_.report({fmt::format("beam \"{}\": {}", beam_.name, what), beam_.source}); }

  bool is_sound();
  bool is_positive(double value, const char* what, const char* unit);
  std::optional<Place> find(const std::string& frame);
  double body_length(int i) const { return i == 0 || i == beam_.elements ? 0.5 * piece_ : piece_; }
  double weight(int spring) const;
  void add_body(int i, const Transform<double>& X_WB);
  void add_element(int i);
  void add_spring(const std::string& coordinate, double elasticity, int i);
  void add_joint(const char* what, const JointModel& model, const Place& at, int body, double x);

  MechanismBuilder& builder_;
  const BeamSpec& beam_;
  double piece_ = 0;  ///< l
};

bool BeamMaker::is_positive(double value, const char* what, const char* unit) {
  if (std::isfinite(value) && value > 0) return true;
  problem(fmt::format("its {} {:g} {} must be a positive number", what, value, unit));
  return false;
}

bool BeamMaker::is_sound() {
  const BeamSection& s = beam_.section;
  bool good = is_positive(beam_.length, "length", "m");
  good = is_positive(beam_.young, "Young's modulus", "N/m^2") && good;
  good = is_positive(beam_.density, "density", "kg/m^3") && good;
  good = is_positive(s.area, "area", "m^2") && good;
  good = is_positive(s.moment_z, "moment of area about z", "m^4") && good;
  good = is_positive(s.moment_y, "moment of area about y", "m^4") && good;
  if (!beam_.planar) good = is_positive(s.torsion, "torsion constant", "m^4") && good;
  if (!beam_.planar || beam_.stretches) good = is_positive(beam_.shear_modulus, "shear modulus", "N/m^2") && good;
  if (!std::isfinite(beam_.damping_time) || beam_.damping_time < 0) {
    problem(fmt::format("its damping {:g} s must not be negative", beam_.damping_time));
    good = false;
  }
  constexpr int most = 100000;
  if (beam_.elements < 1 || beam_.elements > most) {
    problem(fmt::format("it has {} elements; give 1 to {}", beam_.elements, most));
    good = false;
  }
  return good;
}

std::optional<BeamMaker::Place> BeamMaker::find(const std::string& frame) {
  if (frame == ground_name) return Place{frame};
  const auto drawn = [&](const std::string& body) {
    for (const BodySpec& spec : builder_.bodies())
      if (spec.name == body) return spec.drawn_pose;
    return Transform<double>{};
  };
  std::vector<std::string> known{ground_name};
  for (const BodySpec& body : builder_.bodies()) {
    if (body.name == frame) return Place{frame, {}, body.drawn_pose};
    known.push_back(body.name);
  }
  for (const FrameSpec& spec : builder_.frames()) {
    if (spec.name == frame) return Place{spec.body, spec.X_BF, drawn(spec.body) * spec.X_BF};
    known.push_back(spec.name);
  }
  problem(fmt::format("frame \"{}\" is not defined{}", frame, suggestion(frame, known, "frames")));
  return std::nullopt;
}

/// The midpoint rule with end corrections: l/24 of the slope at either end, by three points.
double BeamMaker::weight(int spring) const {
  const int n = beam_.elements;
  if (n < 3) return 1;
  constexpr std::array<double, 3> corrections{2.0 / 24, -3.0 / 24, 1.0 / 24};
  double w = 1;
  for (int k = 0; k < 3; ++k) {
    if (spring == k) w += corrections[std::size_t(k)];
    if (spring == n - 1 - k) w += corrections[std::size_t(k)];
  }
  return w;
}

void BeamMaker::add_body(int i, const Transform<double>& X_WB) {
  const double length = body_length(i), mass = beam_.density * beam_.section.area * length;
  const BeamSection& s = beam_.section;
  const double across = mass * length * length / 12, per_area = beam_.density * length;
  BodySpec body{.name = part(i),
                .mass = {mass,
                         {},
                         SymMat3<double>::diagonal({per_area * (s.moment_y + s.moment_z), across + per_area * s.moment_y,
                                                    across + per_area * s.moment_z})},
                .drawn_pose = X_WB,
                .source = beam_.source};
  builder_.add_body(std::move(body));
  ShapeSpec shape{.frame = part(i), .color = beam_.color, .source = beam_.source};
  if (const auto* round = s.shape ? std::get_if<CylinderShape>(&*s.shape) : nullptr) {
    shape.solid = CylinderShape{round->radius, length};
    shape.pose.R = rotation_y(pi / 2);
  } else {
    // A rectangle with width and height of its own, or of the same radii of gyration.
    Vec3<double> size{length, std::sqrt(12 * s.moment_z / s.area), std::sqrt(12 * s.moment_y / s.area)};
    if (const auto* box = s.shape ? std::get_if<BoxShape>(&*s.shape) : nullptr) size = {length, box->size.y, box->size.z};
    shape.solid = BoxShape{size};
  }
  builder_.add_shape(std::move(shape));
}

void BeamMaker::add_spring(const std::string& coordinate, double elasticity, int i) {
  const double stiffness = elasticity / (weight(i - 1) * piece_);
  builder_.add_force({CoordinateSpringSpec{coordinate, stiffness, 0}, beam_.source});
  if (beam_.damping_time > 0)
    builder_.add_force({CoordinateDampingSpec{coordinate, stiffness * beam_.damping_time, 0}, beam_.source});
}

/// The joint between bodies i - 1 and i, and its springs.
void BeamMaker::add_element(int i) {
  const BeamSection& s = beam_.section;
  const double E = beam_.young, G = beam_.shear_modulus;
  JointSpec joint{.name = part(i),
                  .parent = part(i - 1),
                  .child = part(i),
                  .placement = LocalPlacement{along_x(0.5 * body_length(i - 1)), along_x(-0.5 * body_length(i))},
                  .source = beam_.source};
  const auto along = [&](const char* suffix) { return fmt::format("{}.{}", joint.name, suffix); };
  if (beam_.planar && !beam_.stretches) {
    joint.model = Revolute{};
    add_spring(joint.name, E * s.moment_z, i);
  } else if (beam_.planar) {
    joint.model = Planar{};
    add_spring(along("angle"), E * s.moment_z, i);
    add_spring(along("x"), E * s.area, i);
    add_spring(along("y"), s.shear_y * G * s.area, i);
  } else if (!beam_.stretches) {
    joint.model = Gimbal{};
    add_spring(along("x"), G * s.torsion, i);
    add_spring(along("y"), E * s.moment_y, i);
    add_spring(along("z"), E * s.moment_z, i);
  } else {
    joint.model = Bushing{};
    add_spring(along("angle_x"), G * s.torsion, i);
    add_spring(along("angle_y"), E * s.moment_y, i);
    add_spring(along("angle_z"), E * s.moment_z, i);
    add_spring(along("x"), E * s.area, i);
    add_spring(along("y"), s.shear_y * G * s.area, i);
    add_spring(along("z"), s.shear_z * G * s.area, i);
  }
  builder_.add_joint(std::move(joint));
}

void BeamMaker::add_joint(const char* what, const JointModel& model, const Place& at, int body, double x) {
  builder_.add_joint({.name = part(what),
                      .model = model,
                      .parent = at.body,
                      .child = part(body),
                      .placement = LocalPlacement{at.X_BF, along_x(x)},
                      .source = beam_.source});
}

void BeamMaker::make() {
  const int n = beam_.elements;
  const auto a = find(beam_.frame_a);
  const auto b = beam_.frame_b.empty() ? std::optional<Place>(Place{}) : find(beam_.frame_b);
  if (!is_sound() || !a || !b) return;
  piece_ = beam_.length / n;
  double start = 0;
  for (int i = 0; i <= n; ++i) {
    add_body(i, a->X_WF * along_x(start + 0.5 * body_length(i)));
    start += body_length(i);
  }
  add_joint("root", beam_.root, *a, 0, -0.5 * body_length(0));
  for (int i = 1; i <= n; ++i) add_element(i);
  builder_.add_frame({part("tip"), part(n), along_x(0.5 * body_length(n)), beam_.source});
  if (!b->body.empty()) add_joint("end", beam_.end, *b, n, 0.5 * body_length(n));
}

}  // namespace

BeamSection BeamSection::rectangle(double width, double height) {
  const double area = width * height;
  return {.area = area,
          .moment_y = area * height * height / 12,
          .moment_z = area * width * width / 12,
          .torsion = torsion_of_rectangle(std::max(width, height), std::min(width, height)),
          .shape = BoxShape{{1, width, height}}};
}

BeamSection BeamSection::circle(double radius) {
  const double area = pi * radius * radius, moment = area * radius * radius / 4;
  return {.area = area,
          .moment_y = moment,
          .moment_z = moment,
          .torsion = 2 * moment,
          .shear_y = 0.9,
          .shear_z = 0.9,
          .shape = CylinderShape{radius, 1}};
}

void add_beam(MechanismBuilder& builder, const BeamSpec& beam) { BeamMaker(builder, beam).make(); }

}  // namespace polhode
