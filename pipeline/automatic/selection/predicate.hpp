#pragma once

#include "common/error.hpp"
#include "formats/car/records.hpp"
#include "pipeline/automatic/selection/name_set.hpp"
#include "pipeline/automatic/selection/splits.hpp"
#include "pipeline/headings/title_text.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace touchstone::pipeline::automatic::selection {

/// What predicates know of a page. Views; all texts are UTF-8.
struct PageFacts {
  std::string_view name;
  std::span<const std::string> redirect_names, category_names, page_tags;
  std::string_view qid;  ///< "Q42"; empty: not known
  bool is_redirect = false, is_disambiguation = false, is_category = false;
};

/// The facts of a page, as views of it.
PageFacts facts_of(const formats::car::Page& page);

/// What a predicate means besides its text.
struct PredicateContext {
  std::filesystem::path base_folder;  ///< paths in the predicate are relative to it; empty: the current folder
  headings::TitleRules titles;
  SplitScheme splits;      ///< of train-set, test-set and fold
  bool read_files = true;  ///< false: only the text is checked, and sets from files are empty
};

/// A predicate cannot be parsed. The message starts with "column 7: " ("line 2, column 7: " in a text of several
/// lines).
class PredicateError : public ConfigError {
 public:
  PredicateError(std::string_view text, std::size_t offset, const std::string& problem);
  std::size_t line() const noexcept { return line_; }      ///< 1-based
  std::size_t column() const noexcept { return column_; }  ///< 1-based, in code points

 private:
  struct Place {
    std::size_t line, column;
    bool several_lines;
  };
  PredicateError(Place place, const std::string& problem);
  static Place place_of(std::string_view text, std::size_t offset);

  std::size_t line_, column_;
};

enum class PredicateKind : std::uint8_t {
  kNameContains,
  kNameHasPrefix,
  kNameHasSuffix,
  kNameInSet,
  kNameOrRedirectInSet,
  kNameSetFromFile,
  kCategoryContains,
  kQidInSet,
  kQidSetFromFile,
  kHasPageTag,
  kPageHashMod,
  kTrainSet,
  kTestSet,
  kFold,
  kIsRedirect,
  kIsDisambiguation,
  kIsCategory,
  kTrue,
  kNot,
  kAnd,
  kOr
};

/// A node of a predicate's tree. Texts are in the form that is compared.
struct PredicateNode {
  PredicateKind kind = PredicateKind::kTrue;
  std::string text;                          ///< the argument, or the path as it was given
  std::shared_ptr<const NameSet> set;        ///< of the kinds with a set
  std::uint64_t divisor = 0, remainder = 0;  ///< page-hash-mod; fold has its number in remainder
  std::optional<std::uint64_t> salt;         ///< page-hash-mod; its bits are those of TREC CAR's signed salt
  std::vector<PredicateNode> children;       ///< of !, & and |
  std::uint32_t depth = 1;

  friend bool operator==(const PredicateNode& a, const PredicateNode& b);
};

/// Which pages are chosen, in the predicate language of trec-car-filter. docs/selection.md describes the language.
/// Several threads may use one object.
class Predicate {
 public:
  /// Matches every page.
  Predicate() = default;

  bool matches(const PageFacts& page) const;
  /// The normal form: one blank between words, sets sorted, names as titles, and parentheses around each mixture of &
  /// and |. Parsing it gives an equal predicate.
  std::string text() const;
  /// The files that were read, in the order of the text: to be part of a fingerprint.
  const std::vector<std::filesystem::path>& files() const noexcept { return files_; }

  friend bool operator==(const Predicate& a, const Predicate& b) { return a.root_ == b.root_; }

 private:
  friend Predicate parse_predicate(std::string_view text, const PredicateContext& context);
  PredicateNode root_;
  headings::TitleRules titles_;
  SplitScheme splits_;
  std::vector<std::filesystem::path> files_;
};

/// Parses a predicate of at most 1 MiB, 10,000 nodes and a depth of 100. Throws PredicateError.
Predicate parse_predicate(std::string_view text, const PredicateContext& context = {});

/// The words of the language, in the order of the documentation.
std::vector<std::string_view> predicate_names();

}  // namespace touchstone::pipeline::automatic::selection
