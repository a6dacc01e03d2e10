#pragma once

#include "common/digest.hpp"
#include "common/error.hpp"
#include "common/title.hpp"
#include "storage/records.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// The encodings that records are made of (docs/store.md, "Values").
namespace touchstone::storage::internal {

/// Appends numbers as LEB128 varints and texts with their length in front.
class Encoder {
 public:
  void number(std::uint64_t value) {
    while (value >= 0x80) {
      bytes_.push_back(static_cast<char>(value | 0x80));
      value >>= 7;
    }
    bytes_.push_back(static_cast<char>(value));
  }
  void signed_number(std::int64_t value) {
    number((static_cast<std::uint64_t>(value) << 1) ^ static_cast<std::uint64_t>(value >> 63));
  }
  void text(std::string_view value) {
    number(value.size());
    bytes_.append(value);
  }
  void title(const Title& title) {
    signed_number(title.ns);
    text(title.text);
  }
  void digest(const Digest128& digest) { bytes_.append(reinterpret_cast<const char*>(digest.data()), digest.size()); }
  /// Anchors as gaps to the one before; the lowest bit of a target says whether a template made the link.
  void links(const std::vector<TextLink>& links) {
    number(links.size());
    std::uint32_t last = 0;
    for (const auto& link : links) {
      signed_number(static_cast<std::int64_t>(link.begin) - last);
      number(link.end - link.begin);
      number(std::uint64_t{link.target} << 1 | (link.from_template ? 1 : 0));
      last = link.begin;
    }
  }
  std::string take() { return std::move(bytes_); }

 private:
  std::string bytes_;
};

/// Reads what Encoder writes. Throws StorageError for other bytes, and reads nothing outside of them.
class Decoder {
 public:
  Decoder(std::string_view bytes, const char* what) : rest_(bytes), what_(what) {}
  ~Decoder() = default;

  std::uint64_t number() {
    std::uint64_t value = 0;
    for (int shift = 0; shift < 64; shift += 7) {
      if (rest_.empty()) fail();
      const auto byte = static_cast<unsigned char>(rest_.front());
      rest_.remove_prefix(1);
      value |= std::uint64_t{byte & 0x7FU} << shift;
      if (byte < 0x80) return value;
    }
    fail();
  }
  std::uint32_t number32() {
    const auto value = number();
    if (value > UINT32_MAX) fail();
    return static_cast<std::uint32_t>(value);
  }
  std::int64_t signed_number() {
    const auto value = number();
    return static_cast<std::int64_t>(value >> 1) ^ -static_cast<std::int64_t>(value & 1);
  }
  std::string text() {
    const auto size = number();
    if (size > rest_.size()) fail();
    std::string value(rest_.substr(0, size));
    rest_.remove_prefix(size);
    return value;
  }
  Title title() {
    Title title;
    title.ns = static_cast<std::int32_t>(signed_number());
    title.text = text();
    return title;
  }
  void skip_title() {
    signed_number();
    const auto size = number();
    if (size > rest_.size()) fail();
    rest_.remove_prefix(size);
  }
  Digest128 digest() {
    Digest128 digest{};
    if (rest_.size() < digest.size()) fail();
    std::copy_n(rest_.begin(), digest.size(), digest.begin());
    rest_.remove_prefix(digest.size());
    return digest;
  }
  /// A count of things that take at least one byte each: never more than there are bytes left.
  std::size_t count() {
    const auto value = number();
    if (value > rest_.size()) fail();
    return value;
  }
  std::vector<TextLink> links() {
    std::vector<TextLink> links(count());
    std::uint32_t last = 0;
    for (auto& link : links) {
      link.begin = static_cast<std::uint32_t>(last + signed_number());
      link.end = link.begin + number32();
      const auto target = number();
      link.target = static_cast<std::uint32_t>(target >> 1);
      link.from_template = (target & 1) != 0;
      last = link.begin;
    }
    return links;
  }
  bool at_end() const { return rest_.empty(); }
  void end() const {
    if (!rest_.empty()) fail();
  }

 private:
  [[noreturn]] void fail() const {
    throw StorageError(std::string("the store holds a damaged ") + what_ +
                       " record; build the store again from the dump");
  }
  std::string_view rest_;
  const char* what_;
};

}  // namespace touchstone::storage::internal
