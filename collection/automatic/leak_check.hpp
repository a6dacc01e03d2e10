#pragma once

#include "collection/automatic/leak_index.hpp"
#include "formats/car/records.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
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

/// Checks that no query page, no redirect to one, no link of one and no copy of its text is in a knowledge base (Dietz
/// and Dalton, section 3.2: "input pages from which queries are derived, must be removed from the reference knowledge
/// base"). The query pages are those of an index, then all pages of the knowledge base are checked.
///
/// Texts are copies if they are equal but for case and white space, or have one id or representative; copies of single
/// sentences are not found. Memory: that of the index. Not thread-safe.
class LeakCheck {
 public:
  /// \param max_leaks  that are kept; all are counted
  explicit LeakCheck(LeakIndex index, LeakTextRules rules = {}, std::size_t max_leaks = 1000);

  /// Whether `check` would report the page itself: it is a query page or a redirect to one, as far as its title tells.
  /// Thread-safe.
  bool is_leak(const formats::car::Page& page) const;

  void check(const formats::car::Page& page);
  /// In two steps, of which the first takes the time and is thread-safe: the leaks of a page, which `add` then counts.
  std::vector<Leak> find(const formats::car::Page& page) const;
  void add(const std::vector<Leak>& leaks);

  /// Removes from a page what `check` would report as copies of texts. Returns how many. Thread-safe.
  std::uint64_t remove_leaked_texts(formats::car::Page& page) const;

  /// The first `max_leaks` leaks in the order of the knowledge base.
  const std::vector<Leak>& leaks() const noexcept;
  std::uint64_t count(LeakKind kind) const noexcept;
  bool ok() const noexcept;

 private:
  using Query = std::optional<std::uint64_t>;  ///< a query page of the index

  Query query_of(LeakKey kind, std::string_view text) const;
  Query query_with_page(const formats::car::Page& page) const;
  Query query_with_redirect(const formats::car::Page& page) const;
  Query query_with_text(const formats::car::Paragraph& paragraph) const;
  bool is_leaked_text(const formats::car::Skeleton& skeleton) const;
  std::uint64_t remove_leaked_texts(std::vector<formats::car::Skeleton>& elements) const;

  LeakIndex index_;
  LeakTextRules rules_;
  std::size_t max_leaks_;
  std::vector<Leak> leaks_;
  std::array<std::uint64_t, std::size(kLeakKinds)> counts_{};
};

}  // namespace touchstone::collection::automatic
