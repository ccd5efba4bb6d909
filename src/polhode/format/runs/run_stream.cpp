#include "polhode/format/runs/run_stream.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string_view>

#include "polhode/format/plots/arrows.h"
#include "polhode/format/plots/scene.h"
#include "polhode/format/runs/little_endian.h"
#include "polhode/mechanism/builder.h"
#include "polhode/mechanism/conservation.h"

namespace polhode::format {
namespace {

constexpr std::size_t most_block_bytes = std::size_t(1) << 20;

void put_block(std::string& out, std::string_view tag, std::string_view payload) {
  out += tag;
  put(out, std::uint32_t(payload.size()));
  out += payload;
}
std::string block(std::string_view tag, std::string_view payload) {
  std::string out;
  put_block(out, tag, payload);
  return out;
}

std::string text(const nlohmann::json& json) { return json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace); }

void put_pose(std::string& out, const Transform<double>& X) {
  const Quaternion<double> q = quaternion(X.R);
  for (const double number : {X.p.x, X.p.y, X.p.z, q.w, q.x, q.y, q.z}) put(out, float(number));
}

/// Those of the further columns that are not there yet; says of each whether it was one of them.
std::vector<char> add_new(const std::vector<Column>& further, std::vector<Column>& columns) {
  std::vector<char> is_new;
  for (const Column& column : further) {
    const auto same = [&](const Column& other) { return other.name == column.name; };
    is_new.push_back(std::none_of(columns.begin(), columns.end(), same));
    if (is_new.back()) columns.push_back(column);
  }
  return is_new;
}

}  // namespace

RunStream::RunStream(const Mechanism& mechanism, RunHeader header, std::size_t most_bytes)
    : header_(std::move(header)),
      columns_(mechanism, {}, Columns::Momentum::included),
      all_columns_(columns_.list()),
      is_new_(add_new(header_.recorded, all_columns_)),
      row_bytes_(8 * all_columns_.size() + 28 * std::size_t(mechanism.num_bodies() - 1)),
      least_distance_((header_.time_end - header_.time_start) * double(row_bytes_) / double(most_bytes)) {}

std::string RunStream::head() const {
  const Mechanism& mechanism = columns_.mechanism();
  nlohmann::json columns = nlohmann::json::array();
  for (const Column& column : all_columns_) columns.push_back({{"name", column.name}, {"unit", column.unit}});
  nlohmann::json options = nlohmann::json::array();
  for (const auto& [name, value] : header_.options) options.push_back({name, value});
  std::string head = text({{"label", header_.label},
                           {"model", header_.model},
                           {"method", header_.method},
                           {"version", header_.version},
                           {"options", std::move(options)},
                           {"time", {header_.time_start, header_.time_end}},
                           {"keepsEnergy", keeps_energy(mechanism) && mechanism.description().events().empty()},
                           {"columns", std::move(columns)},
                           {"arrows", arrows_json(mechanism, all_columns_)}});
  head.pop_back();  // the closing brace: the scene, which may be large, goes in as the text that it is
  return block("HEAD", head + ",\"scene\":" + scene_json(mechanism) + "}");
}

void RunStream::add(const State& state, std::span<const double> recorded) {
  if (recorded.size() != is_new_.size())
    throw std::invalid_argument(
        fmt::format("{} numbers were given for {} quantities that are recorded", recorded.size(), is_new_.size()));
  const std::span<const double> row = columns_.row(state);
  // Not by counting rows, because nobody knows at the start how many steps a run takes. The rounding of times that are
  // multiples of the distance is no reason to leave a row out.
  const bool too_close = last_time_ && state.time() - *last_time_ < (1 - 1e-6) * least_distance_;
  std::string& out = too_close ? waiting_ : rows_;
  waiting_.clear();
  if (!too_close) last_time_ = state.time();
  if (too_close) ++left_out_;
  for (const double value : row) put(out, value);
  for (std::size_t i = 0; i < recorded.size(); ++i)
    if (is_new_[i]) put(out, recorded[i]);
  for (int b = 1; b < columns_.mechanism().num_bodies(); ++b) put_pose(out, state.pose(b));
}

std::string RunStream::take_rows() {
  const std::size_t piece = std::max<std::size_t>(1, most_block_bytes / row_bytes_) * row_bytes_;
  std::string out;
  for (std::string_view left = rows_; !left.empty(); left.remove_prefix(std::min(piece, left.size())))
    put_block(out, "ROWS", left.substr(0, piece));
  rows_.clear();
  return out;
}

std::string RunStream::take_last_rows() {
  if (!waiting_.empty()) --left_out_;
  rows_ += waiting_;
  waiting_.clear();
  return take_rows();
}

std::string RunStream::status(RunState state, double done, const std::string& message,
                              const std::vector<std::pair<std::string, std::string>>& summary) {
  nlohmann::json lines = nlohmann::json::array();
  for (const auto& [title, value] : summary) lines.push_back({title, value});
  return block("STAT", text({{"state", name(state)}, {"done", done}, {"message", message}, {"summary", std::move(lines)}}));
}

std::string RunStream::left_out() const {
  if (left_out_ == 0) return {};
  return fmt::format("{} rows are not shown: their size allows only rows at least {:.3g} s apart, and the last", left_out_,
                     least_distance_);
}

}  // namespace polhode::format
