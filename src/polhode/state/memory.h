#pragma once
#include <cstring>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

namespace polhode {

/// What something needs to go on as if it had never stopped, as bytes of this machine.
///
/// One function saves and restores: it hands over its members, always in the same order, to a Memory that either takes them
/// down or gives them back. So the two cannot differ.
class Memory {
 public:
  /// Takes values down.
  Memory() = default;
  /// Gives them back.
  explicit Memory(std::string bytes) : bytes_(std::move(bytes)), restores_(true) {}

  bool restores() const { return restores_; }
  const std::string& bytes() const { return bytes_; }
  /// Everything was given back.
  bool at_end() const { return next_ == bytes_.size(); }

  /// Throws std::runtime_error when there is nothing left to give back.
  template <class... T>
  void operator()(T&... values) {
    (one(values), ...);
  }

 private:
  template <class T>
  static constexpr bool plain = std::is_trivially_copyable_v<T>;

  void raw(void* data, std::size_t size) {
    if (!restores_) {
      bytes_.append(static_cast<const char*>(data), size);
      return;
    }
    require(size);
    std::memcpy(data, bytes_.data() + next_, size);
    next_ += size;
  }
  void require(std::size_t size) const {
    if (size > bytes_.size() - next_) throw std::runtime_error("the checkpoint belongs to another model or version");
  }
  std::size_t length(std::size_t now, std::size_t bytes_each) {
    raw(&now, sizeof now);
    if (restores_ && bytes_each > 0 && now > (bytes_.size() - next_) / bytes_each) require(bytes_.size() + 1);
    return now;
  }

  template <class T>
  requires plain<T>
  void one(T& value) { raw(&value, sizeof value); }
  void one(std::string& text) {
    text.resize(length(text.size(), 1));
    raw(text.data(), text.size());
  }
  template <class A, class B>
  requires(!plain<std::pair<A, B>>) void one(std::pair<A, B>& pair) { one(pair.first), one(pair.second); }
  /// Lists of any kind: vectors, queues.
  template <class List>
  requires(!plain<List> && requires(List & list) { list.resize(1), list.begin(), list.end(); }) void one(List& list) {
    list.resize(length(list.size(), 1));
    using Value = typename List::value_type;
    if constexpr (plain<Value> && requires { list.data(); }) {
      if (!list.empty()) raw(list.data(), list.size() * sizeof(Value));
    } else {
      for (auto& value : list) one(value);
    }
  }
  template <class T>
  requires(!plain<T> && requires(T & value, Memory& memory) { value.remember(memory); }) void one(T& value) {
    value.remember(*this);
  }

  std::string bytes_;
  std::size_t next_ = 0;
  bool restores_ = false;
};

}  // namespace polhode
