#pragma once
#include <bit>
#include <cstdint>
#include <string>

/// Numbers as bytes, the lowest first, on any machine.
namespace polhode::format {

template <class Unsigned>
void put_bits(std::string& out, Unsigned bits) {
  for (std::size_t i = 0; i < sizeof(Unsigned); ++i) out += char((bits >> (8 * i)) & 0xFF);
}
inline void put(std::string& out, std::uint32_t value) { put_bits(out, value); }
inline void put(std::string& out, double value) { put_bits(out, std::bit_cast<std::uint64_t>(value)); }
inline void put(std::string& out, float value) { put_bits(out, std::bit_cast<std::uint32_t>(value)); }

}  // namespace polhode::format
