#pragma once

#include "common/result.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace touchstone::extractors::wikidata {

/// Numbers of properties of Wikidata.
inline constexpr std::uint32_t kInstanceOf = 31, kSubclassOf = 279;

/// The number behind the letter of an id: 42 for "Q42" and 'Q'. 0 if the text is no such id.
std::uint64_t id_number(std::string_view id, char letter) noexcept;

/// A text and its language.
struct LanguageText {
  std::string language, text;
  friend bool operator==(const LanguageText&, const LanguageText&) = default;
};

/// A page about an entity.
struct Sitelink {
  std::string site;   ///< database name of the wiki, such as "enwiki"
  std::string title;  ///< with the prefix of its namespace
  friend bool operator==(const Sitelink&, const Sitelink&) = default;
};

/// A statement whose value is an item.
struct Statement {
  std::uint32_t property = 0;
  std::uint64_t item = 0;
  friend bool operator==(const Statement&, const Statement&) = default;
};

/// What is read of an item, a property or another entity. Lists are in the order of the dump.
struct Entity {
  std::string id;                                           ///< "Q42"
  std::vector<LanguageText> labels, descriptions, aliases;  ///< in the languages that are asked for
  std::vector<Sitelink> sitelinks;                          ///< of the wiki that is asked for, or of all
  std::vector<Statement> statements;                  ///< of the properties that are asked for, without deprecated ones
  std::uint32_t label_count = 0, sitelink_count = 0;  ///< of all languages, of all wikis

  /// The number of an item; 0 for other entities.
  std::uint64_t item() const noexcept { return id_number(id, 'Q'); }
};

/// What of an entity is wanted.
struct EntityOptions {
  std::vector<std::string> languages;     ///< of labels, descriptions and aliases; MediaWiki's codes
  bool all_sites = false;                 ///< sitelinks of all wikis
  std::string site;                       ///< database name of the wiki whose sitelinks are wanted; empty: none
  std::vector<std::uint32_t> properties;  ///< of statements
};

/// Why a line is not an entity.
enum class LineIssue : std::uint8_t { kMalformedJson, kArray, kNotAnObject, kBadId, kBadField, kTooLong, kCut };

/// One sentence without a point, such as "malformed JSON".
std::string_view to_string(LineIssue issue) noexcept;

struct LineError {
  LineIssue issue = LineIssue::kMalformedJson;
  std::string detail;  ///< the field, or what the parser says; may be empty

  /// "malformed JSON: ..."
  std::string reason() const;
};

/// Reads lines of Wikidata's JSON dump with simdjson's On Demand, which checks UTF-8 and brackets of a whole line, but
/// the rest of the syntax only where something is read. Keeps the parser's memory between lines. Not thread-safe.
/// Source: doc.wikimedia.org/Wikibase, "Wikibase JSON format" (read 2025-01). Of older dumps: values of items with
/// `numeric-id` alone, and `[]` for objects without fields.
class EntityReader {
 public:
  explicit EntityReader(EntityOptions options);
  ~EntityReader();
  EntityReader(EntityReader&&) noexcept;

  /// Bytes that must be readable behind a line, whatever they are (simdjson reads in blocks).
  static std::size_t padding() noexcept;

  /// \param line  one entity, without the comma at its end; followed by padding() readable bytes; not kept
  Result<Entity, LineError> read(std::string_view line);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace touchstone::extractors::wikidata
