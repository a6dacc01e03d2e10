#pragma once

#include "pipeline/corpus/passage_findings.hpp"
#include "pipeline/corpus/passage_options.hpp"
#include "pipeline/corpus/passage_rules.hpp"
#include "pipeline/corpus/title_index.hpp"
#include "pipeline/headings/phrase_set.hpp"
#include "storage/records.hpp"
#include "storage/store.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace touchstone::pipeline::corpus {

/// A link within a passage's text.
struct PassageLink {
  std::uint32_t begin = 0, end = 0;  ///< code points of the anchor text
  std::uint32_t target = 0;          ///< index into the targets of the page's LinkRecord and LinkTargetRecord
};

/// The unit that is judged and released, composed from a page's paragraphs.
struct Passage {
  std::uint32_t ordinal = 0;  ///< within the page, for these settings
  std::uint32_t section = 0;  ///< index into the outline
  std::vector<std::string> section_path;
  /// Paragraphs joined by blanks; code, list items and what follows a text without an end have lines of their own.
  std::string text;
  bool only_code = false;  ///< all of it is preformatted
  std::vector<PassageLink> links;
  std::uint32_t first_paragraph = 0, last_paragraph = 0;  ///< ordinals, inclusive
};

/// A text that is no passage, or a sentence that was left out of one: why, and the text.
using LeftOut = std::function<void(PassageReject reason, std::string_view text)>;

/// Composes passages as the settings say. Thread-safe.
///
/// The ordinal of a passage is that of its section or paragraph on the page, or its number among the page's snippets.
/// Where a section or paragraph is cut because it is too long, its first part has that ordinal and each further one
/// `kPartStep` more, so that no other passage changes its docid.
class PassageComposer {
 public:
  static constexpr std::uint32_t kPartStep = 100'000;

  /// \param wiki      name in docids
  /// \param findings  what is known of all passages together; null: nothing
  PassageComposer(const storage::Store& store, const PassagesOptions& options, std::string wiki,
                  std::shared_ptr<const PassageFindings> findings = nullptr);

  /// Passages of an article, ascending by ordinal; none for redirects and unread pages. Copies are among them.
  /// \param left_out  told what is no passage; may be empty
  std::vector<Passage> passages(PageId page, const LeftOut& left_out = {}) const;
  /// The same without those that another passage stands for: the corpus.
  std::vector<Passage> corpus_passages(PageId page) const;
  /// Of these passages those that hold one of `paragraphs` (ordinals within the page, ascending).
  std::vector<Passage> passages_with(PageId page, const std::vector<std::uint32_t>& paragraphs) const;
  /// Of these passages those with `ordinals`, ascending, without links: what a judge reads. The page must be known to
  /// be an article.
  std::vector<Passage> texts(PageId page, const std::vector<std::uint32_t>& ordinals) const;

  /// What is known of all passages together.
  const PassageFindings& findings() const noexcept { return *findings_; }

  /// `<wiki>-<page id>-<ordinal>`
  std::string docid(PageId page, std::uint32_t ordinal) const;

  /// One sentence for reports that says what a passage of this corpus is.
  std::string description() const;

 private:
  /// Which passages of a page are composed, at least.
  struct Selection {
    const std::vector<std::uint32_t>* paragraphs = nullptr;  ///< those that hold one of them; null: any
    const std::vector<std::uint32_t>* ordinals = nullptr;    ///< those with one of them; null: any
    bool with_links = true;
    const LeftOut* left_out = nullptr;  ///< null: nobody asks
  };
  bool by_paragraph() const { return options_.granularity == Granularity::kParagraph; }
  bool by_snippet() const { return options_.granularity == Granularity::kSnippet; }
  std::optional<std::string> title_of_article(PageId page) const;
  bool is_main_page(const std::string& title) const { return title == main_page_ && !options_.keep_markup; }
  bool is_needed(const storage::OutlineRecord::Section& section, std::uint32_t index, const Selection& selection) const;
  std::vector<Passage> compose(PageId page, const Selection& selection) const;
  void add_cut(Passage&& whole, bool may_cut, std::vector<Passage>& passages) const;
  std::optional<PassageReject> why_no_text(const std::vector<std::string>& path,
                                           const storage::SectionTextRecord& text) const;
  void strip(storage::ParagraphRecord& paragraph, const Selection& selection) const;

  const storage::Store& store_;
  PassagesOptions options_;
  std::string wiki_;
  std::shared_ptr<const PassageFindings> findings_;
  headings::PhraseSet forbidden_;  ///< headings of sections that are no part of the text
  std::string main_page_;          ///< title
};

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

}  // namespace touchstone::pipeline::corpus
