#include "goal_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <stdexcept>

#include "polhode/format/language/sample_file.h"
#include "polhode/mechanism/problem.h"

namespace polhode::cli {
namespace {

/// Beyond it, places are told apart by tenths of a metre at best.
constexpr double largest = 1e15;

struct Parts {
  std::string name;
  std::vector<double> numbers;
  double weight = 1;
};

/// NAME=number,number...[:weight]; names may hold any sign, numbers none of those that part them.
Parts parts_of(const std::string& text, std::size_t count, const std::string& option, const std::string& form) {
  const auto refuse = [&](const std::string& why) {
    throw std::invalid_argument(fmt::format("{} \"{}\": {}; write {} {}", option, text, why, option, form));
  };
  const std::size_t equals = text.rfind('=');
  if (equals == std::string::npos || equals == 0) refuse("there is no NAME=");
  Parts parts{.name = text.substr(0, equals), .numbers = {}};
  std::string rest = text.substr(equals + 1);
  if (const std::size_t colon = rest.find(':'); colon != std::string::npos) {
    const auto weight = format::number_of_field(rest.substr(colon + 1));
    if (!weight || *weight < 0)
      refuse(fmt::format("the weight \"{}\" is not a finite number of 0 or more", rest.substr(colon + 1)));
    parts.weight = *weight;
    rest.resize(colon);
  }
  std::vector<std::string> fields;
  format::split_fields(rest, fields);
  if (fields.size() != count) refuse(fmt::format("{} where there should be {}", fields.size(), count));
  for (const std::string& field : fields) {
    const auto number = format::number_of_field(field);
    if (!number) refuse(fmt::format("\"{}\" is not a finite number", field));
    if (std::abs(*number) > largest) refuse(fmt::format("\"{}\" is too large, {:g} is the most", field, largest));
    parts.numbers.push_back(*number);
  }
  return parts;
}

}  // namespace

tree::PointGoal point_goal(const std::string& text, const Mechanism& mechanism) {
  const Parts p = parts_of(text, 3, "--target", "FRAME=x,y,z or FRAME=x,y,z:weight");
  return {mechanism.frame(p.name), {p.numbers[0], p.numbers[1], p.numbers[2]}, p.weight};
}

tree::CoordinateGoal coordinate_goal(const std::string& text, const Mechanism& mechanism) {
  const Parts p = parts_of(text, 1, "--coordinate", "NAME=value or NAME=value:weight");
  return {mechanism.coordinate(p.name), p.numbers[0], p.weight};
}

std::vector<char> speeds_named(const std::vector<std::string>& names, const Mechanism& m, const std::string& option) {
  std::vector<char> speeds(std::size_t(m.num_u()));
  std::vector<std::string> known;
  for (const Joint& joint : m.joints())
    if (joint.nu > 0) known.push_back(joint.name);
  known.insert(known.end(), m.coordinate_names().begin(), m.coordinate_names().end());
  known.insert(known.end(), m.speed_names().begin(), m.speed_names().end());
  for (const std::string& name : names) {
    bool found = false;
    for (const Joint& joint : m.joints()) {
      bool whole = joint.name == name && joint.nu > 0;
      for (int i = 0; i < joint.nq; ++i) {
        if (m.coordinate_names()[std::size_t(joint.first_q + i)] != name) continue;
        found = true;
        if (joint.nq == joint.nu) speeds[std::size_t(joint.first_u + i)] = 1;
        whole |= joint.nq != joint.nu;  // a part of a quaternion moves with the others only
      }
      for (int k = 0; k < joint.nu; ++k)
        if (whole || m.speed_names()[std::size_t(joint.first_u + k)] == name)
          speeds[std::size_t(joint.first_u + k)] = 1, found = true;
    }
    if (!found)
      throw std::invalid_argument(
          fmt::format("{}: there is no joint, coordinate or speed \"{}\"{}", option, name, suggestion(name, known, "names")));
  }
  return speeds;
}

void require_not_an_input(const std::string& out, const std::vector<std::string>& inputs) {
  for (const std::string& input : inputs) {
    std::error_code no_file_yet;
    if (std::filesystem::equivalent(input, out, no_file_yet))
      throw std::invalid_argument(fmt::format("--out {} is {} itself, which would be lost; name another file", out, input));
  }
}

}  // namespace polhode::cli
