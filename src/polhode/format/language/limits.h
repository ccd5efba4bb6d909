#pragma once
#include <cstddef>

/// What the reader of models accepts at most. The limits keep time and memory bounded whatever the bytes are; they are far
/// above any model that a person or a generator would write.
namespace polhode::format {

inline constexpr std::size_t max_text_bytes = std::size_t(64) << 20;      ///< 64 MiB
inline constexpr std::size_t max_nodes = 8'000'000;                       ///< lists and words in one model
inline constexpr std::size_t max_depth = 10'000;                          ///< nested parentheses
inline constexpr std::size_t max_word_bytes = 1'000;                      ///< one name, number or keyword
inline constexpr int max_expression_depth = 100;                          ///< arithmetic, and parameters in terms of others
inline constexpr int max_expansion_depth = 20;                            ///< include, use and repeat inside of each other
inline constexpr std::size_t max_expansions = 20'000;                     ///< files, uses and turns of repetitions in one model
inline constexpr std::size_t max_expanded_nodes = 500'000;                ///< lists and words that these add
inline constexpr std::size_t max_expanded_bytes = std::size_t(16) << 20;  ///< of names that these make
inline constexpr int max_lines = 2'000'000'000;                           ///< of all texts, each as often as it is used
inline constexpr std::size_t max_problems = 1'000;                        ///< mistakes kept before the reader gives up

}  // namespace polhode::format
