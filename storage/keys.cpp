#include "storage/keys.hpp"

namespace touchstone::storage {
namespace {

void append_u32(std::string& key, std::uint32_t value) {
  for (int shift = 24; shift >= 0; shift -= 8) key.push_back(static_cast<char>((value >> shift) & 255));
}

std::uint32_t read_u32(std::string_view key) {
  std::uint32_t value = 0;
  for (int i = 0; i < 4; ++i) value = value << 8 | static_cast<unsigned char>(key[i]);
  return value;
}

constexpr std::uint32_t kSignBit = 1U << 31;

}  // namespace

std::string page_key(PageId page) {
  std::string key;
  append_u32(key, page.value);
  return key;
}

std::optional<PageId> read_page_key(std::string_view key) {
  if (key.size() != 4) return std::nullopt;
  return PageId{read_u32(key)};
}

std::string page_part_key(PageId page, std::uint32_t part) {
  std::string key;
  key.reserve(8);
  append_u32(key, page.value);
  append_u32(key, part);
  return key;
}

std::optional<PagePart> read_page_part_key(std::string_view key) {
  if (key.size() != 8) return std::nullopt;
  return PagePart{PageId{read_u32(key)}, read_u32(key.substr(4))};
}

std::string item_key(std::uint64_t item) {
  std::string key;
  key.reserve(8);
  append_u32(key, static_cast<std::uint32_t>(item >> 32));
  append_u32(key, static_cast<std::uint32_t>(item));
  return key;
}

std::string title_key(std::int32_t ns, std::string_view text) {
  std::string key;
  key.reserve(4 + text.size());
  append_u32(key, static_cast<std::uint32_t>(ns) ^ kSignBit);
  key.append(text);
  return key;
}

std::optional<TitleKey> read_title_key(std::string_view key) {
  if (key.size() < 4) return std::nullopt;
  return TitleKey{static_cast<std::int32_t>(read_u32(key) ^ kSignBit), key.substr(4)};
}

}  // namespace touchstone::storage
