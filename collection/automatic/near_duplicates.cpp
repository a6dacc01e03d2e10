#include "collection/automatic/near_duplicates.hpp"

#include "common/digest.hpp"
#include "common/error.hpp"

#include <charconv>
#include <cstring>
#include <optional>

#include <fmt/format.h>

namespace touchstone::collection::automatic {
namespace {

using Id = std::array<std::uint8_t, 20>;

/// A SHA-1 in hexadecimal digits; nothing for any other text.
std::optional<Id> id_of(std::string_view text) {
  Id id{};
  if (text.size() != 2 * id.size()) return std::nullopt;
  for (std::size_t i = 0; i < id.size(); ++i) {
    const char* digits = text.data() + 2 * i;
    if (std::from_chars(digits, digits + 2, id[i], 16).ptr != digits + 2) return std::nullopt;
  }
  return id;
}

}  // namespace

std::string near_duplicate_line(std::string_view id, std::string_view representative) {
  return fmt::format("{}\t{}\n", id, representative);
}

std::size_t NearDuplicates::Hash::operator()(const Id& id) const noexcept {
  std::size_t hash = 0;
  std::memcpy(&hash, id.data(), sizeof hash);
  return hash;
}

NearDuplicates NearDuplicates::read(const std::filesystem::path& path) {
  NearDuplicates duplicates;
  for_each_line(path, [&](std::string_view line, std::uint64_t number) {
    const auto tab = line.find('\t');
    const auto id = id_of(line.substr(0, tab));
    const auto representative = tab == std::string_view::npos ? std::nullopt : id_of(line.substr(tab + 1));
    if (!id || !representative) {
      throw FormatError(fmt::format("{} line {} is no pair of paragraph ids, parted by a tab; write the file again",
                                    path.string(), number));
    }
    duplicates.of_.emplace(*id, *representative);
    return true;
  });
  return duplicates;
}

std::string NearDuplicates::representative(std::string_view id) const {
  const auto known = of_.empty() ? std::nullopt : id_of(id);
  const auto found = known ? of_.find(*known) : of_.end();
  return found == of_.end() ? std::string(id) : to_hex(found->second.data(), found->second.size());
}

}  // namespace touchstone::collection::automatic
