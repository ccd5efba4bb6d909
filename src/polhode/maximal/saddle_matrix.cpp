#include "polhode/maximal/saddle_matrix.h"

#include <algorithm>

namespace polhode::maximal {
namespace {

/// A block of rows of eight as columns of eight, six of them.
template <int count>
void transpose(const double* rows, double* columns, bool zeros_below) {
  for (int c = 0; c < 6; ++c)
    for (int i = 0; i < count; ++i) columns[row_width * c + i] = rows[row_width * i + c];
  if (!zeros_below) return;
  for (int c = 0; c < 6; ++c)
    for (int i = count; i < row_width; ++i) columns[row_width * c + i] = 0;
}
void transpose(int count, const double* rows, double* columns, bool zeros_below) {
  switch (count) {
    case 1: return transpose<1>(rows, columns, zeros_below);
    case 2: return transpose<2>(rows, columns, zeros_below);
    case 3: return transpose<3>(rows, columns, zeros_below);
    case 4: return transpose<4>(rows, columns, zeros_below);
    case 5: return transpose<5>(rows, columns, zeros_below);
    default: return transpose<6>(rows, columns, zeros_below);
  }
}

bool follow_one_another(const SaddleLayout::Block& block, int count) {
  for (int k = 1; k < count; ++k)
    if (block.value[std::size_t(k)] != block.value[0] + row_width * k) return false;
  return true;
}

}  // namespace

SaddleMatrix::SaddleMatrix(SaddleLayout layout, SaddleBodies bodies)
    : layout_(std::move(layout)),
      bodies_(std::move(bodies)),
      ldu_(saddle_graph(layout_, bodies_.directions, bodies_.singular, bodies_.couplings)),
      compliances_(layout_.vector_size()) {
  std::vector<std::pair<int, int>> written_whole;
  for (int node = 0; node < layout_.num_bodies(); ++node) {
    diagonals_.push_back(ldu_.diagonal(node));
    written_whole.emplace_back(node, node);
  }
  const auto groups = layout_.groups();
  for (std::size_t g = 0; g < groups.size(); ++g) {
    const SaddleLayout::Group& group = groups[g];
    const int node = layout_.node_of_rows(group.node);
    for (const SaddleLayout::Block& block : layout_.blocks(group)) {
      const int body = block.body - 1;
      links_.push_back({ldu_.block(body, node) + row_width * group.first, ldu_.block(node, body) + group.first, block.value[0],
                        group.count, group.first == 0, bodies_.directions == 6 && follow_one_another(block, group.count)});
      written_whole.emplace_back(node, body);
      written_whole.emplace_back(body, node);
    }
    if (!is_weighted(layout_, group, bodies_.singular)) continue;
    const auto blocks = layout_.blocks();
    for (int a = group.first_block; a < group.first_block + group.num_blocks; ++a)
      for (int b = group.first_block; b < group.first_block + group.num_blocks; ++b)
        pairs_.push_back({int(g), a, b, coupling(blocks[std::size_t(a)].body, blocks[std::size_t(b)].body)});
  }
  ldu_.set_written_whole(written_whole);
  inactive_.reserve(layout_.rows().size());
}

double* SaddleMatrix::coupling(int body_a, int body_b) {
  return body_a == body_b ? ldu_.diagonal(body_a - 1) : ldu_.block(body_a - 1, body_b - 1);
}

void SaddleMatrix::set_active(const Constraints& constraints) {
  inactive_.clear();
  for (const SaddleLayout::Group& group : layout_.groups()) {
    if (constraints.elements()[std::size_t(group.element)].active) continue;
    double* const diagonal = ldu_.diagonal(layout_.node_of_rows(group.node));
    for (int k = group.first; k < group.first + group.count; ++k) inactive_.push_back(diagonal + (row_width + 1) * k);
  }
}

/// Rows beyond `count` are left out: zeros.
void SaddleMatrix::put(const Link& link, const SaddleLayout::Block& block, int count, std::span<const double> G1,
                       std::span<const double> G2) const {
  if (link.is_first)
    for (int c = 0; c < bodies_.directions; ++c) std::fill_n(link.rows + row_width * c, row_width, 0.0);
  for (int k = 0; k < link.count; ++k) {
    const std::size_t value = std::size_t(block.value[std::size_t(k)]);
    double* const column = link.columns + row_width * k;
    std::fill_n(column, row_width, 0.0);
    for (int c = 0; c < bodies_.directions; ++c) {
      column[c] = k < count ? G1[value + std::size_t(c)] : 0;
      link.rows[row_width * c + k] = k < count ? G2[value + std::size_t(c)] : 0;
    }
  }
}

void SaddleMatrix::put_rows(std::span<const double> G1, std::span<const double> G2, Levels levels) {
  const auto blocks = layout_.blocks();
  for (std::size_t i = 0; i < links_.size(); ++i) {
    const Link& link = links_[i];
    const int count = levels == Levels::all ? link.count : layout_.groups()[std::size_t(blocks[i].group)].num_position_rows;
    if (!link.is_stretch || count != link.count) {
      put(link, blocks[i], count, G1, G2);
      continue;
    }
    std::copy_n(G1.data() + link.first_value, count * row_width, link.columns);
    transpose(count, G2.data() + link.first_value, link.rows, link.is_first);
  }
  add_weights(G1, G2);
  for (double* const entry : inactive_) *entry -= 1;
}

void SaddleMatrix::add_weights(std::span<const double> G1, std::span<const double> G2) {
  const auto blocks = layout_.blocks();
  for (const Pair& pair : pairs_) {
    const int count = layout_.groups()[std::size_t(pair.group)].count;
    const auto &values_a = blocks[std::size_t(pair.block_a)].value, &values_b = blocks[std::size_t(pair.block_b)].value;
    double weighted[SaddleLayout::most_rows][row_width];
    for (int k = 0; k < count; ++k)
      for (int r = 0; r < row_width; ++r) weighted[k][r] = bodies_.weight * G1[std::size_t(values_a[std::size_t(k)] + r)];
    for (int c = 0; c < bodies_.directions; ++c) {
      double* const column = pair.to + row_width * c;
      double sum[row_width];  // where the compiler knows that nothing else is
      std::copy_n(column, row_width, sum);
      for (int k = 0; k < count; ++k) {
        const double b = G2[std::size_t(values_b[std::size_t(k)] + c)];
        for (int r = 0; r < row_width; ++r) sum[r] += weighted[k][r] * b;
      }
      std::copy_n(sum, row_width, column);
    }
  }
}

void SaddleMatrix::add_weighted_rows(std::span<const double> G1, std::span<double> b) const {
  const auto blocks = layout_.blocks();
  for (const Pair& pair : pairs_) {
    if (pair.block_a != pair.block_b) continue;
    const SaddleLayout::Block& block = blocks[std::size_t(pair.block_a)];
    const SaddleLayout::Group& group = layout_.groups()[std::size_t(pair.group)];
    const double* const of_rows = b.data() + layout_.place(group);
    double* const of_body = b.data() + row_width * (block.body - 1);
    for (int k = 0; k < group.count; ++k) {
      const double* const row = G1.data() + block.value[std::size_t(k)];
      for (int c = 0; c < bodies_.directions; ++c) of_body[c] += bodies_.weight * of_rows[k] * row[c];
    }
  }
}

void SaddleMatrix::add_compliances(std::span<const double> G, double part) {
  std::fill(compliances_.begin(), compliances_.end(), 0.0);
  for (const SaddleLayout::Group& group : layout_.groups()) {
    double* const of_rows = compliances_.data() + layout_.place(group);
    for (const SaddleLayout::Block& block : layout_.blocks(group)) {
      const double* const resistance = bodies_.resistance.data() + row_width * (block.body - 1);
      for (int k = 0; k < group.count; ++k) {
        const double* const row = G.data() + block.value[std::size_t(k)];
        for (int c = 0; c < bodies_.directions; ++c) of_rows[k] += part * row[c] * row[c] / resistance[c];
      }
    }
    double* const diagonal = ldu_.diagonal(layout_.node_of_rows(group.node)) + (row_width + 1) * group.first;
    for (int k = 0; k < group.count; ++k) diagonal[(row_width + 1) * k] -= of_rows[k];
  }
}

int SaddleMatrix::failed_body() const {
  const int node = ldu_.failed_node();
  return node >= 0 && node < layout_.num_bodies() ? node + 1 : -1;
}

}  // namespace polhode::maximal
