// The saddle-point matrix of both maximal methods against its definition, with and without elements that are off.
#include "polhode/maximal/saddle_matrix.h"

#include <gtest/gtest.h>

#include "polhode/maximal/compliant_solver.h"
#include "tests/support/allocation_counter.h"
#include "tests/support/twin_chains.h"

namespace polhode::maximal {
namespace {

using testing_support::TwinChains;

/// The matrix of two chains that constraints tie to each other, filled with masses of bodies and the rows where they are.
struct Filled {
  State state;
  Mechanism mechanism = state.mechanism();
  Constraints constraints{mechanism};
  std::vector<double> h, values;
  SaddleMatrix matrix;

  Filled(const State& at, SaddleLayout::Nodes nodes, std::vector<char> singular = {}, double weight = 0)
      : state(at),
        h(std::size_t(constraints.num_rows())),
        values(std::size_t(constraints.num_values())),
        matrix(SaddleLayout(constraints, nodes),
               {.singular = std::move(singular),
                .weight = weight,
                .resistance = std::vector<double>(std::size_t(row_width * (mechanism.num_bodies() - 1)), 1.0)}) {}

  void fill(double compliance = 0) {
    constraints.set_active(state.enabled());
    matrix.set_active(constraints);
    Bodies bodies;
    to_bodies(mechanism, state.q(), state.u(), bodies);
    constraints.errors_and_jacobian(0, bodies, state.q(), h, values);
    matrix.clear();
    for (int b = 1; b < mechanism.num_bodies(); ++b) {
      std::fill_n(matrix.body(b), 6 * row_width, 0.0);
      for (int i = 0; i < 6; ++i) matrix.body(b)[9 * i] = mass(b, i);
    }
    matrix.put_rows(values, values);
    if (compliance > 0) matrix.add_compliances(values, compliance);
    ASSERT_TRUE(matrix.factor());
  }
  double mass(int body, int i) const { return i < 3 ? 0.1 * body : 1 + body; }

  /// Numbers like no others, for bodies and for the rows that are on.
  std::vector<double> right_hand_side() const {
    const SaddleLayout& layout = matrix.layout();
    std::vector<double> x(layout.vector_size(), 0.0);
    for (int b = 0; b < layout.num_bodies(); ++b)
      for (int i = 0; i < 6; ++i) x[std::size_t(row_width * b + i)] = std::sin(1.0 + 6 * b + i);
    for (const SaddleLayout::Group& group : layout.groups())
      for (int k = 0; k < group.count && is_on(group); ++k)
        x[layout.place(group.first_use + k)] = std::cos(1.0 + group.first_use + k);
    return x;
  }
  bool is_on(const SaddleLayout::Group& group) const { return constraints.elements()[std::size_t(group.element)].active; }

