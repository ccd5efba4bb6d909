#include "polhode/format/runs/h5.h"

#include <fmt/format.h>

#include <cstring>
#include <stdexcept>

#include "polhode/format/runs/h5_driver.h"

namespace polhode::format::h5 {
namespace {

constexpr hsize_t most_bytes = hsize_t(1) << 30;  // of one text or list: beyond that a file is damaged

/// HDF5's own word on the failure nearest to its cause.
std::string reason() {
  if (const int error = last_error(); error > 0) return std::strerror(error);
  std::string text;
  H5Ewalk2(
      H5E_DEFAULT, H5E_WALK_DOWNWARD,
      [](unsigned, const H5E_error2_t* error, void* result) -> herr_t {
        if (error->desc && error->desc[0]) *static_cast<std::string*>(result) = error->desc;
        return 0;
      },
      &text);
  return text.empty() ? "HDF5 gives no reason" : text;
}

Id scalar() { return {H5Screate(H5S_SCALAR), H5Sclose, "a data space"}; }
Id simple(std::vector<hsize_t> now, std::vector<hsize_t> most = {}) {
  return {H5Screate_simple(int(now.size()), now.data(), most.empty() ? nullptr : most.data()), H5Sclose, "a data space"};
}

Id attribute(hid_t object, const std::string& name) {
  return {H5Aopen(object, name.c_str(), H5P_DEFAULT), H5Aclose, fmt::format("attribute \"{}\"", name)};
}

void put(hid_t object, const std::string& name, const Id& type, const Id& space, const void* value) {
  const std::string what = fmt::format("writing attribute \"{}\"", name);
  const Id made(H5Acreate2(object, name.c_str(), *type, *space, H5P_DEFAULT, H5P_DEFAULT), H5Aclose, what);
  if (H5Sget_simple_extent_npoints(*space) > 0) require(H5Awrite(*made, *type, value), what);
}

/// HDF5 reads texts of any length as pointers to memory of its own; numbers in their place would be taken for such.
void require_texts(const Id& type, const std::string& what) {
  if (H5Tget_class(*type) != H5T_STRING || H5Tis_variable_str(*type) <= 0) throw std::runtime_error(what + " is no text");
}

/// As many texts as the space holds, through a read of pointers.
template <class Read>
std::vector<std::string> texts_of(const Id& type, const Id& space, const std::string& what, Read read) {
  require_texts(type, what);
  const hssize_t count = H5Sget_simple_extent_npoints(*space);
  if (count < 0 || hsize_t(count) * sizeof(char*) > most_bytes) throw std::runtime_error(what + " is damaged");
  std::vector<char*> pointers(std::size_t(count), nullptr);
  const Id memory = text_type();
  if (count > 0) require(read(*memory, pointers.data()), what);
  std::vector<std::string> result;
  for (const char* text : pointers) result.emplace_back(text ? text : "");
  if (count > 0) H5Dvlen_reclaim(*memory, *space, H5P_DEFAULT, pointers.data());
  return result;
}

Id number_type() { return {H5Tcopy(H5T_NATIVE_DOUBLE), H5Tclose, "a type"}; }

std::vector<const char*> pointers_to(std::span<const std::string> texts) {
  std::vector<const char*> pointers;
  for (const std::string& text : texts) pointers.push_back(text.c_str());
  return pointers;
}

}  // namespace

Id::Id(hid_t id, Close close, std::string_view what) : id_(id), close_(close) {
  if (id < 0) require(-1, what);
}

herr_t Id::reset() { return id_ < 0 ? 0 : close_(std::exchange(id_, -1)); }

Quiet::Quiet() {
  H5Eget_auto2(H5E_DEFAULT, &print_, &data_);
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
}
Quiet::~Quiet() { H5Eset_auto2(H5E_DEFAULT, print_, data_); }

void require(herr_t result, std::string_view what) {
  if (result < 0) throw std::runtime_error(fmt::format("{} failed: {}", what, reason()));
}

Id text_type() {
  Id type(H5Tcopy(H5T_C_S1), H5Tclose, "a type");
  require(H5Tset_size(*type, H5T_VARIABLE), "a type");
  require(H5Tset_cset(*type, H5T_CSET_UTF8), "a type");
  return type;
}

Id create_group(hid_t parent, const std::string& name) {
  const Id creation(H5Pcreate(H5P_GROUP_CREATE), H5Pclose, "properties");
  require(H5Pset_attr_creation_order(*creation, H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED), "properties");
  return {H5Gcreate2(parent, name.c_str(), H5P_DEFAULT, *creation, H5P_DEFAULT), H5Gclose, fmt::format("group \"{}\"", name)};
}
Id open_group(hid_t parent, const std::string& name) {
  return {H5Gopen2(parent, name.c_str(), H5P_DEFAULT), H5Gclose, fmt::format("group \"{}\"", name)};
}
Id open_dataset(hid_t parent, const std::string& name) {
  // No cache of chunks: what is written goes to the file at once, before the sizes that make it visible.
  const Id access(H5Pcreate(H5P_DATASET_ACCESS), H5Pclose, "properties");
  require(H5Pset_chunk_cache(*access, 0, 0, 0), "properties");
  return {H5Dopen2(parent, name.c_str(), *access), H5Dclose, fmt::format("dataset \"{}\"", name)};
}
bool has(hid_t parent, const std::string& name) { return H5Lexists(parent, name.c_str(), H5P_DEFAULT) > 0; }

std::vector<hsize_t> extent(hid_t dataset, int rank) {
  const Id space(H5Dget_space(dataset), H5Sclose, "a data space");
  if (H5Sget_simple_extent_ndims(*space) != rank) throw std::runtime_error("a dataset has the wrong number of dimensions");
  std::vector<hsize_t> sizes(std::size_t(rank), 0);
  require(H5Sget_simple_extent_dims(*space, sizes.data(), nullptr), "sizes of a dataset");
  return sizes;
}

void put_attribute(hid_t object, const std::string& name, const char* text) { put(object, name, text_type(), scalar(), &text); }
void put_attribute(hid_t object, const std::string& name, const std::string& text) {
  put_attribute(object, name, text.c_str());
}
void put_attribute(hid_t object, const std::string& name, int value) {
  put(object, name, {H5Tcopy(H5T_NATIVE_INT), H5Tclose, "a type"}, scalar(), &value);
}
void put_attribute(hid_t object, const std::string& name, double value) { put(object, name, number_type(), scalar(), &value); }
void put_attribute(hid_t object, const std::string& name, std::span<const std::string> texts) {
  put(object, name, text_type(), simple({texts.size()}), pointers_to(texts).data());
}

bool has_attribute(hid_t object, const std::string& name) { return H5Aexists(object, name.c_str()) > 0; }

std::vector<std::string> texts_attribute(hid_t object, const std::string& name) {
  const Id made = attribute(object, name);
  const Id type(H5Aget_type(*made), H5Tclose, name), space(H5Aget_space(*made), H5Sclose, name);
  return texts_of(type, space, fmt::format("attribute \"{}\"", name),
                  [&](hid_t memory, void* to) { return H5Aread(*made, memory, to); });
}
std::string text_attribute(hid_t object, const std::string& name) {
  const std::vector<std::string> all = texts_attribute(object, name);
  if (all.size() != 1) throw std::runtime_error(fmt::format("attribute \"{}\" is not a text", name));
  return all.front();
}
double number_attribute(hid_t object, const std::string& name) {
  const Id made = attribute(object, name);
  const Id type(H5Aget_type(*made), H5Tclose, name), space(H5Aget_space(*made), H5Sclose, name);
  const H5T_class_t kind = H5Tget_class(*type);
  if ((kind != H5T_FLOAT && kind != H5T_INTEGER) || H5Sget_simple_extent_npoints(*space) != 1)
    throw std::runtime_error(fmt::format("attribute \"{}\" is not a number", name));
  double value = 0;
  require(H5Aread(*made, H5T_NATIVE_DOUBLE, &value), fmt::format("attribute \"{}\"", name));
  return value;
}

std::vector<std::string> attribute_names(hid_t group) {
  std::vector<std::string> names;
  require(H5Aiterate2(
              group, H5_INDEX_CRT_ORDER, H5_ITER_INC, nullptr,
              [](hid_t, const char* name, const H5A_info_t*, void* result) -> herr_t {
                static_cast<std::vector<std::string>*>(result)->emplace_back(name);
                return 0;
              },
              &names),
          "a list of attributes");
  return names;
}

void put_texts(hid_t parent, const std::string& name, std::span<const std::string> texts) {
  const std::string what = fmt::format("writing \"{}\"", name);
  const Id type = text_type(), space = simple({texts.size()});
  const Id made(H5Dcreate2(parent, name.c_str(), *type, *space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Dclose, what);
  if (!texts.empty()) require(H5Dwrite(*made, *type, H5S_ALL, H5S_ALL, H5P_DEFAULT, pointers_to(texts).data()), what);
}
std::vector<std::string> texts(hid_t parent, const std::string& name) {
  const Id made = open_dataset(parent, name);
  const Id type(H5Dget_type(*made), H5Tclose, name), space(H5Dget_space(*made), H5Sclose, name);
  return texts_of(type, space, fmt::format("dataset \"{}\"", name),
                  [&](hid_t memory, void* to) { return H5Dread(*made, memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, to); });
}

Id create_bytes(hid_t parent, const std::string& name, hsize_t chunk) {
  const std::string what = fmt::format("making \"{}\"", name);
  const Id creation(H5Pcreate(H5P_DATASET_CREATE), H5Pclose, what), space = simple({0}, {H5S_UNLIMITED});
  require(H5Pset_chunk(*creation, 1, &chunk), what);
  require(H5Pset_fill_time(*creation, H5D_FILL_TIME_NEVER), what);
  return {H5Dcreate2(parent, name.c_str(), H5T_STD_U8LE, *space, H5P_DEFAULT, *creation, H5P_DEFAULT), H5Dclose, what};
}

void write_bytes(hid_t dataset, std::string_view bytes) {
  const hsize_t size = bytes.size(), now = extent(dataset, 1).front();
  if (size > now) require(H5Dset_extent(dataset, &size), "growing a list");
  if (size == 0) return;
  const Id file(H5Dget_space(dataset), H5Sclose, "a data space"), memory = simple({size});
  const hsize_t first = 0;
  require(H5Sselect_hyperslab(*file, H5S_SELECT_SET, &first, nullptr, &size, nullptr), "choosing bytes");
  require(H5Dwrite(dataset, H5T_NATIVE_UINT8, *memory, *file, H5P_DEFAULT, bytes.data()), "writing bytes");
}
std::string read_bytes(hid_t dataset) {
  const Id type(H5Dget_type(dataset), H5Tclose, "a type");
  if (H5Tget_class(*type) != H5T_INTEGER || H5Tget_size(*type) != 1) throw std::runtime_error("a list of bytes is none");
  const hsize_t size = extent(dataset, 1).front();
  if (size > most_bytes) throw std::runtime_error("a list of bytes is damaged");
  std::string bytes(std::size_t(size), '\0');
  if (size > 0) require(H5Dread(dataset, H5T_NATIVE_UINT8, H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes.data()), "reading bytes");
  return bytes;
}

}  // namespace polhode::format::h5
