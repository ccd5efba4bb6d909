#include "polhode/format/plots/run_samples.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace polhode::format {

RunSamples::RunSamples(const Mechanism& mechanism, std::vector<int> traced_frames, const std::vector<study::Quantity>& recorded)
    : columns_(mechanism, {}, Columns::Momentum::included, recorded),
      first_recorded_(columns_.size() - columns_.num_recorded()),
      traced_(std::move(traced_frames)) {
  constexpr std::size_t most_numbers = 1 << 23;  // 64 MB
  const std::size_t points = traced_.empty() ? std::size_t(mechanism.num_bodies()) : traced_.size();
  most_ = std::clamp<std::size_t>(most_numbers / (columns_.size() + 3 * points), 100, 2000);
}

void RunSamples::add(const State& state) {
  const std::span<const double> values = columns_.row(state);
  last_.assign(values.begin(), values.end());
  const auto trace = [&](const Vec3<double>& p) { last_.insert(last_.end(), {p.x, p.y, p.z}); };
  for (const int frame : traced_) trace(state.frame_pose(frame).p);
  if (traced_.empty())
    for (int b = 0; b < state.mechanism().num_bodies(); ++b)
      trace(state.pose(b) * state.mechanism().bodies()[std::size_t(b)].mass.com);

  if (seen_++ % every_ != 0) return;
  if (rows_.size() == most_) {  // twice as far apart from now on
    for (std::size_t i = 0; 2 * i < rows_.size(); ++i) rows_[i].swap(rows_[2 * i]);
    rows_.resize((rows_.size() + 1) / 2);
    every_ *= 2;
    if ((seen_ - 1) % every_ != 0) return;
  }
  rows_.push_back(last_);
  last_.clear();
}

std::vector<double> RunSamples::values(std::size_t column) const {
  std::vector<double> result;
  for (std::size_t i = 0; i < size(); ++i) result.push_back(row(i)[column]);
  return result;
}

std::vector<double> RunSamples::values(std::string_view column) const {
  const auto& list = columns_.list();
  const auto found = std::find_if(list.begin(), list.end(), [&](const Column& c) { return c.name == column; });
  if (found == list.end()) throw std::invalid_argument(fmt::format("there is no column \"{}\"", column));
  return values(std::size_t(found - list.begin()));
}

RunSamples::Path RunSamples::path(std::size_t point, std::string name) const {
  Path result{std::move(name), {}};
  const std::size_t at = columns_.size() + 3 * point;
  for (std::size_t i = 0; i < size(); ++i) result.points.push_back({row(i)[at], row(i)[at + 1], row(i)[at + 2]});
  return result;
}

int RunSamples::farthest_body() const {
  int farthest = 0;
  double most = 0;
  for (int b = 1; b < columns_.mechanism().num_bodies(); ++b) {
    const std::vector<Vec3<double>> points = path(std::size_t(b), {}).points;
    double reach = 0;
    for (const Vec3<double>& p : points) reach = std::max(reach, norm(p - points.front()));
    if (reach > most) farthest = b, most = reach;
  }
  return farthest;
}

std::vector<RunSamples::Path> RunSamples::paths() const {
  std::vector<Path> result;
  for (std::size_t i = 0; i < traced_.size(); ++i)
    result.push_back(path(i, columns_.mechanism().frames()[std::size_t(traced_[i])].name));
  if (!traced_.empty() || size() == 0) return result;
  if (const int b = farthest_body(); b > 0)
    result.push_back(
        path(std::size_t(b), fmt::format("centre of mass of \"{}\"", columns_.mechanism().bodies()[std::size_t(b)].name)));
  return result;
}

}  // namespace polhode::format
