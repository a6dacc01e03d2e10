#pragma once

#include <cstddef>
#include <cstdint>

/// The bytes of a dictionary file (docs/entity-linking.md): a header, then sections, each at a multiple of eight bytes.
/// Numbers are little-endian.
namespace touchstone::linking::internal {

inline constexpr char kMagic[8] = {'T', 'S', 'A', 'N', 'C', 'H', 'O', 'R'};
inline constexpr std::uint32_t kFormatVersion = 1;
inline constexpr std::uint32_t kByteOrder = 0x01020304;

enum Section : std::size_t {
  kFacts,     ///< lines "name<TAB>value"
  kBuckets,   ///< numbers of the first phrase with each beginning of bits, and one more
  kPhrases,   ///< numbers of phrases, ascending, 8 bytes each
  kValues,    ///< of each phrase, 4 bytes: kContinues, and one more than the number of its anchor (0: it is none)
  kAnchors,   ///< Anchor, one more than there are
  kMeanings,  ///< Meaning
  kEntities,  ///< EntityRow, one more than there are
  kTitles,    ///< UTF-8
  kSources,   ///< pages that link to each entity, ascending, 4 bytes each
  kSections
};

/// Number of the bucket of a phrase: its first bits.
inline std::size_t bucket_of(std::uint64_t phrase, std::uint32_t bucket_bits) noexcept {
  return bucket_bits == 0 ? 0 : static_cast<std::size_t>(phrase >> (64 - bucket_bits));
}

inline constexpr std::uint32_t kContinues = 0x80000000;

struct Extent {
  std::uint64_t offset = 0, bytes = 0;
};

struct Header {
  char magic[8];
  std::uint32_t version, byte_order;
  std::uint64_t file_bytes;
  std::uint32_t bucket_bits, source_pages;  ///< pages that links were counted on
  Extent sections[kSections];
  std::uint64_t checksum;  ///< xxh3_64 of the header before it
};

struct AnchorRow {
  std::uint32_t linked_pages, pages;  ///< pages on which the phrase is a link, and on which it is
  std::uint32_t first_meaning;
};

struct EntityRow {
  std::uint64_t first_title_byte, first_source;
  std::uint32_t qid;  ///< 0: not known
  std::uint32_t unused;
};

}  // namespace touchstone::linking::internal
