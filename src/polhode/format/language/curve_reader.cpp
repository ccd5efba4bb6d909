#include "polhode/format/language/curve_reader.h"

#include <fmt/format.h>

#include <array>

#include "polhode/format/language/utf8.h"

namespace polhode::format {
namespace {

constexpr int max_depth = 50;

std::optional<Curve> read_polynomial(Arguments& arguments) {
  std::vector<double> coefficients;
  bool good = true;
  do {
    const auto c = arguments.angle("coefficient");
    good = good && c;
    coefficients.push_back(c.value_or(0));
  } while (!arguments.at_end() && (!arguments.at_list() || arguments.at_form("deg")));
  return good ? std::optional(Curve::polynomial(std::move(coefficients))) : std::nullopt;
}

std::optional<Curve> read_sine(Arguments& arguments) {
  const auto amplitude = arguments.angle("amplitude"), frequency = arguments.number("frequency");
  std::optional<double> phase = 0.0, offset = 0.0;
  if (!arguments.at_end()) phase = arguments.angle("phase");
  if (!arguments.at_end()) offset = arguments.angle("offset");
  arguments.finish();
  if (!amplitude || !frequency || !phase || !offset) return std::nullopt;
  return Curve::sine(*amplitude, *frequency, *phase, *offset);
}

std::optional<Curve> read_table(Arguments& arguments) {
  std::vector<double> places, values;
  bool good = true;
  while (arguments.at_group()) {
    Arguments point(arguments.tree(), arguments.take(), "(x y)", arguments.notes(), Arguments::Head::nothing);
    point.set_subject(arguments.subject());
    const auto x = point.angle("place"), y = point.angle("value");
    point.finish();
    good = good && x && y;
    places.push_back(x.value_or(0));
    values.push_back(y.value_or(0));
  }
  auto ends = Curve::Ends::straight;
  arguments.options({{"closed", "(closed)", [&](Arguments&) { ends = Curve::Ends::closed; }}});
  return good ? std::optional(Curve::table(std::move(places), std::move(values), ends)) : std::nullopt;
}

std::optional<Curve> take(Arguments& arguments, int depth);

std::optional<Curve> read_sum(Arguments& arguments, int depth) {
  if (depth >= max_depth) {
    arguments.problem(fmt::format("sums are nested more than {} deep", max_depth));
    return std::nullopt;
  }
  std::vector<Curve> terms;
  bool good = true;
  do {
    auto term = take(arguments, depth + 1);
    good = good && term;
    if (term) terms.push_back(std::move(*term));
  } while (!arguments.at_end());
  return good ? std::optional(Curve::sum(std::move(terms))) : std::nullopt;
}

struct CurveForm {
  std::string_view keyword, usage;
  std::optional<Curve> (*read)(Arguments&, int depth);
};
constexpr std::array<CurveForm, 4> forms{{
    {"polynomial", "(polynomial c0 c1 ...)",
     [](Arguments& a, int) {
       auto curve = read_polynomial(a);
       a.finish();
       return curve;
     }},
    {"sine", "(sine amplitude frequency [phase] [offset])", [](Arguments& a, int) { return read_sine(a); }},
    {"table", "(table (x y) (x y) ... [(closed)])", [](Arguments& a, int) { return read_table(a); }},
    {"sum", "(sum FUNCTION FUNCTION ...)", [](Arguments& a, int depth) { return read_sum(a, depth); }},
}};

std::optional<Curve> take(Arguments& arguments, int depth) {
  if (!arguments.at_list() || arguments.at_form("deg")) {
    if (depth == 0) return read_polynomial(arguments);
    const auto constant = arguments.angle("term");
    return constant ? std::optional(Curve::polynomial({*constant})) : std::nullopt;
  }
  const NodeId id = arguments.take();
  const SyntaxTree& tree = arguments.tree();
  const std::string_view head = tree.head(id);
  for (const CurveForm& form : forms) {
    if (!same_keyword(form.keyword, head)) continue;
    Arguments inner(tree, id, form.usage, arguments.notes());
    inner.set_subject(depth == 0 ? fmt::format("{}: {}", arguments.subject(), form.keyword) : arguments.subject());
    return form.read(inner, depth);
  }
  arguments.problem(tree[id].where, fmt::format("{} is no function of a coordinate; write the coefficients c0 c1 ... of a "
                                                "polynomial, or {}",
                                                describe(tree, id), curve_usage));
  return std::nullopt;
}

}  // namespace

std::optional<Curve> take_curve(Arguments& arguments) { return take(arguments, 0); }

}  // namespace polhode::format
