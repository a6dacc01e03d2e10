#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>

namespace touchstone {

/// How sure it is that a person would type a query and understand it.
enum class QueryVerdict : std::uint8_t {
  kCertain,   ///< a phrase: the list's own title, narrowed where grammar and language are certain; or a person's words
  kKeywords,  ///< the words of title and headings, each once
  kUnworded   ///< no words that mean something to a person; such a topic is left out
};

/// Each verdict with its name in files and messages.
inline constexpr std::array<std::pair<QueryVerdict, std::string_view>, 3> kQueryVerdicts{{
    {QueryVerdict::kCertain, "certain"},
    {QueryVerdict::kKeywords, "keywords"},
    {QueryVerdict::kUnworded, "unworded"},
}};

/// The names for files of records (common/records).
constexpr const auto& names_of(QueryVerdict /*any*/) noexcept {
  return kQueryVerdicts;
}

constexpr std::string_view to_string(QueryVerdict verdict) noexcept {
  return kQueryVerdicts[static_cast<std::size_t>(verdict)].second;
}

/// The verdict of that name, if there is one.
constexpr std::optional<QueryVerdict> query_verdict_of(std::string_view name) noexcept {
  for (const auto& [verdict, verdict_name] : kQueryVerdicts) {
    if (verdict_name == name) return verdict;
  }
  return std::nullopt;
}

}  // namespace touchstone
