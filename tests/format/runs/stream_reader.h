#pragma once
#include <cstring>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

/// Reads the stream of a run as its description says (docs/stream.md), with nothing of the code that writes it. Machines that
/// run the tests are little endian.
namespace polhode::format {

struct StreamRow {
  std::vector<double> columns;
  std::vector<std::array<float, 7>> poses;  ///< of each body but Ground: x y z qw qx qy qz
};

struct Stream {
  nlohmann::json head;
  std::vector<StreamRow> rows;
  std::vector<nlohmann::json> status;
  std::vector<std::size_t> row_blocks;  ///< bytes of each ROWS
};

inline void read_rows(std::string_view payload, Stream& out) {
  const std::size_t columns = out.head["columns"].size(), bodies = out.head["scene"]["bodies"].size() - 1;
  const std::size_t row_bytes = 8 * columns + 28 * bodies;
  if (payload.size() % row_bytes != 0) throw std::runtime_error("a block ends inside a row");
  for (; !payload.empty(); payload.remove_prefix(row_bytes)) {
    StreamRow row{std::vector<double>(columns), std::vector<std::array<float, 7>>(bodies)};
    std::memcpy(row.columns.data(), payload.data(), 8 * columns);
    std::memcpy(row.poses.data(), payload.data() + 8 * columns, 28 * bodies);
    out.rows.push_back(std::move(row));
  }
}

inline Stream read_stream(std::string_view bytes) {
  Stream out;
  while (!bytes.empty()) {
    if (bytes.size() < 8) throw std::runtime_error("the stream ends inside a block's head");
    const std::string tag(bytes.substr(0, 4));
    std::uint32_t length = 0;
    std::memcpy(&length, bytes.data() + 4, 4);
    if (bytes.size() - 8 < length) throw std::runtime_error("the stream ends inside a block");
    const std::string_view payload = bytes.substr(8, length);
    if ((tag == "HEAD") != out.head.is_null()) throw std::runtime_error("HEAD is the first block, and once");
    if (tag == "HEAD") {
      out.head = nlohmann::json::parse(payload);
    } else if (tag == "STAT") {
      out.status.push_back(nlohmann::json::parse(payload));
    } else if (tag == "ROWS") {
      out.row_blocks.push_back(payload.size());
      read_rows(payload, out);
    } else {
      throw std::runtime_error("there is no block " + tag);
    }
    bytes.remove_prefix(8 + length);
  }
  return out;
}

}  // namespace polhode::format
