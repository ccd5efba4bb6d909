#include "polhode/format/language/signal_reader.h"

#include <fmt/format.h>

#include <array>
#include <stdexcept>

#include "polhode/format/language/limits.h"
#include "polhode/format/language/sample_file.h"
#include "polhode/format/language/utf8.h"

namespace polhode::format {
namespace {

constexpr int max_signal_depth = 50;

/// How points are to be joined: (linear), (hold), or (clamped [rate rate]).
struct Joints {
  Signal::Joining joining = Signal::Joining::natural;
  double first_rate = 0, last_rate = 0;
};
std::vector<Option> joining_options(Joints& joints) {
  const auto choose = [&joints](Arguments& a, Signal::Joining which) {
    if (joints.joining != Signal::Joining::natural && joints.joining != which)
      a.problem(
          "its points are joined in two ways, and straight pieces and held values have no rates at their ends; keep one "
          "of (linear), (hold) and (clamped)");
    joints.joining = which;
  };
  return {{"linear", "(linear)", [choose](Arguments& a) { choose(a, Signal::Joining::linear); }},
          {"hold", "(hold)", [choose](Arguments& a) { choose(a, Signal::Joining::hold); }},
          {"clamped", "(clamped [first-rate last-rate])", [choose, &joints](Arguments& a) {
             choose(a, Signal::Joining::clamped);
             if (a.at_end()) return;
             joints.first_rate = a.angle("first rate").value_or(0);
             joints.last_rate = a.angle("last rate").value_or(0);
           }}};
}

std::optional<Signal> joined(Arguments& arguments, SampledColumn points, const Joints& joints) {
  try {
    return Signal::samples(std::move(points.times), std::move(points.values), joints.joining, joints.first_rate,
                           joints.last_rate);
  } catch (const std::invalid_argument& error) {
    arguments.problem(error.what());
    return std::nullopt;
  }
}

std::optional<Signal> read_constant(Arguments& arguments) {
  const auto value = arguments.angle("value");
  arguments.finish();
  return value ? std::optional(Signal::constant(*value)) : std::nullopt;
}

std::optional<Signal> read_sine(Arguments& arguments) {
  const auto amplitude = arguments.angle("amplitude"), frequency = arguments.angle("frequency", "rad/s");
  std::optional<double> phase = 0.0, offset = 0.0;
  if (!arguments.at_end()) phase = arguments.angle("phase", "rad");
  if (!arguments.at_end()) offset = arguments.angle("offset");
  arguments.finish();
  return amplitude && frequency && phase && offset ? std::optional(Signal::sine(*amplitude, *frequency, *phase, *offset))
                                                   : std::nullopt;
}

std::optional<Signal> read_polynomial(Arguments& arguments) {
  std::vector<double> coefficients;
  bool good = true;
  do {
    const auto c = arguments.angle("coefficient");
    good = good && c;
    coefficients.push_back(c.value_or(0));
  } while (!arguments.at_end());
  return good ? std::optional(Signal::polynomial(std::move(coefficients))) : std::nullopt;
}

std::optional<Signal> read_samples(Arguments& arguments) {
  SampledColumn points;
  bool good = true;
  while (arguments.at_group()) {
    Arguments point(arguments.tree(), arguments.take(), "(time value)", arguments.notes(), Arguments::Head::nothing);
    point.set_subject(arguments.subject());
    const auto t = point.number("time", "s"), x = point.angle("value");
    point.finish();
    good = good && t && x;
    if (!good) continue;
    if (!points.times.empty() && !(points.times.back() < *t)) {
      point.problem(fmt::format("times must increase, but {:.9g} follows {:.9g}", *t, points.times.back()));
      good = false;
      continue;
    }
    points.times.push_back(*t);
    points.values.push_back(*x);
  }
  Joints joints;
  arguments.options(joining_options(joints));
  if (good && points.times.empty()) {
    arguments.problem("there are no points; write (samples (t x) (t x) ...)");
    return std::nullopt;
  }
  return good ? joined(arguments, std::move(points), joints) : std::nullopt;
}

std::optional<Signal> read_file(Arguments& arguments) {
  const auto name = arguments.free_text("file's name");
  ColumnChoice column = 2;
  if (!arguments.at_end() && !arguments.at_list()) {
    const Node& node = arguments.tree()[arguments.peek()];
    if (node.kind == Node::Kind::number) {
      const double number = arguments.number("column").value_or(2);
      if (number != double(int(std::min(std::max(number, 0.0), 1e6)))) {
        arguments.problem(node.where, "a column's number is a whole one, from 2");
        return std::nullopt;
      }
      column = int(number);
    } else {
      column = arguments.free_text("column's name").value_or("");
    }
  }
  Joints joints;
  arguments.options(joining_options(joints));
  if (!name) return std::nullopt;
  if (!arguments.notes().may_name_files()) {
    arguments.problem("only a model that is itself read from a file can name other files; write the points as (samples ...)");
    return std::nullopt;
  }
  try {
    return joined(arguments, parse_column(arguments.notes().text_of_file(*name), column), joints);
  } catch (const std::runtime_error& error) {
    arguments.problem(fmt::format("{}: {}", quoted(*name), error.what()));
    return std::nullopt;
  }
}

std::optional<Signal> take_signal(Arguments& arguments, int depth);

std::optional<std::vector<Signal>> read_parts(Arguments& arguments, int depth) {
  std::vector<Signal> parts;
  bool good = true;
  if (depth >= max_signal_depth) {
    arguments.problem(fmt::format("sums and products are nested more than {} deep", max_signal_depth));
    return std::nullopt;
  }
  do {
    const auto part = take_signal(arguments, depth + 1);
    good = good && part;
    if (part) parts.push_back(*part);
  } while (!arguments.at_end());
  return good ? std::optional(std::move(parts)) : std::nullopt;
}

struct SignalForm {
  std::string_view keyword, usage;
  std::optional<Signal> (*read)(Arguments&, int depth);
};
constexpr std::array<SignalForm, 7> signal_forms{{
    {"constant", "(constant c)", [](Arguments& a, int) { return read_constant(a); }},
    {"sine", "(sine amplitude frequency [phase] [offset])", [](Arguments& a, int) { return read_sine(a); }},
    {"polynomial", "(polynomial c0 c1 ...)", [](Arguments& a, int) { return read_polynomial(a); }},
    {"samples", "(samples (t x) (t x) ... [(linear)] [(hold)] [(clamped [rate rate])])",
     [](Arguments& a, int) { return read_samples(a); }},
    {"file", "(file \"data.csv\" [column] [(linear)] [(hold)] [(clamped [rate rate])])",
     [](Arguments& a, int) { return read_file(a); }},
    {"sum", "(sum signal signal ...)",
     [](Arguments& a, int depth) {
       auto parts = read_parts(a, depth);
       return parts ? std::optional(Signal::sum(std::move(*parts))) : std::nullopt;
     }},
    {"product", "(product signal signal ...)",
     [](Arguments& a, int depth) {
       auto parts = read_parts(a, depth);
       return parts ? std::optional(Signal::product(std::move(*parts))) : std::nullopt;
     }},
}};

const SignalForm* form_named(std::string_view head) {
  for (const SignalForm& form : signal_forms)
    if (same_keyword(form.keyword, head)) return &form;
  return nullptr;
}

std::optional<Signal> take_signal(Arguments& arguments, int depth) {
  if (!arguments.at_list() || arguments.at_form("deg")) {
    const auto value = arguments.angle("signal");
    return value ? std::optional(Signal::constant(*value)) : std::nullopt;
  }
  const NodeId id = arguments.take();
  const SyntaxTree& tree = arguments.tree();
  const std::string_view head = tree.head(id);
  if (const SignalForm* form = form_named(head)) {
    Arguments inner(tree, id, form->usage, arguments.notes());
    inner.set_subject(depth == 0 ? fmt::format("{}: {}", arguments.subject(), form->keyword) : arguments.subject());
    return form->read(inner, depth);
  }
  std::vector<std::string> keywords;
  for (const SignalForm& form : signal_forms) keywords.emplace_back(form.keyword);
  if (head.empty()) {
    arguments.problem(tree[id].where, fmt::format("{} is not a signal; write {}", describe(tree, id), signal_usage));
  } else {
    arguments.problem(tree[tree[id].first].where,
                      fmt::format("there is no signal {}{}", quoted(head),
                                  suggestion(std::string(utf8_prefix(lower_case(head), 60)), keywords, "signals")));
  }
  return std::nullopt;
}

}  // namespace

std::optional<Signal> take_signal(Arguments& arguments) { return take_signal(arguments, 0); }

bool at_signal_form(const Arguments& arguments) {
  return arguments.at_list() && form_named(arguments.tree().head(arguments.peek())) != nullptr;
}

bool is_signal_word(std::string_view head) { return !head.empty() && form_named(head) != nullptr; }

void read_kinematic(Arguments& arguments, MechanismBuilder& builder) {
  const auto coordinate = arguments.name("coordinate");
  if (coordinate) arguments.set_subject(fmt::format("kinematic {}", quoted(*coordinate)));
  auto signal = take_signal(arguments);
  arguments.finish();
  if (coordinate && signal) builder.add_kinematic({*coordinate, std::move(*signal), arguments.where()});
}

}  // namespace polhode::format
