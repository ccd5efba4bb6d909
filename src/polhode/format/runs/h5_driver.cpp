#include "polhode/format/runs/h5_driver.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <stdexcept>

namespace polhode::format::h5 {
namespace {

/// The head of a file, version 3 of HDF5's superblock: signature, version, two sizes, the mark, four addresses, checksum.
namespace head {
constexpr std::array<unsigned char, 9> begins{0x89, 'H', 'D', 'F', '\r', '\n', 0x1a, '\n', 3};
constexpr std::size_t size = 48, mark = 11, end_of_file = 28, checksum = 44;

std::uint32_t word(const unsigned char* bytes) {
  return bytes[0] | std::uint32_t(bytes[1]) << 8 | std::uint32_t(bytes[2]) << 16 | std::uint32_t(bytes[3]) << 24;
}

std::uint64_t end_told_by(const unsigned char* bytes) {
  return word(bytes + end_of_file) | std::uint64_t(word(bytes + end_of_file + 4)) << 32;
}

std::uint32_t turned(std::uint32_t x, int k) { return x << k | x >> (32 - k); }

/// Bob Jenkins' lookup3 of the bytes before the checksum: three whole rounds of 12 bytes and a last one of 8.
std::uint32_t checksum_of(const unsigned char* bytes) {
  std::uint32_t a = 0xdeadbeef + std::uint32_t(checksum), b = a, c = a;
  std::size_t left = checksum;
  for (; left > 12; left -= 12, bytes += 12) {
    a += word(bytes), b += word(bytes + 4), c += word(bytes + 8);
    a -= c, a ^= turned(c, 4), c += b;
    b -= a, b ^= turned(a, 6), a += c;
    c -= b, c ^= turned(b, 8), b += a;
    a -= c, a ^= turned(c, 16), c += b;
    b -= a, b ^= turned(a, 19), a += c;
    c -= b, c ^= turned(b, 4), b += a;
  }
  a += word(bytes), b += word(bytes + 4);
  c ^= b, c -= turned(b, 14);
  a ^= c, a -= turned(c, 11);
  b ^= a, b -= turned(a, 25);
  c ^= b, c -= turned(b, 16);
  a ^= c, a -= turned(c, 4);
  b ^= a, b -= turned(a, 14);
  c ^= b, c -= turned(b, 24);
  return c;
}
}  // namespace head
using Head = std::array<unsigned char, head::size>;

/// HDF5 reaches the first member through a pointer to the whole.
struct DriverFile {
  H5FD_t shared{};
  int descriptor = -1;
  haddr_t end_of_allocated = 0, end_of_file = 0;
  struct stat identity {};
  bool failed = false;
  Head head{};  // as it was written last
  haddr_t end_by_head = 0;
};

DriverFile& of(H5FD_t* file) { return *reinterpret_cast<DriverFile*>(file); }
const DriverFile& of(const H5FD_t* file) { return *reinterpret_cast<const DriverFile*>(file); }

herr_t fail(int error) {
  if (last_error() == 0) last_error() = error;
  return -1;
}

struct flock whole_file(short type) {
  struct flock lock {};
  lock.l_type = type;
  lock.l_whence = SEEK_SET;
  return lock;
}

bool is_head(haddr_t address, std::size_t size, const void* bytes) {
  return address == 0 && size >= head::size && std::memcmp(bytes, head::begins.data(), head::begins.size()) == 0;
}

H5FD_t* open_file(const char* name, unsigned flags, hid_t, haddr_t) {
  const bool writes = (flags & H5F_ACC_RDWR) != 0;
  int mode = writes ? O_RDWR : O_RDONLY;
  if (flags & H5F_ACC_CREAT) mode |= O_CREAT;
  if (flags & H5F_ACC_EXCL) mode |= O_EXCL;
  const int descriptor = ::open(name, mode | O_CLOEXEC, 0666);
  if (descriptor < 0) return fail(errno), nullptr;
  const auto give_up = [&](int error) -> H5FD_t* {
    fail(error);
    ::close(descriptor);
    return nullptr;
  };
  struct flock lock = whole_file(F_WRLCK);
  if (writes && fcntl(descriptor, F_OFD_SETLK, &lock) != 0 && (errno == EAGAIN || errno == EACCES))
    return give_up(locked_by_other);  // file systems without locks let everyone in
  struct stat identity {};
  if (fstat(descriptor, &identity) != 0) return give_up(errno);
  if (S_ISDIR(identity.st_mode)) return give_up(EISDIR);
  if ((flags & H5F_ACC_TRUNC) && S_ISREG(identity.st_mode)) {
    if (ftruncate(descriptor, 0) != 0) return give_up(errno);
    identity.st_size = 0;
  }
  auto* file = new DriverFile;
  file->descriptor = descriptor;
  file->end_of_file = haddr_t(identity.st_size);
  file->identity = identity;
  if (pread(descriptor, file->head.data(), head::size, 0) == ssize_t(head::size) && is_head(0, head::size, file->head.data()))
    file->end_by_head = head::end_told_by(file->head.data());
  last_error() = 0;  // HDF5 tries to open a file before it makes a new one
  return &file->shared;
}

herr_t close_file(H5FD_t* file) {
  const bool good = ::close(of(file).descriptor) == 0 || of(file).failed;
  const int error = errno;
  delete &of(file);
  return good ? 0 : fail(error);
}

int compare(const H5FD_t* a, const H5FD_t* b) {
  const struct stat &x = of(a).identity, &y = of(b).identity;
  if (x.st_dev != y.st_dev) return x.st_dev < y.st_dev ? -1 : 1;
  return x.st_ino == y.st_ino ? 0 : x.st_ino < y.st_ino ? -1 : 1;
}

herr_t query(const H5FD_t*, unsigned long* flags) {
  // No gathering of metadata: its order matters.
  if (flags)
    *flags = H5FD_FEAT_AGGREGATE_METADATA | H5FD_FEAT_AGGREGATE_SMALLDATA | H5FD_FEAT_POSIX_COMPAT_HANDLE |
             H5FD_FEAT_SUPPORTS_SWMR_IO | H5FD_FEAT_DEFAULT_VFD_COMPATIBLE;
  return 0;
}

haddr_t end_of_allocated(const H5FD_t* file, H5FD_mem_t) { return of(file).end_of_allocated; }
herr_t set_end_of_allocated(H5FD_t* file, H5FD_mem_t, haddr_t address) {
  of(file).end_of_allocated = address;
  return 0;
}
haddr_t end_of_file(const H5FD_t* file, H5FD_mem_t) { return of(file).end_of_file; }

herr_t handle(H5FD_t* file, hid_t, void** result) {
  *result = &of(file).descriptor;
  return 0;
}

/// What is behind the end reads as zeros.
herr_t read(H5FD_t* file, H5FD_mem_t, hid_t, haddr_t address, std::size_t size, void* buffer) {
  char* to = static_cast<char*>(buffer);
  while (size > 0) {
    const ssize_t count = pread(of(file).descriptor, to, size, off_t(address));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return fail(errno);
    if (count == 0) {
      std::memset(to, 0, size);
      break;
    }
    to += count, address += haddr_t(count), size -= std::size_t(count);
  }
  return 0;
}

herr_t stop_writing(DriverFile& file, int error) {
  file.failed = true;
  return fail(error);
}

herr_t put(DriverFile& file, haddr_t address, std::size_t size, const void* bytes) {
  const char* from = static_cast<const char*>(bytes);
  while (size > 0) {
    const ssize_t count = pwrite(file.descriptor, from, size, off_t(address));
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return stop_writing(file, count < 0 ? errno : ENOSPC);
    from += count, address += haddr_t(count), size -= std::size_t(count);
  }
  file.end_of_file = std::max(file.end_of_file, address);
  return 0;
}

herr_t set_length(DriverFile& file, haddr_t length) {
  if (S_ISREG(file.identity.st_mode) && ftruncate(file.descriptor, off_t(length)) != 0) return stop_writing(file, errno);
  file.end_of_file = length;
  return 0;
}

/// Without the mark, and with an end that the file already has.
herr_t put_head(DriverFile& file, haddr_t length) {
  const auto store = [&](std::size_t at, std::uint64_t value, std::size_t size) {
    for (std::size_t i = 0; i < size; ++i) file.head[at + i] = static_cast<unsigned char>(value >> 8 * i);
  };
  store(head::mark, 0, 1);
  store(head::end_of_file, length, 8);
  store(head::checksum, head::checksum_of(file.head.data()), 4);
  if (length > file.end_of_file && set_length(file, length) != 0) return -1;
  file.end_by_head = length;
  return put(file, 0, file.head.size(), file.head.data());
}

herr_t write(H5FD_t* shared, H5FD_mem_t, hid_t, haddr_t address, std::size_t size, const void* bytes) {
  DriverFile& file = of(shared);
  if (file.failed) return 0;
  if (is_head(address, size, bytes)) {
    std::memcpy(file.head.data(), bytes, file.head.size());
    if (put_head(file, file.end_of_allocated) != 0) return -1;
    address += head::size, size -= head::size, bytes = static_cast<const char*>(bytes) + head::size;
  } else if (file.end_by_head != 0 && file.end_of_allocated > file.end_by_head) {
    // Nothing may point beyond the end that the head tells: readers would not follow.
    if (put_head(file, file.end_of_allocated) != 0) return -1;
  }
  return put(file, address, size, bytes);
}

herr_t truncate(H5FD_t* shared, hid_t, hbool_t) {
  DriverFile& file = of(shared);
  if (file.failed || file.end_of_allocated == file.end_of_file) return 0;
  return set_length(file, file.end_of_allocated);
}

hid_t driver() {
  static const H5FD_class_t description = [] {
    H5FD_class_t c{};
    c.name = "polhode";
    c.maxaddr = (haddr_t(1) << 62) - 1;
    c.fc_degree = H5F_CLOSE_WEAK;
    c.open = open_file, c.close = close_file, c.cmp = compare, c.query = query;
    c.get_eoa = end_of_allocated, c.set_eoa = set_end_of_allocated, c.get_eof = end_of_file;
    c.get_handle = handle, c.read = read, c.write = write, c.truncate = truncate;
    const H5FD_mem_t map[H5FD_MEM_NTYPES] = H5FD_FLMAP_DICHOTOMY;
    std::copy(std::begin(map), std::end(map), c.fl_map);
    return c;
  }();
  static const hid_t id = H5FDregister(&description);
  return id;
}

}  // namespace

int& last_error() {
  thread_local int error = 0;
  return error;
}

void use_driver(hid_t access) {
  if (H5Pset_driver(access, driver(), nullptr) < 0) throw std::runtime_error("HDF5 did not take our file driver");
}

bool is_being_written(const char* file) {
  const int descriptor = ::open(file, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor < 0) return false;
  struct flock lock = whole_file(F_RDLCK);
  const bool asked = fcntl(descriptor, F_OFD_GETLK, &lock) == 0;
  ::close(descriptor);
  return asked && lock.l_type != F_UNLCK;
}

}  // namespace polhode::format::h5
