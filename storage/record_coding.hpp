#pragma once

#include "common/digest.hpp"
#include "common/error.hpp"
#include "common/records/record_coding.hpp"
#include "common/title.hpp"
#include "storage/records.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

/// The encodings that records are made of (docs/store.md, "Values").
namespace touchstone::storage::internal {

class Encoder : public records::Encoder {
 public:
  void title(const Title& title) {
    signed_number(title.ns);
    text(title.text);
  }
  void digest(const Digest128& digest) { raw({reinterpret_cast<const char*>(digest.data()), digest.size()}); }
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
};

/// Reads what Encoder writes. Throws StorageError for other bytes, and reads nothing outside of them.
class Decoder : public records::Decoder {
 public:
  /// \param what  the kind of record, for the message
  Decoder(std::string_view bytes, const char* what) : records::Decoder(bytes, throw_damaged, what) {}

  std::uint32_t number32() { return number_as<std::uint32_t>(); }
  std::string text() { return std::string(records::Decoder::text()); }
  Title title() {
    Title title;
    title.ns = static_cast<std::int32_t>(signed_number());
    title.text = text();
    return title;
  }
  std::string_view text_view() { return records::Decoder::text(); }
  Digest128 digest() {
    Digest128 digest{};
    records::decode(*this, digest);
    return digest;
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

 private:
  [[noreturn]] static void throw_damaged(const char* what) {
    throw StorageError(std::string("the store holds a damaged ") + what +
                       " record; build the store again from the dump");
  }
};

}  // namespace touchstone::storage::internal
