#include "pipeline/corpus/passages.hpp"

#include "common/unicode.hpp"
#include "pipeline/corpus/docids.hpp"
#include "pipeline/corpus/snippets.hpp"
#include "storage/keys.hpp"

#include <algorithm>

namespace touchstone::pipeline::corpus {
namespace {

using storage::Family;

/// Builds a passage paragraph by paragraph.
class PassageBuilder {
 public:
  PassageBuilder(std::uint32_t ordinal, std::uint32_t section, std::vector<std::string> path) {
    passage_.ordinal = ordinal;
    passage_.section = section;
    passage_.section_path = std::move(path);
  }

  void add(const storage::ParagraphRecord& paragraph, std::uint32_t paragraph_ordinal, bool with_links) {
    if (is_white_space(paragraph.text)) return;
    if (passage_.text.empty()) {
      passage_.first_paragraph = paragraph_ordinal;
    } else {
      passage_.text.push_back(' ');
      ++length_;
    }
    passage_.last_paragraph = paragraph_ordinal;
    if (with_links) {
      for (const auto& link : paragraph.links)
        passage_.links.push_back({link.begin + length_, link.end + length_, link.target});
    }
    const std::size_t start = passage_.text.size();
    passage_.text += paragraph.text;
    std::replace_if(
        passage_.text.begin() + static_cast<std::ptrdiff_t>(start), passage_.text.end(),
        [](char c) { return c == '\n' || c == '\t' || c == '\r'; }, ' ');
    length_ += static_cast<std::uint32_t>(count_code_points(paragraph.text));
  }
  bool empty() const { return passage_.text.empty(); }
  Passage take() { return std::move(passage_); }

 private:
  Passage passage_;
  std::uint32_t length_ = 0;
};

/// Whether one of `numbers`, which ascend, is in [first, first + count).
bool any_within(const std::vector<std::uint32_t>& numbers, std::uint32_t first, std::uint32_t count) {
  const auto at = std::lower_bound(numbers.begin(), numbers.end(), first);
  return at != numbers.end() && *at - first < count;
}

}  // namespace

std::vector<std::string> section_path(const storage::OutlineRecord& outline, std::uint32_t index) {
  std::vector<std::string> path;
  while (index != 0 && index < outline.sections.size() && path.size() < outline.sections.size()) {
    path.push_back(outline.sections[index].heading);
    index = outline.sections[index].parent;
  }
  std::reverse(path.begin(), path.end());
  return path;
}

PassageComposer::PassageComposer(const storage::Store& store, const PassagesOptions& options, std::string wiki)
    : store_(store), options_(options), wiki_(std::move(wiki)) {}

bool PassageComposer::is_article(PageId page) const {
  std::string bytes;
  if (!store_.get(Family::kPage, storage::page_key(page), bytes)) return false;
  const auto record = storage::decode_page(bytes);
  return !record.is_redirect && record.content == storage::PageContent::kRead && record.title.ns == kNamespaceMain;
}

std::vector<Passage> PassageComposer::passages(PageId page) const {
  return is_article(page) ? compose(page, {}) : std::vector<Passage>{};
}

std::vector<Passage> PassageComposer::passages_with(PageId page, const std::vector<std::uint32_t>& paragraphs) const {
  if (!is_article(page)) return {};
  Selection selection;
  selection.paragraphs = &paragraphs;
  auto passages = compose(page, selection);
  std::erase_if(passages, [&](const Passage& passage) {
    return !any_within(paragraphs, passage.first_paragraph, passage.last_paragraph - passage.first_paragraph + 1);
  });
  return passages;
}

std::vector<Passage> PassageComposer::texts(PageId page, const std::vector<std::uint32_t>& ordinals) const {
  Selection selection;
  selection.ordinals = &ordinals;
  selection.with_links = false;
  auto passages = compose(page, selection);
  std::erase_if(passages, [&](const Passage& passage) { return !any_within(ordinals, passage.ordinal, 1); });
  return passages;
}

bool PassageComposer::is_needed(const storage::OutlineRecord::Section& section, std::uint32_t index,
                                const Selection& selection) const {
  if (section.paragraph_count == 0) return false;
  if (by_snippet()) {
    // The ordinals of snippets are known only when all before them are cut.
    return selection.paragraphs == nullptr ||
           (!selection.paragraphs->empty() && section.first_paragraph <= selection.paragraphs->back());
  }
  if (selection.paragraphs != nullptr &&
      !any_within(*selection.paragraphs, section.first_paragraph, section.paragraph_count))
    return false;
  if (selection.ordinals == nullptr) return true;
  return by_paragraph() ? any_within(*selection.ordinals, section.first_paragraph, section.paragraph_count)
                        : any_within(*selection.ordinals, index, 1);
}

std::vector<Passage> PassageComposer::compose(PageId page, const Selection& selection) const {
  std::vector<Passage> passages;
  std::string bytes;
  if (!store_.get(Family::kOutline, storage::page_key(page), bytes)) return passages;
  const auto outline = storage::decode_outline(bytes);
  const auto section_count = options_.scope == PassageScope::kLead ? std::min<std::size_t>(1, outline.sections.size())
                                                                   : outline.sections.size();
  std::uint32_t snippet_ordinal = 0;
  for (std::uint32_t index = 0; index < section_count; ++index) {
    const auto& section = outline.sections[index];
    if (!is_needed(section, index, selection) ||
        !store_.get(Family::kParagraph, storage::page_part_key(page, index), bytes))
      continue;
    const auto text = storage::decode_section_text(bytes);
    const auto path = section_path(outline, index);
    PassageBuilder whole(index, index, path);
    std::uint32_t ordinal = section.first_paragraph;
    for (const auto& paragraph : text.paragraphs) {
      const std::uint32_t here = ordinal++;
      if (paragraph.kind == storage::ParagraphKind::kListItem && !options_.include_lists) continue;
      if (!by_paragraph()) {
        whole.add(paragraph, here, selection.with_links);
        continue;
      }
      if (selection.ordinals != nullptr && !any_within(*selection.ordinals, here, 1)) continue;
      PassageBuilder single(here, index, path);
      single.add(paragraph, here, selection.with_links);
      if (!single.empty()) passages.push_back(single.take());
    }
    if (whole.empty()) continue;
    if (by_snippet()) {
      auto snippets = cut_snippets(whole.take(), static_cast<std::size_t>(options_.max_words), snippet_ordinal);
      std::move(snippets.begin(), snippets.end(), std::back_inserter(passages));
    } else {
      passages.push_back(whole.take());
    }
  }
  return passages;
}

std::string PassageComposer::docid(PageId page, std::uint32_t ordinal) const {
  return make_docid(wiki_, page, ordinal);
}

std::string PassageComposer::description() const {
  const std::string lists = options_.include_lists ? "" : ", list items left out";
  const std::string where =
      options_.scope == PassageScope::kLead ? "lead section of every article" : "text of every article";
  if (by_paragraph()) return where + ", one passage a paragraph" + lists;
  if (by_snippet()) {
    return where + ", in snippets of whole sentences of at most " + std::to_string(options_.max_words) + " words" +
           lists;
  }
  return where + (options_.scope == PassageScope::kLead ? ", one passage each" : ", one passage a section") + lists;
}

}  // namespace touchstone::pipeline::corpus
