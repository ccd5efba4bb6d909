#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

namespace polhode {

/// Names of one kind and the indices they stand for.
class NameTable {
 public:
  void reserve(size_t count) { index_.reserve(count); }
  /// Leaves the table as it is and returns false when the name is taken.
  bool add(std::string_view name, int index) { return index_.emplace(name, index).second; }
  std::optional<int> find(std::string_view name) const {
    const auto it = index_.find(name);
    return it == index_.end() ? std::nullopt : std::optional(it->second);
  }

 private:
  struct Hash {
    using is_transparent = void;  // look-ups by string_view make no string
    size_t operator()(std::string_view name) const { return std::hash<std::string_view>{}(name); }
  };
  std::unordered_map<std::string, int, Hash, std::equal_to<>> index_;
};

}  // namespace polhode
