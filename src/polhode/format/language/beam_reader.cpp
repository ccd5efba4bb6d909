#include "polhode/format/language/beam_reader.h"

#include <fmt/format.h>

#include "polhode/format/language/utf8.h"

namespace polhode::format {
namespace {

/// A joint type that needs no more than its name.
void take_joint(Arguments& arguments, JointModel& into) {
  const auto type = arguments.name("type");
  if (!type) return;
  const auto model = joint_from_type_name(*type);
  if (!model) {
    const std::vector<std::string> types(joint_type_names().begin(), joint_type_names().end());
    arguments.problem(fmt::format("there is no joint type {}{}", quoted(*type),
                                  suggestion(lower_case(utf8_prefix(*type, 60)), types, "types")));
  } else if (std::holds_alternative<Screw>(*model) || std::holds_alternative<Ellipsoid>(*model)) {
    arguments.problem(
        fmt::format("a joint of type {} needs more than its type; weld the beam to a body and write (joint {} ...) "
                    "for that one",
                    quoted(*type), *type));
  } else {
    into = *model;
  }
}

struct Read {
  std::optional<double> length, elements, young, density, shear_modulus, poisson;
  int sections = 0;
};

void take_section(Arguments& a, BeamSection& section, Read& read, int numbers,
                  BeamSection (*make)(const std::vector<double>&)) {
  std::vector<double> given;
  for (int i = 0; i < numbers; ++i)
    if (const auto x = a.number("size")) given.push_back(*x);
  if (++read.sections > 1) a.problem("the beam has another section already; keep one");
  if (int(given.size()) == numbers) section = make(given);
}

std::vector<Option> options_of(BeamSpec& beam, Read& read) {
  const auto number = [](std::optional<double>& into, const char* what, std::string_view unit = {}) {
    return [&into, what, unit](Arguments& a) { into = a.number(what, unit); };
  };
  const auto section = [&](int numbers, BeamSection (*make)(const std::vector<double>&)) {
    return [&beam, &read, numbers, make](Arguments& a) { take_section(a, beam.section, read, numbers, make); };
  };
  return {
      {"length", "(length L)", number(read.length, "length", "m")},
      {"elements", "(elements n)", number(read.elements, "number of elements")},
      {"rectangle", "(rectangle width height)",
       section(2, [](const std::vector<double>& x) { return BeamSection::rectangle(x[0], x[1]); })},
      {"circle", "(circle radius)", section(1, [](const std::vector<double>& x) { return BeamSection::circle(x[0]); })},
      {"section", "(section area Iy Iz J)",
       section(4,
               [](const std::vector<double>& x) {
                 BeamSection given;
                 given.area = x[0], given.moment_y = x[1], given.moment_z = x[2];
                 given.torsion = x[3];
                 return given;
               })},
      {"young", "(young E)", number(read.young, "Young's modulus", "N/m^2")},
      {"shear-modulus", "(shear-modulus G)", number(read.shear_modulus, "shear modulus", "N/m^2")},
      {"poisson", "(poisson nu)", number(read.poisson, "Poisson's ratio")},
      {"density", "(density rho)", number(read.density, "density", "kg/m^3")},
      {"planar", "(planar)", [&](Arguments&) { beam.planar = true; }},
      {"stretches", "(stretches)", [&](Arguments&) { beam.stretches = true; }},
      {"damping", "(damping T)", [&](Arguments& a) { beam.damping_time = a.number("time", "s").value_or(0); }},
      {"root", "(root TYPE)", [&](Arguments& a) { take_joint(a, beam.root); }},
      {"end", "(end TYPE)",
       [&](Arguments& a) {
         take_joint(a, beam.end);
         if (beam.frame_b.empty()) a.problem("the beam's end is joined to nothing; name a second frame, or drop (end ...)");
       }},
      {"color", "(color r g b [opacity])",
       [&](Arguments& a) {
         const auto rgb = a.vector();
         const auto opacity = a.at_end() ? std::optional(1.0) : a.number("opacity");
         if (rgb && opacity) beam.color = Color{rgb->x, rgb->y, rgb->z, *opacity};
       }},
  };
}

/// False where something that every beam needs was left out, which is told.
bool complete(Arguments& arguments, BeamSpec& beam, const Read& read) {
  bool good = true;
  const auto need = [&](const std::optional<double>& value, double& into, const char* usage) {
    if (value) into = *value;
    if (!value) arguments.problem(fmt::format("it has no {}", usage));
    good = good && value;
  };
  need(read.length, beam.length, "length; write (length L)");
  need(read.young, beam.young, "Young's modulus; write (young E)");
  need(read.density, beam.density, "density; write (density rho)");
  if (read.sections == 0) {
    arguments.problem("it has no section; write (rectangle width height), (circle radius) or (section area Iy Iz J)");
    good = false;
  }
  if (read.elements) {
    const double n = *read.elements;
    beam.elements = n >= 1 && n <= 1e6 ? int(n) : 0;
    if (double(beam.elements) != n && beam.elements != 0) {
      arguments.problem(fmt::format("{:g} elements are no whole number", n));
      good = false;
    }
  }
  if (read.shear_modulus && read.poisson) {
    arguments.problem("it has both (shear-modulus ...) and (poisson ...); keep one");
    good = false;
  }
  if (read.poisson && !(*read.poisson > -1 && *read.poisson <= 0.5)) {
    arguments.problem(fmt::format("Poisson's ratio {:g} must lie between -1 and 0.5", *read.poisson));
    good = false;
  }
  if (read.poisson) beam.shear_modulus = beam.young / (2 * (1 + *read.poisson));
  if (read.shear_modulus) beam.shear_modulus = *read.shear_modulus;
  if (good && !read.poisson && !read.shear_modulus && (!beam.planar || beam.stretches)) {
    arguments.problem(
        "it twists or is sheared, and needs its shear modulus; write (shear-modulus G) or (poisson nu), or (planar)");
    good = false;
  }
  return good;
}

}  // namespace

void read_beam(Arguments& arguments, std::vector<BeamSpec>& beams) {
  BeamSpec beam;
  beam.source = arguments.where();
  const auto name = arguments.name("name");
  if (name) arguments.set_subject(fmt::format("beam {}", quoted(*name)));
  const auto a = arguments.name("frame");
  if (!arguments.at_end() && !arguments.at_list()) beam.frame_b = arguments.name("frame at its end").value_or("");
  Read read;
  arguments.options(options_of(beam, read));
  if (!complete(arguments, beam, read) || !name || !a) return;
  beam.name = *name;
  beam.frame_a = *a;
  beams.push_back(std::move(beam));
}

}  // namespace polhode::format