  /// What is left of [D G^T; G -C] x = b, the largest number.
  double residual(const std::vector<double>& x, std::vector<double> b, bool with_compliance) const {
    const SaddleLayout& layout = matrix.layout();
    for (int body = 1; body <= layout.num_bodies(); ++body)
      for (int i = 0; i < 6; ++i) {
        const std::size_t place = std::size_t(row_width * (body - 1) + i);
        b[place] -= mass(body, i) * x[place];
      }
    for (const SaddleLayout::Group& group : layout.groups())
      for (int k = 0; k < group.count; ++k) {
        const std::size_t row = layout.place(group.first_use + k);
        if (with_compliance) b[row] += matrix.compliances()[row] * x[row];
        for (const SaddleLayout::Block& block : layout.blocks(group))
          for (int c = 0; c < 6; ++c) {
            const double entry = values[std::size_t(block.value[std::size_t(k)] + c)];
            const std::size_t on_body = std::size_t(row_width * (block.body - 1) + c);
            b[row] -= entry * x[on_body];
            b[on_body] -= entry * x[row];
          }
      }
    double largest = 0;
    for (const double left : b) largest = std::max(largest, std::abs(left));
    return largest;
  }
};

const State chains = testing_support::twin_chains({.swing = TwinChains::Swing::differently});

// Numbers of order one to ten, some forty of them, and a matrix that is far from singular: rounding leaves 1e-14 and less.
constexpr double rounding = 1e-11;

TEST(SaddleMatrix, SolvesWhatItIsMadeOf) {
  for (const auto nodes : {SaddleLayout::Nodes::by_element, SaddleLayout::Nodes::by_bodies})
    for (const auto& on : {std::initializer_list<int>{0, 1, 2}, {0, 2}, {1}, {}}) {
      Filled a(testing_support::with_only(chains, on), nodes);
      a.fill();
      std::vector<double> x = a.right_hand_side();
      a.matrix.solve(x);
      EXPECT_LT(a.residual(x, a.right_hand_side(), false), rounding) << on.size();
      EXPECT_EQ(a.matrix.rank_deficiency(), 0);
      for (const SaddleLayout::Group& group : a.matrix.layout().groups())
        if (!a.is_on(group)) {
          EXPECT_EQ(x[a.matrix.layout().place(group)], 0);
        }
    }
}

TEST(SaddleMatrix, GivesWeightsWithoutChangingTheSolution) {
  Filled plain(chains, SaddleLayout::Nodes::by_bodies);
  Filled weighted(chains, SaddleLayout::Nodes::by_bodies, {0, 1, 0, 1}, 3);
  plain.fill();
  weighted.fill();
  std::vector<double> x = plain.right_hand_side(), y = weighted.right_hand_side();
  plain.matrix.solve(x);
  weighted.matrix.add_weighted_rows(weighted.values, y);
  weighted.matrix.solve(y);
  for (std::size_t i = 0; i < x.size(); ++i) EXPECT_NEAR(x[i], y[i], rounding);
}

TEST(SaddleMatrix, HasCompliancesThatItsSolverTakesOutAgain) {
  Filled a(chains, SaddleLayout::Nodes::by_element);
  constexpr double compliance = 1e-4;
  a.fill(compliance);
  std::vector<double> soft = a.right_hand_side(), hard = soft;
  a.matrix.solve(soft);
  EXPECT_LT(a.residual(soft, a.right_hand_side(), true), rounding);
  EXPECT_GT(a.residual(soft, a.right_hand_side(), false), 1e-6);
  CompliantSolver solver(a.matrix.layout());
  solver.solve(a.matrix, {.part = compliance, .off = 0, .least = 1e-4, .refined = 1e-10}, hard);
  EXPECT_LT(a.residual(hard, a.right_hand_side(), false), 1e-9);
}

TEST(SaddleMatrix, IsSwitchedWithoutMemory) {
  Filled a(chains, SaddleLayout::Nodes::by_bodies);
  a.fill();
  const std::vector<char> none(3, 0), all(3, 1);
  EXPECT_EQ(testing_support::allocations_in([&] {
              for (const auto* enabled : {&none, &all, &none}) {
                a.constraints.set_active(*enabled);
                a.matrix.set_active(a.constraints);
              }
            }),
            0);
}

TEST(SaddleMatrix, HasRowsOfElementsBetweenTheSameBodiesInOneNode) {
  // The ball's three rows and those of the first three wires fit into one node, those of the fourth do not.
  MechanismBuilder b;
  b.add_body({.name = "one", .mass = MassProperties::box(1, {0.1, 0.2, 0.3}, {})})
      .add_body({.name = "two", .mass = MassProperties::box(1, {0.1, 0.2, 0.3}, {})});
  b.add_joint({.name = "free", .model = Free{}, .child = "one"});
  b.add_joint({.name = "ball", .model = Ball{}, .parent = "one", .child = "two"});
  for (const std::string& name : {std::string("1"), std::string("2"), std::string("3"), std::string("4")}) {
    b.add_frame({.name = "a" + name, .body = "one", .X_BF = {Mat3<double>::identity(), {1, 0, 0}}});
    b.add_frame({.name = "b" + name, .body = "two", .X_BF = {Mat3<double>::identity(), {0, 1, 0}}});
    b.add_constraint({.name = name, .model = WireSpec{"a" + name, "b" + name, 1.4}});
  }
  const Constraints constraints(b.build());
  const SaddleLayout apart(constraints, SaddleLayout::Nodes::by_element), shared(constraints, SaddleLayout::Nodes::by_bodies);
  ASSERT_EQ(apart.nodes().size(), 5u);
  ASSERT_EQ(shared.nodes().size(), 2u);
  EXPECT_EQ(shared.nodes()[0].size, SaddleLayout::most_rows);
  EXPECT_EQ(shared.nodes()[1].size, 1);
  EXPECT_EQ(shared.place(4), shared.place(3) + 1);
  EXPECT_EQ(shared.rows().size(), apart.rows().size());
}

}  // namespace
}  // namespace polhode::maximal
