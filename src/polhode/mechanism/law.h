#pragma once
#include <array>
#include <memory>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "polhode/mechanism/forces/now.h"
#include "polhode/mechanism/problem.h"
#include "polhode/mechanism/signal.h"
#include "polhode/mechanism/table_curve.h"

namespace polhode {

/// A number that follows from coordinates, speeds, time, inputs, states and discrete variables by arithmetic: what a force is,
/// or how fast a state changes. Immutable and cheap to copy. It is a flat list of operations, each of which has its operands
/// before it, so that one walk along the list gives the value, and one walk back all derivatives.
///
///   Law::constant(-50) * (Law::of(Law::Kind::coordinate, "knee") - Law::constant(0.3))
class Law {
 public:
  /// What a law reads. `any`: whichever of them has the name; a mechanism has none of that kind.
  enum class Kind { any, coordinate, speed, input, state, discrete };
  struct Read {
    Kind kind;
    std::string name;
    Source where{};
    int index = -1;  ///< among those of the mechanism, once it is built
  };
  /// `clamp` and other comparisons are made of these.
  enum class Code : unsigned char {
    constant,  // value
    time,
    read,    // operand 0: which
    signal,  // operand 0: which; a function of time
    lookup,  // operand 1: which table, at operand 0
    add,
    subtract,
    multiply,
    divide,
    power,
    arctangent2,
    minimum,
    maximum,
    negative,
    root,
    exponential,
    logarithm,
    magnitude,
    sine,
    cosine,
    tangent,
    arcsine,
    arccosine,
    arctangent,
    if_less  // operand 2 where operand 0 < operand 1, else operand 3
  };
  struct Operation {
    Code code = Code::constant;
    std::array<int, 4> operand{-1, -1, -1, -1};
    double value = 0;
    bool operator==(const Operation&) const = default;
  };
  /// A curve through points, straight beyond them.
  struct Table {
    std::vector<double> x, y;
    TableCurve::Joining joining;
    TableCurve curve;
  };
  /// So many operations a law may have: its value is found without memory of its own.
  static constexpr int most_operations = 500;

  Law() : Law(constant(0)) {}
  static Law constant(double value);
  static Law time();
  static Law of(Kind kind, std::string name, Source where = {});
  static Law signal(Signal signal);
  /// Throws std::invalid_argument where x does not increase, or numbers are not finite or fewer than two.
  static Law lookup(const Law& argument, std::vector<double> x, std::vector<double> y, TableCurve::Joining joining);
  /// Throws std::length_error where the law would have too many operations, as all that follow do.
  static Law apply(Code code, std::initializer_list<Law> operands);
  friend Law operator+(const Law& a, const Law& b) { return apply(Code::add, {a, b}); }
  friend Law operator-(const Law& a, const Law& b) { return apply(Code::subtract, {a, b}); }
  friend Law operator*(const Law& a, const Law& b) { return apply(Code::multiply, {a, b}); }
  friend Law operator/(const Law& a, const Law& b) { return apply(Code::divide, {a, b}); }
  friend Law operator-(const Law& a) { return apply(Code::negative, {a}); }
  static Law clamp(const Law& x, const Law& low, const Law& high) {
    return apply(Code::minimum, {apply(Code::maximum, {x, low}), high});
  }

  bool is_constant() const { return d_->operations.size() == 1 && d_->operations[0].code == Code::constant; }
  /// Of a constant one.
  double constant_value() const { return d_->operations[0].value; }
  bool reads(Kind kind) const;
  bool depends_on_time() const;
  void add_breaks(std::vector<double>& times) const;

  /// T is double, or Dual<double> for one derivative. Reads by index.
  template <class T>
  T evaluate(const Now& now, std::span<const T> q, std::span<const T> u) const;
  /// The value, and its derivatives by everything that the law reads, in the order of reads(), by one walk back along the list
  /// (reverse accumulation). Where branches meet they are those of the branch that is taken.
  double gradient(const Now& now, std::span<const double> q, std::span<const double> u, std::span<double> by_read) const;

  // As it was made.
  const std::vector<Read>& reads() const { return d_->reads; }
  const std::vector<Operation>& operations() const { return d_->operations; }  ///< the last one is the law
  const std::vector<Signal>& signals() const { return d_->signals; }
  const std::vector<Table>& tables() const { return d_->tables; }
  /// Parameters that it was made with, which no coordinate or other number may share a name with.
  const std::vector<Read>& parameters() const { return d_->parameters; }
  const Source& where() const { return d_->where; }
  /// The same with a place in a model's text.
  Law at(Source where) const;
  /// The same, that reads what these have: in the order of reads().
  Law with_reads(std::vector<Read> reads) const;

 private:
  friend class LawMaker;
  struct Data {
    std::vector<Operation> operations;
    std::vector<Signal> signals;
    std::vector<Table> tables;
    std::vector<Read> reads, parameters;
    Source where{};
  };
  explicit Law(std::shared_ptr<const Data> d) : d_(std::move(d)) {}
  template <class T>
  void run(const Now& now, std::span<const T> q, std::span<const T> u, T* values) const;
  double value_of_read(int read, const Now& now) const;

  std::shared_ptr<const Data> d_;
};

/// Makes a law operation by operation. Equal operations become one, and those on constants their results.
class LawMaker {
 public:
  int constant(double value);
  int time() { return intern({Law::Code::time}); }
  int read(Law::Kind kind, const std::string& name, Source where);
  int signal(Signal signal);
  int lookup(int argument, std::vector<double> x, std::vector<double> y, TableCurve::Joining joining);
  int apply(Law::Code code, std::span<const int> operands);
  int apply(Law::Code code, std::initializer_list<int> operands) {
    return apply(code, std::span<const int>(operands.begin(), operands.size()));
  }
  /// All of another law.
  int add(const Law& law);
  void note_parameter(const std::string& name, Source where);
  /// The number that an operation is, where it is constant; null otherwise.
  const double* constant_of(int id) const;

  /// What the operation needs, and nothing else.
  Law finish(int result, Source where = {}) const;

 private:
  struct Hash {
    std::size_t operator()(const Law::Operation& o) const;
  };
  int intern(const Law::Operation& operation);

  Law::Data d_;
  std::unordered_map<Law::Operation, int, Hash> known_;
};

}  // namespace polhode
