#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>

namespace touchstone {

/// Why a passage was proposed for a member. Strongest first: a passage that several sources propose has the first.
enum class CandidateSource : std::uint8_t {
  kOwnArticle,  ///< it is in the member's own article, or a repeat of it is
  kLink,        ///< it links to the member, or a repeat of it is
  kMention,     ///< it names the member without a link
  kPage         ///< its page links to the member elsewhere
};

/// Each source with its name in files, options and messages.
inline constexpr std::array<std::pair<CandidateSource, std::string_view>, 4> kCandidateSources{{
    {CandidateSource::kOwnArticle, "own-article"},
    {CandidateSource::kLink, "link"},
    {CandidateSource::kMention, "mention"},
    {CandidateSource::kPage, "page"},
}};

/// The names for files of records (common/records).
constexpr const auto& names_of(CandidateSource /*any*/) noexcept {
  return kCandidateSources;
}

constexpr std::string_view to_string(CandidateSource source) noexcept {
  return kCandidateSources[static_cast<std::size_t>(source)].second;
}

/// The source of that name, if there is one.
constexpr std::optional<CandidateSource> candidate_source_of(std::string_view name) noexcept {
  for (const auto& [source, source_name] : kCandidateSources) {
    if (source_name == name) return source;
  }
  return std::nullopt;
}

}  // namespace touchstone
