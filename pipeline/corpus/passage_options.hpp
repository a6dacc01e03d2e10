#pragma once

#include "common/settings.hpp"

#include <cstdint>
#include <vector>

namespace touchstone {
namespace pipeline::corpus {

/// Which part of an article is in the corpus.
enum class PassageScope : std::uint8_t { kLead, kAll };

/// What one passage is.
enum class Granularity : std::uint8_t { kSection, kParagraph, kSnippet };

/// How passages are cut from pages.
struct PassagesOptions {
  PassageScope scope = PassageScope::kLead;
  Granularity granularity = Granularity::kSection;
  std::int64_t max_words = 130;
  bool include_lists = true;

  static std::vector<Option<PassagesOptions>> options();
};

}  // namespace pipeline::corpus

template <>
struct Choices<pipeline::corpus::PassageScope> {
  static constexpr Choice<pipeline::corpus::PassageScope> table[] = {{"lead", pipeline::corpus::PassageScope::kLead},
                                                                     {"all", pipeline::corpus::PassageScope::kAll}};
};
template <>
struct Choices<pipeline::corpus::Granularity> {
  static constexpr Choice<pipeline::corpus::Granularity> table[] = {
      {"section", pipeline::corpus::Granularity::kSection},
      {"paragraph", pipeline::corpus::Granularity::kParagraph},
      {"snippet", pipeline::corpus::Granularity::kSnippet}};
};

}  // namespace touchstone
