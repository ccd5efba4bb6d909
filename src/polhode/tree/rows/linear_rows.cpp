#include "polhode/tree/rows/linear_rows.h"

namespace polhode::tree::linear_rows {
namespace {

/// Of the row's equation, with two derivatives.
Signal::Sample right_side(const RowView& view, const LinearRow& row, double t) {
  return row.signal < 0 ? Signal::Sample{row.constant} : view.plan.signals[std::size_t(row.signal)].at(t);
}

double value_of(const RowView& view, const LinearTerm& term, Numbers q) {
  const double x = q[std::size_t(term.q)];
  return term.coefficient * (term.function < 0 ? x : view.plan.functions[std::size_t(term.function)].at(x).value);
}
/// The derivative by the term's speed.
double slope_of(const RowView& view, const LinearTerm& term, Numbers q) {
  if (term.function < 0) return term.coefficient;
  return term.coefficient * view.plan.functions[std::size_t(term.function)].at(q[std::size_t(term.q)]).slope;
}

}  // namespace

void evaluate(const RowView& view, double t, Numbers q, const RowOutput& out) {
  const std::vector<LinearTerm>& terms = view.plan.linear_terms;
  for (const LinearRow& row : view.active.linear_rows) {
    if (out.h != nullptr) {
      double sum = 0;
      if (view.is_holonomic(row.row)) {
        sum = -right_side(view, row, t).value;
        for (int i = row.first_term; i < row.last_term; ++i) sum += value_of(view, terms[i], q);
      }
      out.h[row.row] = sum;
    }
    if (out.values != nullptr) {
      double* const values = out.values + view.active.starts[row.row];
      for (int i = row.first_term; i < row.last_term; ++i) values[i - row.first_term] = slope_of(view, terms[i], q);
    }
  }
}

void rates(const RowView& view, double t, NumbersOut h_t) {
  for (const LinearRow& row : view.active.linear_rows) {
    const Signal::Sample s = right_side(view, row, t);
    if (view.level(row.row) != RowLevel::acceleration) h_t[row.row] = -(view.is_holonomic(row.row) ? s.rate : s.value);
  }
}

void multiply(const RowView& view, Numbers q, Numbers u, NumbersOut out) {
  const std::vector<LinearTerm>& terms = view.plan.linear_terms;
  for (const LinearRow& row : view.active.linear_rows) {
    double sum = 0;
    for (int i = row.first_term; i < row.last_term; ++i) sum += slope_of(view, terms[i], q) * u[terms[i].u];
    out[row.row] = sum;
  }
}

void add_loads(const RowView& view, Numbers q, Numbers lambda, NumbersOut tau) {
  const std::vector<LinearTerm>& terms = view.plan.linear_terms;
  for (const LinearRow& row : view.active.linear_rows)
    for (int i = row.first_term; i < row.last_term; ++i) tau[terms[i].u] += lambda[row.row] * slope_of(view, terms[i], q);
}

void add_rates(const RowView& view, double t, NumbersOut e) {
  for (const LinearRow& row : view.active.linear_rows) {
    const Signal::Sample s = right_side(view, row, t);
    e[row.row] -= view.is_holonomic(row.row) ? s.rate : s.value;
  }
}

void acceleration_bias(const RowView& view, double t, Numbers q, Numbers u, NumbersOut b) {
  const std::vector<LinearTerm>& terms = view.plan.linear_terms;
  for (const LinearRow& row : view.active.linear_rows) {
    const Signal::Sample s = right_side(view, row, t);
    switch (view.level(row.row)) {
      case RowLevel::position: b[row.row] = s.acceleration; break;
      case RowLevel::velocity: b[row.row] = s.rate; break;
      case RowLevel::acceleration: b[row.row] = s.value; break;
    }
    for (int i = row.first_term; i < row.last_term; ++i) {
      const LinearTerm& term = terms[std::size_t(i)];
      if (term.function < 0) continue;
      const Curve::Sample f = view.plan.functions[std::size_t(term.function)].at(q[std::size_t(term.q)]);
      b[row.row] -= term.coefficient * f.curvature * u[std::size_t(term.u)] * u[std::size_t(term.u)];
    }
  }
}

}  // namespace polhode::tree::linear_rows
