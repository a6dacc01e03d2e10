#pragma once

#include "pipeline/corpus/passage_options.hpp"
#include "pipeline/corpus/title_index.hpp"
#include "pipeline/corpus/wiki_options.hpp"
#include "storage/records.hpp"
#include "storage/store.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace touchstone::pipeline::corpus {

/// A link within a passage's text.
struct PassageLink {
  std::uint32_t begin = 0, end = 0;  ///< code points of the anchor text
  Title target;                      ///< as written: redirects not followed
};

/// The unit that is judged and released, composed from a page's paragraphs.
struct Passage {
  std::uint32_t ordinal = 0;  ///< within the page, for these settings
  std::uint32_t section = 0;  ///< index into the outline
  std::vector<std::string> section_path;
  std::string text;  ///< one line: paragraphs joined by a blank
  std::vector<PassageLink> links;
  std::uint32_t first_paragraph = 0, last_paragraph = 0;  ///< ordinals, inclusive
};

/// Composes passages as the settings say. Thread-safe.
class PassageComposer {
 public:
  /// \param wiki  name in docids
  PassageComposer(const storage::Store& store, const PassagesOptions& options, std::string wiki);

  /// Passages of an article, ascending by ordinal; none for redirects and unread pages.
  std::vector<Passage> passages(PageId page) const;
  /// Of these passages those with `ordinals`, ascending, without links: what a judge reads. The page must be known to
  /// be an article.
  std::vector<Passage> texts(PageId page, const std::vector<std::uint32_t>& ordinals) const;

  /// `<wiki>-<page id>-<ordinal>`
  std::string docid(PageId page, std::uint32_t ordinal) const;

  /// One sentence for reports: what a passage of this corpus is.
  std::string description() const;

 private:
  /// \param wanted  null: all
  std::vector<Passage> compose(PageId page, const storage::LinkRecord& links,
                               const std::vector<std::uint32_t>* wanted) const;

  const storage::Store& store_;
  PassagesOptions options_;
  std::string wiki_;
};

/// The wiki's name as docids carry it: as configured, else the database name, with what docids may not hold left out.
std::string wiki_name(const NameOptions& options, const extractors::SiteInfo& site);

/// The page in a docid of ours. Throws FormatError for any other text.
PageId page_of_docid(std::string_view docid);

/// Headings above and at section `index`, outermost first; empty for the lead.
std::vector<std::string> section_path(const storage::OutlineRecord& outline, std::uint32_t index);

}  // namespace touchstone::pipeline::corpus
