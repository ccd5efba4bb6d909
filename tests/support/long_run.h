#pragma once

namespace polhode::testing_support {

/// How long a long run is, and how many random mechanisms a costly check takes: fewer where sanitizers slow everything down.
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define POLHODE_SANITIZED
#endif
#endif
#if defined(POLHODE_SANITIZED) || defined(__SANITIZE_ADDRESS__)
inline constexpr long long_run = 50'000;
inline constexpr unsigned last_seed(unsigned first, unsigned) { return first; }
#else
inline constexpr long long_run = 1'000'000;
inline constexpr unsigned last_seed(unsigned, unsigned last) { return last; }
#endif

}  // namespace polhode::testing_support
