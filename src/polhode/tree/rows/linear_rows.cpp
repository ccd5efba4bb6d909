#include "polhode/tree/rows/linear_rows.h"

namespace polhode::tree::linear_rows {
namespace {

/// Of the row's equation, with two derivatives.
Signal::Sample right_side(const RowView& view, const LinearRow& row, double t) {
  return row.signal < 0 ? Signal::Sample{row.constant} : view.plan.signals[std::size_t(row.signal)].at(t);
}

}  // namespace

void evaluate(const RowView& view, double t, Numbers q, const RowOutput& out) {
  const std::vector<LinearTerm>& terms = view.plan.linear_terms;
  for (const LinearRow& row : view.active.linear_rows) {
    if (out.h != nullptr) {
      double sum = 0;
      if (view.is_holonomic(row.row)) {
        sum = -right_side(view, row, t).value;
        for (int i = row.first_term; i < row.last_term; ++i) sum += terms[i].coefficient * q[terms[i].q];
      }
      out.h[row.row] = sum;
    }
    if (out.values != nullptr) {
      double* const values = out.values + view.active.starts[row.row];
      for (int i = row.first_term; i < row.last_term; ++i) values[i - row.first_term] = terms[i].coefficient;
    }
  }
}

void rates(const RowView& view, double t, NumbersOut h_t) {
  for (const LinearRow& row : view.active.linear_rows) {
    const Signal::Sample s = right_side(view, row, t);
    if (view.level(row.row) != RowLevel::acceleration) h_t[row.row] = -(view.is_holonomic(row.row) ? s.rate : s.value);
  }
}

void multiply(const RowView& view, Numbers u, NumbersOut out) {
  const std::vector<LinearTerm>& terms = view.plan.linear_terms;
  for (const LinearRow& row : view.active.linear_rows) {
    double sum = 0;
    for (int i = row.first_term; i < row.last_term; ++i) sum += terms[i].coefficient * u[terms[i].u];
    out[row.row] = sum;
  }
}

void add_loads(const RowView& view, Numbers lambda, NumbersOut tau) {
  const std::vector<LinearTerm>& terms = view.plan.linear_terms;
  for (const LinearRow& row : view.active.linear_rows)
    for (int i = row.first_term; i < row.last_term; ++i) tau[terms[i].u] += lambda[row.row] * terms[i].coefficient;
}

void add_rates(const RowView& view, double t, NumbersOut e) {
  for (const LinearRow& row : view.active.linear_rows) {
    const Signal::Sample s = right_side(view, row, t);
    e[row.row] -= view.is_holonomic(row.row) ? s.rate : s.value;
  }
}

void acceleration_bias(const RowView& view, double t, NumbersOut b) {
  for (const LinearRow& row : view.active.linear_rows) {
    const Signal::Sample s = right_side(view, row, t);
    switch (view.level(row.row)) {
      case RowLevel::position: b[row.row] = s.acceleration; break;
      case RowLevel::velocity: b[row.row] = s.rate; break;
      case RowLevel::acceleration: b[row.row] = s.value; break;
    }
  }
}

}  // namespace polhode::tree::linear_rows
