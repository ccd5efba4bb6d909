#include "polhode/mechanism/law.h"

#include <algorithm>
#include <cmath>
#include <type_traits>

#include "polhode/spatial/dual.h"

namespace polhode {
namespace {

using Code = Law::Code;

/// f(x) with its derivative, where the number has one.
template <class T, class F, class Slope>
T with_slope(const T& x, F f, Slope slope) {
  if constexpr (std::is_same_v<T, double>) {
    return f(x);
  } else {
    return {f(x.value), slope(x.value) * x.slope};
  }
}

template <class T>
T of_one(Code code, const T& x) {
  switch (code) {
    case Code::negative: return -x;
    case Code::root:
      return with_slope(
          x, [](double a) { return std::sqrt(a); }, [](double a) { return 0.5 / std::sqrt(a); });
    case Code::exponential:
      return with_slope(
          x, [](double a) { return std::exp(a); }, [](double a) { return std::exp(a); });
    case Code::logarithm:
      return with_slope(
          x, [](double a) { return std::log(a); }, [](double a) { return 1 / a; });
    case Code::magnitude: return absolute(x);
    case Code::sine: return sin_cos(x).s;
    case Code::cosine: return sin_cos(x).c;
    case Code::tangent: return sin_cos(x).s / sin_cos(x).c;
    case Code::arcsine:
      return with_slope(
          x, [](double a) { return std::asin(a); }, [](double a) { return 1 / std::sqrt(1 - a * a); });
    case Code::arccosine:
      return with_slope(
          x, [](double a) { return std::acos(a); }, [](double a) { return -1 / std::sqrt(1 - a * a); });
    default:
      return with_slope(
          x, [](double a) { return std::atan(a); }, [](double a) { return 1 / (1 + a * a); });
  }
}

double power(double a, double b) { return std::pow(a, b); }
Dual<double> power(const Dual<double>& a, const Dual<double>& b) {
  const double value = std::pow(a.value, b.value);
  const double by_exponent = b.slope == 0 ? 0 : value * std::log(a.value) * b.slope;
  return {value, a.slope == 0 ? by_exponent : b.value * std::pow(a.value, b.value - 1) * a.slope + by_exponent};
}
double arctangent2(double y, double x) { return std::atan2(y, x); }
Dual<double> arctangent2(const Dual<double>& y, const Dual<double>& x) {
  const double squares = x.value * x.value + y.value * y.value;
  return {std::atan2(y.value, x.value), (x.value * y.slope - y.value * x.slope) / squares};
}

template <class T>
T of_two(Code code, const T& a, const T& b) {
  switch (code) {
    case Code::add: return a + b;
    case Code::subtract: return a - b;
    case Code::multiply: return a * b;
    case Code::divide: return a / b;
    case Code::power: return power(a, b);
    case Code::arctangent2: return arctangent2(a, b);
    case Code::minimum: return value_of(b) < value_of(a) ? b : a;
    default: return value_of(a) < value_of(b) ? b : a;
  }
}

/// The derivatives of an operation by its operands, from their values and its own.
void slopes_by_operand(const Law::Operation& o, const double* values, double value, double* slopes) {
  const double a = values[o.operand[0]];
  const double b = o.operand[1] >= 0 && o.code != Code::lookup ? values[o.operand[1]] : 0;
  switch (o.code) {
    case Code::add: slopes[0] = slopes[1] = 1; break;
    case Code::subtract: slopes[0] = 1, slopes[1] = -1; break;
    case Code::multiply: slopes[0] = b, slopes[1] = a; break;
    case Code::divide: slopes[0] = 1 / b, slopes[1] = -value / b; break;
    case Code::power:
      slopes[0] = b * std::pow(a, b - 1);
      slopes[1] = a > 0 ? value * std::log(a) : 0;
      break;
    case Code::arctangent2: slopes[0] = b / (a * a + b * b), slopes[1] = -a / (a * a + b * b); break;
    case Code::minimum: slopes[0] = b < a ? 0 : 1, slopes[1] = 1 - slopes[0]; break;
    case Code::maximum: slopes[0] = a < b ? 0 : 1, slopes[1] = 1 - slopes[0]; break;
    case Code::negative: slopes[0] = -1; break;
    case Code::root: slopes[0] = 0.5 / value; break;
    case Code::exponential: slopes[0] = value; break;
    case Code::logarithm: slopes[0] = 1 / a; break;
    case Code::magnitude: slopes[0] = a < 0 ? -1 : 1; break;
    case Code::sine: slopes[0] = std::cos(a); break;
    case Code::cosine: slopes[0] = -std::sin(a); break;
    case Code::tangent: slopes[0] = 1 + value * value; break;
    case Code::arcsine: slopes[0] = 1 / std::sqrt(1 - a * a); break;
    case Code::arccosine: slopes[0] = -1 / std::sqrt(1 - a * a); break;
    case Code::arctangent: slopes[0] = 1 / (1 + a * a); break;
    case Code::if_less: slopes[0] = slopes[1] = 0, slopes[2] = a < b ? 1 : 0, slopes[3] = 1 - slopes[2]; break;
    default: break;
  }
}

/// Numbers for one walk along a law, on the stack and not set to anything.
template <class T>
struct Scratch {
  alignas(T) std::byte bytes[sizeof(T) * std::size_t(Law::most_operations)];
  T* numbers() { return reinterpret_cast<T*>(bytes); }
};

}  // namespace

double Law::value_of_read(int read, const Now& now) const {
  const Read& r = d_->reads[std::size_t(read)];
  const std::size_t i = std::size_t(r.index);
  switch (r.kind) {
    case Kind::input: return now.inputs[i];
    case Kind::state: return now.z[i];
    default: return now.discrete[i];
  }
}

template <class T>
void Law::run(const Now& now, std::span<const T> q, std::span<const T> u, T* values) const {
  T* next = values;
  for (const Operation& o : d_->operations) {
    const auto at = [&](int k) -> const T& { return values[o.operand[std::size_t(k)]]; };
    switch (o.code) {
      case Code::constant: *next = T(o.value); break;
      case Code::time: *next = T(now.t); break;
      case Code::read: {
        const Read& r = d_->reads[std::size_t(o.operand[0])];
        *next = r.kind == Kind::coordinate ? q[std::size_t(r.index)]
                : r.kind == Kind::speed    ? u[std::size_t(r.index)]
                                           : T(value_of_read(o.operand[0], now));
        break;
      }
      case Code::signal: *next = T(d_->signals[std::size_t(o.operand[0])].value(now.t)); break;
      case Code::lookup: {
        const TableCurve& curve = d_->tables[std::size_t(o.operand[1])].curve;
        *next = with_slope(
            at(0), [&](double x) { return curve.value(x); }, [&](double x) { return curve.slope(x); });
        break;
      }
      case Code::if_less: *next = value_of(at(0)) < value_of(at(1)) ? at(2) : at(3); break;
      default: *next = o.operand[1] < 0 ? of_one(o.code, at(0)) : of_two(o.code, at(0), at(1));
    }
    ++next;
  }
}

template <class T>
T Law::evaluate(const Now& now, std::span<const T> q, std::span<const T> u) const {
  Scratch<T> scratch;
  run<T>(now, q, u, scratch.numbers());
  return scratch.numbers()[d_->operations.size() - 1];
}
template double Law::evaluate(const Now&, std::span<const double>, std::span<const double>) const;
template Dual<double> Law::evaluate(const Now&, std::span<const Dual<double>>, std::span<const Dual<double>>) const;

double Law::gradient(const Now& now, std::span<const double> q, std::span<const double> u, std::span<double> by_read) const {
  Scratch<double> value_scratch, adjoint_scratch;
  double *const values = value_scratch.numbers(), *const adjoints = adjoint_scratch.numbers();
  run<double>(now, q, u, values);
  const std::size_t n = d_->operations.size();
  std::fill_n(adjoints, n, 0.0);
  std::fill(by_read.begin(), by_read.end(), 0.0);
  adjoints[n - 1] = 1;
  for (std::size_t i = n; i-- > 0;) {
    const Operation& o = d_->operations[i];
    const double adjoint = adjoints[i];
    if (adjoint == 0) continue;  // a branch that is not taken may have no derivative
    switch (o.code) {
      case Code::constant:
      case Code::time:
      case Code::signal: break;
      case Code::read: by_read[std::size_t(o.operand[0])] += adjoint; break;
      case Code::lookup:
        adjoints[o.operand[0]] += adjoint * d_->tables[std::size_t(o.operand[1])].curve.slope(values[o.operand[0]]);
        break;
      default: {
        double slopes[4] = {};
        slopes_by_operand(o, values, values[i], slopes);
        for (std::size_t k = 0; k < 4 && o.operand[k] >= 0; ++k)
          if (slopes[k] != 0) adjoints[o.operand[k]] += adjoint * slopes[k];
      }
    }
  }
  return values[n - 1];
}

bool Law::reads(Kind kind) const {
  return std::any_of(d_->reads.begin(), d_->reads.end(), [&](const Read& r) { return r.kind == kind; });
}
bool Law::depends_on_time() const {
  return std::any_of(d_->operations.begin(), d_->operations.end(),
                     [](const Operation& o) { return o.code == Code::time || o.code == Code::signal; });
}
void Law::add_breaks(std::vector<double>& times) const {
  for (const Signal& signal : d_->signals) signal.add_breaks(times);
}

Law Law::at(Source where) const {
  auto data = std::make_shared<Data>(*d_);
  data->where = where;
  return Law(std::move(data));
}

Law Law::with_reads(std::vector<Read> reads) const {
  auto data = std::make_shared<Data>(*d_);
  data->reads = std::move(reads);
  return Law(std::move(data));
}

}  // namespace polhode
