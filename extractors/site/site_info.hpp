#pragma once

#include "common/result.hpp"
#include "common/text_map.hpp"
#include "common/title.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace touchstone::extractors::site {

struct LanguageWords;

/// One namespace of a wiki as `<siteinfo>` lists it.
struct Namespace {
  std::int32_t id = 0;
  std::string name;          ///< local name; empty for articles
  bool first_letter = true;  ///< case="first-letter": titles start with an upper-case letter
};

/// Why a text cannot be the title of a page.
enum class TitleError {
  kEmpty,
  kIllegalCharacter,
  kTooLong,
  kRelative,
  kTilde,
  kLeadingColon,
  kInvalidUtf8,
  kTalkOfNamespace
};

/// A title with what may be around it in a link.
struct ParsedTitle {
  Title title;
  std::string fragment;  ///< text after the first '#'; empty without '#'
  bool has_fragment = false;
  bool leading_colon = false;    ///< written as `[[:Category:X]]`
  bool local_interwiki = false;  ///< written with this wiki's own prefix: acts like a leading colon
  std::string interwiki;       ///< lower-case prefix when the target is on another wiki or another language; else empty
  bool interlanguage = false;  ///< the prefix names a language edition
};

/// What the wiki says of itself: names, language, namespaces with their aliases. It reads titles accordingly.
///
/// Immutable once `finish()` was called; then every const member is thread-safe.
class SiteInfo {
 public:
  /// A wiki of the given language code with MediaWiki's built-in namespaces, English and local names.
  static SiteInfo make_default(std::string_view language);

  std::string site_name, db_name, base_url, generator, language = "en";
  std::string license;       ///< of the texts, as the sources declare it: their words, "; " between those that differ
  bool first_letter = true;  ///< the wiki-wide `<case>`
  std::string start_page;    ///< title of the main page, where the source names it beside the base URL
  std::vector<Namespace> namespaces;

  /// Builds the look-up tables: local names, canonical English names (always valid), `Image`, `Image talk`, `Project`,
  /// and the aliases MediaWiki ships for `language`. Must be called after the fields above changed.
  void finish();

  /// Namespace of a prefix (case-insensitive, '_' = ' ', surrounding blanks ignored); nothing for other texts.
  std::optional<std::int32_t> namespace_of(std::string_view prefix) const;
  const Namespace* find_namespace(std::int32_t id) const;

  /// Reads foreign text as MediaWiki's TitleParser does: Unicode blanks, bidi marks, NFC, prefixes, fragment, length of
  /// at most 255 bytes. Character references and percent-encoding are decoded by the caller.
  ///
  /// \param default_ns  namespace for text without a prefix
  Result<ParsedTitle, TitleError> parse_title(std::string_view text, std::int32_t default_ns = kNamespaceMain) const;

  /// The same into `parsed`, which must be new. Returns what is wrong with the text, or nothing if it is a title.
  std::optional<TitleError> read_title(std::string_view text, std::int32_t default_ns, ParsedTitle& parsed) const;

  /// The first letter of the title, if the title is `text` unchanged except for that letter. Most links name such
  /// titles. Nothing if the text needs `parse_title`.
  std::optional<char> first_of_plain_title(std::string_view text, std::int32_t ns) const;

  /// The same for a text of which the caller knows that it holds letters, digits, single blanks and harmless
  /// punctuation only.
  std::optional<char> first_of_plain_words(std::string_view text, std::int32_t ns) const;

  /// `Namespace:Text` with the local namespace name, spaces and no underscores: MediaWiki's text form.
  std::string prefixed(const Title& title) const;

  /// True if the wiki is one of several editions of a project in different languages, such as en.wikipedia.org: its
  /// address begins with a language code. The code of its own language is then a prefix for its own pages.
  bool is_language_edition() const;

  /// True if the wiki is one of Wikimedia's, by its address. A wiki without address may be one.
  bool is_wikimedia() const;

  /// True if pages of the namespace have subpages: `[[/x]]` and `[[../x]]` are relative there. These are MediaWiki's
  /// defaults, which Wikipedia keeps: talk pages, users, project, templates and help, but not articles.
  bool has_subpages(std::int32_t ns) const noexcept;

  /// Adds the licence of a further source. Does nothing for one that is there, or for none.
  void add_license(std::string_view more);

  /// JSON text of all fields, and back, for the store. `from_json` throws FormatError.
  std::string to_json() const;
  static SiteInfo from_json(std::string_view json);

  /// Title of the main page: `start_page`, else from the base URL; "Main Page" without both. \pre finish() was called
  const std::string& main_page() const noexcept { return main_page_; }

  /// Words of the wiki's language that the wikitext reader needs. \pre finish() was called
  const LanguageWords& words() const noexcept { return *words_; }

 private:
  /// What the prefixes of a title lead to.
  enum class Prefixes : unsigned char {
    kRead,             ///< what follows them
    kMainPage,         ///< the wiki's own prefix is alone
    kTalkOfNamespace,  ///< no page
  };
  Prefixes read_prefixes(std::string_view& rest, ParsedTitle& parsed) const;
  bool is_talk_of_namespace(std::string_view behind) const;
  std::optional<TitleError> take_text(std::string_view rest, ParsedTitle& parsed) const;

  TextMap<std::int32_t> namespace_by_name_;  ///< lower-cased, spaces
  std::shared_ptr<const LanguageWords> words_;
  bool main_first_letter_ = true;
  std::string own_prefix_;  ///< with which an edition names itself, whatever language it is read in
  std::string main_page_;   ///< from the base URL: where `[[en:]]` leads on the English wiki
};

/// True if the pages of a namespace are lists that belong to articles: "Anexo" of the Spanish Wikipedia. Their text is
/// read, as that of articles is. Source: the configuration of the Spanish, Portuguese and Asturian Wikipedias.
inline bool is_list_namespace(const SiteInfo& site, std::int32_t id) {
  const auto* found = id == kNamespaceMain ? nullptr : site.find_namespace(id);
  return found != nullptr && (found->name == "Anexo" || found->name == "Anexu");
}

}  // namespace touchstone::extractors::site
