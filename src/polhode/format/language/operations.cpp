#include "polhode/format/language/operations.h"

#include <cmath>

#include "polhode/format/language/lexer.h"
#include "polhode/spatial/math.h"

namespace polhode::format {
namespace {

using Numbers = std::span<const double>;

template <double (*f)(double)>
double of_one(Numbers a) {
  return f(a[0]);
}

double sum(Numbers a) {
  double s = a[0];
  for (const double x : a.subspan(1)) s += x;
  return s;
}
double difference(Numbers a) {
  if (a.size() == 1) return -a[0];
  double d = a[0];
  for (const double x : a.subspan(1)) d -= x;
  return d;
}
double product(Numbers a) {
  double p = a[0];
  for (const double x : a.subspan(1)) p *= x;
  return p;
}
double quotient(Numbers a) {
  double q = a[0];
  for (const double x : a.subspan(1)) q /= x;
  return q;
}

/// So many SI units are one of another. A whole divisor keeps (mm 30) the double nearest to 0.03.
template <long many, long divisor = 1>
double times(Numbers a) {
  return a[0] * double(many) / double(divisor);
}
double degrees(Numbers a) { return a[0] * (pi / 180); }

}  // namespace

const std::vector<Operation>& operations() {
  static const std::vector<Operation> table{
      {"+", "(+ a b ...)", 1, any_number, sum},
      {"-", "(- a b ...) or (- a)", 1, any_number, difference},
      {"*", "(* a b ...)", 1, any_number, product},
      {"/", "(/ a b ...)", 2, any_number, quotient},
      {"sqrt", "(sqrt a)", 1, 1, of_one<std::sqrt>},
      {"pow", "(pow a b)", 2, 2, [](Numbers a) { return std::pow(a[0], a[1]); }},
      {"exp", "(exp a)", 1, 1, of_one<std::exp>},
      {"log", "(log a)", 1, 1, of_one<std::log>},
      {"abs", "(abs a)", 1, 1, of_one<std::fabs>},
      {"sin", "(sin a), or for a signal (sine amplitude frequency)", 1, 1, of_one<std::sin>},
      {"cos", "(cos a)", 1, 1, of_one<std::cos>},
      {"tan", "(tan a)", 1, 1, of_one<std::tan>},
      {"asin", "(asin a)", 1, 1, of_one<std::asin>},
      {"acos", "(acos a)", 1, 1, of_one<std::acos>},
      {"atan", "(atan a)", 1, 1, of_one<std::atan>},
      {"atan2", "(atan2 y x)", 2, 2, [](Numbers a) { return std::atan2(a[0], a[1]); }},
      {"deg", "(deg angle)", 1, 1, degrees, "rad"},
      {"rad", "(rad angle)", 1, 1, times<1>, "rad"},
      {"m", "(m length)", 1, 1, times<1>, "m"},
      {"mm", "(mm length)", 1, 1, times<1, 1000>, "m"},
      {"cm", "(cm length)", 1, 1, times<1, 100>, "m"},
      {"km", "(km length)", 1, 1, times<1000>, "m"},
      {"in", "(in length)", 1, 1, times<254, 10'000>, "m"},
      {"ft", "(ft length)", 1, 1, times<3048, 10'000>, "m"},
      {"kg", "(kg mass)", 1, 1, times<1>, "kg"},
      {"g", "(g mass)", 1, 1, times<1, 1000>, "kg"},
      {"t", "(t mass)", 1, 1, times<1000>, "kg"},
      {"lb", "(lb mass)", 1, 1, times<45'359'237, 100'000'000>, "kg"},
      {"s", "(s time)", 1, 1, times<1>, "s"},
      {"ms", "(ms time)", 1, 1, times<1, 1000>, "s"},
      {"minutes", "(minutes time)", 1, 1, times<60>, "s"},
      {"h", "(h time)", 1, 1, times<3600>, "s"},
      {"m/s", "(m/s speed)", 1, 1, times<1>, "m/s"},
      {"mm/s", "(mm/s speed)", 1, 1, times<1, 1000>, "m/s"},
      {"km/h", "(km/h speed)", 1, 1, times<10, 36>, "m/s"},
      {"rad/s", "(rad/s speed)", 1, 1, times<1>, "rad/s"},
      {"deg/s", "(deg/s speed)", 1, 1, degrees, "rad/s"},
      {"rpm", "(rpm speed)", 1, 1, [](Numbers a) { return a[0] * (pi / 30); }, "rad/s"},
      {"m/s^2", "(m/s^2 acceleration)", 1, 1, times<1>, "m/s^2"},
      {"N", "(N force)", 1, 1, times<1>, "N"},
      {"kN", "(kN force)", 1, 1, times<1000>, "N"},
      {"N*m", "(N*m torque)", 1, 1, times<1>, "N m"},
      {"N/m", "(N/m stiffness)", 1, 1, times<1>, "N/m"},
      {"N/mm", "(N/mm stiffness)", 1, 1, times<1000>, "N/m"},
      {"N*s/m", "(N*s/m damping)", 1, 1, times<1>, "N s/m"},
      {"Pa", "(Pa pressure)", 1, 1, times<1>, "Pa"},
      {"bar", "(bar pressure)", 1, 1, times<100'000>, "Pa"},
      {"kg/m^3", "(kg/m^3 density)", 1, 1, times<1>, "kg/m^3"},
      {"kg*m^2", "(kg*m^2 inertia)", 1, 1, times<1>, "kg m^2"},
      {"g*mm^2", "(g*mm^2 inertia)", 1, 1, times<1, 1'000'000'000>, "kg m^2"},
  };
  return table;
}

const Operation* operation_named(std::string_view keyword) {
  for (const Operation& operation : operations())
    if (same_keyword(operation.keyword, keyword)) return &operation;
  return nullptr;
}

}  // namespace polhode::format
