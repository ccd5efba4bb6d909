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
      {"deg", "(deg angle)", 1, 1, [](Numbers a) { return a[0] * (pi / 180); }},
  };
  return table;
}

const Operation* operation_named(std::string_view keyword) {
  for (const Operation& operation : operations())
    if (same_keyword(operation.keyword, keyword)) return &operation;
  return nullptr;
}

}  // namespace polhode::format
