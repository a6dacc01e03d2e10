#pragma once

#include "common/settings.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace touchstone {
namespace pipeline::passages {

/// Which part of an article is in the corpus.
enum class PassageScope : std::uint8_t { kLead, kAll };

/// What one passage is.
enum class Granularity : std::uint8_t { kSection, kParagraph, kSnippet };

/// Which passages that repeat others are folded into them.
enum class Repeats : std::uint8_t { kKeep, kExact, kNear, kSimilar };

/// How passages are cut from pages, and which texts are not passages.
struct PassagesOptions {
  PassageScope scope = PassageScope::kLead;
  Granularity granularity = Granularity::kSection;
  std::int64_t min_words = 5;
  std::int64_t max_words = 0;
  bool include_lists = true;
  double max_link_share = 0.8;
  double max_number_share = 0.5;
  double max_property_share = 0.5;
  bool keep_markup = false;
  double boilerplate_share = 0.1;
  std::int64_t boilerplate_pages = 20;
  Repeats repeats = Repeats::kNear;
  double repeat_threshold = 0.8;
  std::int64_t memory_bytes = 128 << 20;

  /// The bound that holds for this granularity.
  std::size_t most_words() const noexcept {
    if (max_words > 0) return static_cast<std::size_t>(max_words);
    return granularity == Granularity::kSnippet ? 130 : 500;
  }

  static std::vector<Option<PassagesOptions>> options();
};

}  // namespace pipeline::passages

template <>
struct Choices<pipeline::passages::PassageScope> {
  static constexpr Choice<pipeline::passages::PassageScope> table[] = {
      {"lead", pipeline::passages::PassageScope::kLead}, {"all", pipeline::passages::PassageScope::kAll}};
};
template <>
struct Choices<pipeline::passages::Granularity> {
  static constexpr Choice<pipeline::passages::Granularity> table[] = {
      {"section", pipeline::passages::Granularity::kSection},
      {"paragraph", pipeline::passages::Granularity::kParagraph},
      {"snippet", pipeline::passages::Granularity::kSnippet}};
};
template <>
struct Choices<pipeline::passages::Repeats> {
  static constexpr Choice<pipeline::passages::Repeats> table[] = {{"keep", pipeline::passages::Repeats::kKeep},
                                                                  {"exact", pipeline::passages::Repeats::kExact},
                                                                  {"near", pipeline::passages::Repeats::kNear},
                                                                  {"similar", pipeline::passages::Repeats::kSimilar}};
};

}  // namespace touchstone
