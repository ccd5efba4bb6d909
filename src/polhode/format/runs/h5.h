#pragma once
#include <hdf5.h>

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// The little of HDF5's C interface that run files need: identifiers that close themselves, failures that throw.
namespace polhode::format::h5 {

/// Closes what it holds when it goes.
class Id {
 public:
  using Close = herr_t (*)(hid_t);
  Id() = default;
  /// Throws std::runtime_error that names what failed, with the reason that HDF5 or the system gives.
  Id(hid_t id, Close close, std::string_view what);
  Id(Id&& other) noexcept : id_(std::exchange(other.id_, -1)), close_(other.close_) {}
  Id& operator=(Id&& other) noexcept {
    std::swap(id_, other.id_), std::swap(close_, other.close_);
    return *this;
  }
  ~Id() { reset(); }

  hid_t operator*() const { return id_; }
  explicit operator bool() const { return id_ >= 0; }
  /// What closing says: negative when it failed.
  herr_t reset();

 private:
  hid_t id_ = -1;
  Close close_ = nullptr;
};

/// HDF5 prints its errors unless told not to; while this lives it does not.
class Quiet {
 public:
  Quiet();
  ~Quiet();
  Quiet(const Quiet&) = delete;

 private:
  H5E_auto2_t print_ = nullptr;
  void* data_ = nullptr;
};

/// Throws std::runtime_error when a call failed (negative).
void require(herr_t result, std::string_view what);

/// Text of any length, UTF-8.
Id text_type();
Id create_group(hid_t parent, const std::string& name);
Id open_group(hid_t parent, const std::string& name);
Id open_dataset(hid_t parent, const std::string& name);
bool has(hid_t parent, const std::string& name);
/// One-dimensional sizes, or those of a table; throws when the rank is another.
std::vector<hsize_t> extent(hid_t dataset, int rank);

void put_attribute(hid_t object, const std::string& name, const char* text);
void put_attribute(hid_t object, const std::string& name, const std::string& text);
void put_attribute(hid_t object, const std::string& name, double value);
void put_attribute(hid_t object, const std::string& name, int value);
void put_attribute(hid_t object, const std::string& name, std::span<const std::string> texts);
bool has_attribute(hid_t object, const std::string& name);
std::string text_attribute(hid_t object, const std::string& name);
double number_attribute(hid_t object, const std::string& name);
std::vector<std::string> texts_attribute(hid_t object, const std::string& name);
/// In the order in which they were made.
std::vector<std::string> attribute_names(hid_t group);

/// A list of texts as a dataset.
void put_texts(hid_t parent, const std::string& name, std::span<const std::string> texts);
std::vector<std::string> texts(hid_t parent, const std::string& name);

/// A list of bytes that can grow and be written over.
Id create_bytes(hid_t parent, const std::string& name, hsize_t chunk);
void write_bytes(hid_t dataset, std::string_view bytes);
std::string read_bytes(hid_t dataset);

}  // namespace polhode::format::h5
