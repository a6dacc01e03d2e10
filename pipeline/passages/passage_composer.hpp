#pragma once

#include "pipeline/headings/phrase_set.hpp"
#include "pipeline/passages/boilerplate.hpp"
#include "pipeline/passages/passage.hpp"
#include "pipeline/passages/passage_options.hpp"
#include "pipeline/passages/passage_rules.hpp"
#include "storage/records.hpp"
#include "storage/store.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace touchstone::pipeline::passages {

/// A text that is not a passage, or a sentence that was left out of one: why, and the text.
using LeftOut = std::function<void(PassageReject reason, std::string_view text)>;
/// A sentence that was looked up among the boilerplate: its hash.
using AskedSentence = std::function<void(std::uint64_t hash)>;

/// Composes passages as the settings say. Thread-safe.
///
/// The ordinal of a passage is that of its section or paragraph on the page, or its number among the page's snippets.
/// Where a section or paragraph is cut because it is too long, its first part has that ordinal and each further one
/// `kPartStep` more, so that no other passage changes its docid.
class PassageComposer {
 public:
  static constexpr std::uint32_t kPartStep = 100'000;

  /// \param boilerplate  sentences that are left out
  PassageComposer(const storage::Store& store, const PassagesOptions& options, Boilerplate boilerplate = {});

  /// Passages of an article, ascending by ordinal; none for redirects and unread pages. Copies are among them. Their
  /// links do not have the pages that they lead to.
  /// \param left_out  told what is not a passage; may be empty
  /// \param asked     told for which sentences it matters whether they are boilerplate; may be empty
  std::vector<Passage> passages(PageId page, const LeftOut& left_out = {}, const AskedSentence& asked = {}) const;

 private:
  /// A passage that may still be refused.
  struct Draft {
    Passage passage;
    bool only_code = false;  ///< all of it is preformatted
  };
  class Builder;

  bool by_paragraph() const { return options_.granularity == Granularity::kParagraph; }
  bool by_snippet() const { return options_.granularity == Granularity::kSnippet; }
  std::optional<std::string> title_of_article(PageId page) const;
  bool is_main_page(const std::string& title) const { return title == main_page_ && !options_.keep_markup; }
  std::vector<Passage> compose(PageId page, const LeftOut& left_out, const AskedSentence& asked) const;
  void add_cut(Draft whole, bool may_cut, std::vector<Draft>& drafts) const;
  std::optional<PassageReject> why_no_text(const std::vector<std::string>& path,
                                           const storage::SectionTextRecord& text) const;
  void strip(storage::ParagraphRecord& paragraph, const LeftOut& left_out, const AskedSentence& asked) const;
  bool is_refused(const Draft& draft, const LeftOut& left_out) const;

  const storage::Store& store_;
  PassagesOptions options_;
  Boilerplate boilerplate_;
  headings::PhraseSet forbidden_;  ///< headings of sections that are no part of the text
  std::string main_page_;          ///< title
};

/// One sentence for reports that says what a passage of such a corpus is.
std::string describe_passages(const PassagesOptions& options);

/// Sections [first, end) of a page.
struct SectionRange {
  std::uint32_t first = 0, end = 0;
};

/// The sections of an article that are in the corpus. With scope lead: the first one that has text, which is the lead
/// unless the article has none.
SectionRange sections_in_scope(const storage::Store& store, const PassagesOptions& options, PageId page,
                               const storage::OutlineRecord& outline);

/// Headings above and at section `index`, outermost first; empty for the lead.
std::vector<std::string> section_path(const storage::OutlineRecord& outline, std::uint32_t index);

}  // namespace touchstone::pipeline::passages
