#include "polhode/mechanism/resolver_fields.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <unordered_set>

#include "polhode/mechanism/joint_placement.h"

namespace polhode {

BodyPlace FieldPlacer::body_place(int body) const {
  return {body, out_.bodies[std::size_t(body)].mass.com, out_.whole_mass[std::size_t(body)]};
}

bool FieldPlacer::place(const std::string& name, FramePlace& out, const FieldOf& field) {
  const auto frame = names_.frame_of(name, field.asker, field.where);
  if (frame) out = {*frame, out_.frames[std::size_t(*frame)].body, out_.frames[std::size_t(*frame)].X_BF};
  return frame.has_value();
}
bool FieldPlacer::place(const std::string& name, int& out, const FieldOf& field) {
  const auto frame = names_.frame_of(name, field.asker, field.where);
  if (frame) out = *frame;
  return frame.has_value();
}
bool FieldPlacer::place(const std::string& name, CoordinatePlace& out, const FieldOf& field) {
  const auto axis = names_.axis_of(name, field.asker, field.where);
  if (axis) out = {axis->q, axis->u};
  return axis.has_value();
}
bool FieldPlacer::place(const std::string& name, SpeedPlace& out, const FieldOf& field) {
  const auto u = names_.speed_of(name, field.asker, field.where);
  if (u) out = {names_.index().q_of_speed[std::size_t(*u)], *u};
  return u.has_value();
}
bool FieldPlacer::place(const std::string& name, BodyPlace& out, const FieldOf& field) {
  const auto body = names_.body_of(name, field.asker, field.where);
  if (body) out = body_place(*body);
  return body.has_value();
}
bool FieldPlacer::place(const std::vector<std::string>& names, std::vector<BodyPlace>& out, const FieldOf& field) {
  bool good = true;
  for (const std::string& name : names) {
    BodyPlace one;
    good = place(name, one, field) && good;
    out.push_back(one);
  }
  return good;
}

bool FieldPlacer::place(const std::vector<SumTerm<std::string>>& terms, std::vector<SumTerm<CoordinatePlace>>& out,
                        const FieldOf& field) {
  return place_sum(terms, out, "coordinate", field);
}
bool FieldPlacer::place(const std::vector<SumTerm<std::string>>& terms, std::vector<SumTerm<SpeedPlace>>& out,
                        const FieldOf& field) {
  return place_sum(terms, out, "speed", field);
}

template <class Coordinate>
bool FieldPlacer::place_sum(const std::vector<SumTerm<std::string>>& terms, std::vector<SumTerm<Coordinate>>& out,
                            const char* kind, const FieldOf& field) {
  if (terms.empty()) {
    problem(fmt::format("{}: there is nothing to couple; name {}s with their coefficients", field.label, kind), field.where);
    return false;
  }
  constexpr double any = -std::numeric_limits<double>::infinity();
  bool good = true, acts = false;
  std::unordered_set<int> seen;
  for (const SumTerm<std::string>& term : terms) {
    SumTerm<Coordinate> found{{}, term.coefficient};
    good = names_.number(term.coefficient, any, "coefficient", field.label, field.where) && good;
    acts = acts || term.coefficient != 0;
    if (!place(term.coordinate, found.coordinate, field)) {
      good = false;
    } else if (!seen.insert(found.coordinate.u).second) {
      problem(fmt::format("{}: {} \"{}\" is named twice; add its coefficients up", field.label, kind, term.coordinate),
              field.where);
      good = false;
    }
    out.push_back(found);
  }
  if (!good || acts) return good;
  problem(fmt::format("{}: all coefficients are zero, so nothing is coupled; give one that is not", field.label), field.where);
  return false;
}

bool FieldPlacer::place(double value, double& out, const FieldOf& field) {
  out = value;
  const FieldFacts& facts = field.facts;
  const auto refuse = [&](const std::string& must) {
    problem(fmt::format("{}: {} {:g} {} must {}{}", field.label, facts.name, value, facts.unit, must, facts.instead),
            field.where);
    return false;
  };
  if (std::isfinite(facts.most)) {
    if (value >= facts.least && value <= facts.most) return true;
    return refuse(fmt::format("lie between {:g} and {:g}", facts.least, facts.most));
  }
  if (facts.above_least) {
    if (std::isfinite(value) && value > facts.least) return true;
    return refuse("be a positive number");
  }
  return names_.number(value, facts.least, facts.name, field.label, field.where);
}

bool FieldPlacer::place(const Vec3<double>& value, Vec3<double>& out, const FieldOf& field) {
  const FieldFacts& facts = field.facts;
  if (facts.is_direction) {
    if (has_direction(value)) {
      out = normalized(value);
      return true;
    }
    problem(fmt::format("{}: {} ({:g}, {:g}, {:g}) has no direction; give a nonzero vector, e.g. 0 0 1", field.label,
                        facts.name, value.x, value.y, value.z),
            field.where);
    return false;
  }
  out = value;
  if (is_finite(value)) return true;
  problem(fmt::format("{}: {} must be finite numbers", field.label, facts.name), field.where);
  return false;
}

bool FieldPlacer::place(const ForceLaw& law, ForceLaw& out, const FieldOf& field) {
  const std::string wrong = law.problem();
  if (!wrong.empty()) problem(fmt::format("{}: {}", field.label, wrong), field.where);
  out = law;
  return wrong.empty();
}

bool FieldPlacer::place(const std::string& name, InputPlace& out, const FieldOf& field) {
  const auto index = inputs_.input_of(name, field.label, field.where);
  if (index) out.index = *index;
  return index.has_value();
}

bool FieldPlacer::place(const Range& range, Range& out, const FieldOf& field) {
  out = range;
  return inputs_.good_range(range, field.facts.name, field.label, field.where);
}

bool FieldPlacer::place(const Signal& signal, Signal& out, const FieldOf& field) {
  out = signal;
  if (!field.facts.is_followed) return true;
  if (signal.jumps()) {
    problem(fmt::format("{}: what is followed cannot jump, as values that are held do; join the points otherwise", field.label),
            field.where);
    return false;
  }
  const Signal::Sample start = signal.at(0);
  if (std::isfinite(start.value) && std::isfinite(start.rate) && std::isfinite(start.acceleration)) return true;
  problem(fmt::format("{}: at t = 0 the signal's value is {}, its rate {} and its acceleration {}; all must be finite",
                      field.label, start.value, start.rate, start.acceleration),
          field.where);
  return false;
}

}  // namespace polhode
