#pragma once

#include "formats/car/records.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// Looks for the answers of an automatic collection in what systems are given.
namespace touchstone::collection::automatic {

enum class LeakKind : std::uint8_t {
  kQueryPage,  ///< the page is a query page: it has the id, the title or the QID of one
  kRedirect,   ///< the page is a redirect to a query page, or has the title of one
  kInlink,     ///< the metadata name a query page as one that links to the page, so that the page is relevant to it
  kText,       ///< a paragraph, list item, caption or infobox value of the page is a copy of a query page's
};
inline constexpr std::pair<std::string_view, LeakKind> kLeakKinds[] = {{"query page", LeakKind::kQueryPage},
                                                                       {"redirect", LeakKind::kRedirect},
                                                                       {"inlink", LeakKind::kInlink},
                                                                       {"text", LeakKind::kText}};

/// One thing of a query page that the knowledge base has.
struct Leak {
  LeakKind kind = LeakKind::kQueryPage;
  std::string page_id, page_name;  ///< in the knowledge base
  std::string query_id;            ///< CAR id of the query page
  std::string paragraph_id;        ///< in the knowledge base, for kText
  friend bool operator==(const Leak&, const Leak&) = default;
};

struct LeakCheckOptions {
  /// Texts of fewer words are not copies: headings of tables and "See also:" are on many pages. Words are parted by
  /// white space; a text in a script without blanks counts a word for every four characters.
  std::size_t min_text_words = 8;
  std::size_t max_leaks = 1000;  ///< that are kept; all are counted
  /// As in DerivationOptions: near-duplicates are copies too.
  std::function<std::string(std::string_view paragraph_id)> representative = {};
};

/// What the check has to know of a query page.
struct QueryPageFacts {
  std::string id, title, qid;
  std::vector<std::string> redirects;  ///< titles of redirects to it
  std::vector<std::uint64_t> texts;    ///< digests of its texts
  std::vector<std::string> paragraph_ids;

  template <class Fields>
  void fields(Fields& field) {
    field("id", id)("title", title)("qid", qid)("redirects", redirects)("texts", texts)("paragraph_ids", paragraph_ids);
  }
};

/// Checks that no query page, no redirect to one, no link of one and no copy of its text is in a knowledge base (Dietz
/// and Dalton, section 3.2: "input pages from which queries are derived, must be removed from the reference knowledge
/// base"). First all query pages are added, then all pages of the knowledge base are checked.
///
/// Titles are compared without regard to underscores and the case of the first letter. Texts are copies if they are
/// equal but for case and white space, or have one id or representative; copies of single sentences are not found.
/// Memory: 16 to 32 bytes for each id, title and redirect of the query pages, twice that for each text, and the id of
/// each page. Not thread-safe.
class LeakCheck {
 public:
  explicit LeakCheck(LeakCheckOptions options = {});
  ~LeakCheck();

  void add_query_page(const formats::car::Page& page);
  /// In two steps, of which the first takes the time and is thread-safe.
  QueryPageFacts facts_of(const formats::car::Page& page) const;
  void add_query_page(const QueryPageFacts& facts);

  /// Whether `check` would report the page itself: it is a query page or a redirect to one, as far as its title tells.
  /// Thread-safe while no query page is added.
  bool is_leak(const formats::car::Page& page) const;

  void check(const formats::car::Page& page);
  /// In two steps, of which the first takes the time and is thread-safe while no query page is added: the leaks of a
  /// page, which `add` then counts.
  std::vector<Leak> find(const formats::car::Page& page) const;
  void add(const std::vector<Leak>& leaks);

  /// Removes from a page what `check` would report as copies of texts. Returns how many. Thread-safe while no query
  /// page is added.
  std::uint64_t remove_leaked_texts(formats::car::Page& page) const;

  /// The first `max_leaks` leaks in the order of the knowledge base.
  const std::vector<Leak>& leaks() const noexcept;
  std::uint64_t count(LeakKind kind) const noexcept;
  bool ok() const noexcept;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace touchstone::collection::automatic
