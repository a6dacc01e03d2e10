#include "pipeline/passages/passage_composer.hpp"

#include "collection/health/damage.hpp"
#include "common/unicode.hpp"
#include "extractors/site/site_info.hpp"
#include "pipeline/headings/heading_words.hpp"
#include "pipeline/passages/sentences.hpp"
#include "pipeline/passages/snippets.hpp"
#include "storage/keys.hpp"
#include "storage/meta_keys.hpp"
#include "text/sentences.hpp"
#include "text/words.hpp"

#include <algorithm>

namespace touchstone::pipeline::passages {
namespace {

using storage::Family;

/// Whether a text ends with what ends sentences and clauses, so that more may follow in its line.
bool ends_sentence(std::string_view text) noexcept {
  constexpr std::string_view kMarks[] = {".", "!",  "?",  ":",  ";",  ",", ")", "\"",
                                         "'", "。", "！", "？", "：", "”", "»", "…"};
  return std::any_of(std::begin(kMarks), std::end(kMarks), [&](std::string_view mark) { return text.ends_with(mark); });
}

/// Takes the last sentence off a passage if it announces what does not follow and others are left.
void drop_announcement(Passage& passage) {
  if (!announces(passage.text)) return;
  const std::size_t size = text::size_without_last_sentence(passage.text);
  if (size == 0) return;
  passage.text.resize(size);
  const auto points = static_cast<std::uint32_t>(count_code_points(passage.text));
  std::erase_if(passage.links, [&](const PassageLink& link) { return link.end > points; });
}

std::size_t least_words(const PassagesOptions& options) noexcept {
  return static_cast<std::size_t>(options.min_words);
}

/// What the dump says of its wiki; nothing for a store without a wiki.
std::optional<extractors::site::SiteInfo> site_of(const storage::Store& store) {
  std::string json;
  if (!store.get(Family::kMeta, storage::kMetaSite, json)) return std::nullopt;
  return extractors::site::SiteInfo::from_json(json);
}

}  // namespace

/// Builds a passage paragraph by paragraph. Code, list items and what follows a text without an end of a sentence have
/// lines of their own.
class PassageComposer::Builder {
 public:
  Builder(std::uint32_t ordinal, std::vector<std::string> path) {
    passage_.ordinal = ordinal;
    passage_.section_path = std::move(path);
  }

  void add(const storage::ParagraphRecord& paragraph) {
    if (is_white_space(paragraph.text)) return;
    const bool code = paragraph.kind == storage::ParagraphKind::kPreformatted;
    const bool item = paragraph.kind == storage::ParagraphKind::kListItem;
    if (!passage_.text.empty()) {
      const bool own_line = code || item || ends_in_code_or_item_ || !ends_sentence(passage_.text);
      passage_.text.push_back(own_line ? '\n' : ' ');
      ++length_;
    }
    only_code_ = only_code_ && code;
    for (const auto& link : paragraph.links)
      passage_.links.push_back({link.begin + length_, link.end + length_, link.target, {}});
    const std::size_t start = passage_.text.size();
    passage_.text += paragraph.text;
    std::replace_if(
        passage_.text.begin() + static_cast<std::ptrdiff_t>(start), passage_.text.end(),
        [code](char c) { return (c == '\n' && !code) || c == '\t' || c == '\r'; }, ' ');
    ends_in_code_or_item_ = code || item;
    length_ += static_cast<std::uint32_t>(count_code_points(paragraph.text));
  }
  bool empty() const { return passage_.text.empty(); }

  /// Whether a paragraph stays with what was added: code with the paragraph in front of it, and list items with the
  /// text that announces them.
  bool goes_on_with(const storage::ParagraphRecord& paragraph) {
    if (empty()) return false;
    if (paragraph.kind == storage::ParagraphKind::kPreformatted) return true;
    if (paragraph.kind != storage::ParagraphKind::kListItem) return false;
    if (announces(passage_.text)) announced_ = true;
    return announced_ && paragraph.list_marker.size() > depth_;
  }
  void start_with(const storage::ParagraphRecord& paragraph) { depth_ = paragraph.list_marker.size(); }
  Draft take() { return {std::move(passage_), only_code_}; }

 private:
  Passage passage_;
  std::uint32_t length_ = 0;
  std::size_t depth_ = 0;  ///< of the list item that it begins with
  bool ends_in_code_or_item_ = false;
  bool only_code_ = true;
  bool announced_ = false;  ///< it goes on with list items
};

std::vector<std::string> section_path(const storage::OutlineRecord& outline, std::uint32_t index) {
  std::vector<std::string> path;
  while (index != 0 && index < outline.sections.size() && path.size() < outline.sections.size()) {
    path.push_back(outline.sections[index].heading);
    index = outline.sections[index].parent;
  }
  std::reverse(path.begin(), path.end());
  return path;
}

SectionRange sections_in_scope(const storage::Store& store, const PassagesOptions& options, PageId page,
                               const storage::OutlineRecord& outline) {
  const auto count = static_cast<std::uint32_t>(outline.sections.size());
  if (options.scope == PassageScope::kAll) return {0, count};
  std::string bytes;
  for (std::uint32_t i = 0; i < count; ++i) {
    if (outline.sections[i].paragraph_count == 0 ||
        !store.get(Family::kParagraph, storage::page_part_key(page, i), bytes))
      continue;
    const auto text = storage::decode_section_text(bytes);
    const bool has_text = std::any_of(text.paragraphs.begin(), text.paragraphs.end(), [&](const auto& paragraph) {
      const bool counts = paragraph.kind != storage::ParagraphKind::kNote &&
                          (options.include_lists || paragraph.kind != storage::ParagraphKind::kListItem);
      return counts && !is_white_space(paragraph.text);
    });
    if (has_text) return {i, i + 1};
  }
  return {};
}

PassageComposer::PassageComposer(const storage::Store& store, const PassagesOptions& options, Boilerplate boilerplate)
    : store_(store), options_(options), boilerplate_(std::move(boilerplate)) {
  const auto site = site_of(store);
  forbidden_ = headings::wiki_heading_words(site ? site->language : "").forbidden;
  if (site) main_page_ = site->main_page();
}

/// The page's title if it is an article that was read.
std::optional<std::string> PassageComposer::title_of_article(PageId page) const {
  std::string bytes;
  if (!store_.get(Family::kPage, storage::page_key(page), bytes)) return std::nullopt;
  auto record = storage::decode_page(bytes);
  return record.is_article() ? std::optional(std::move(record.title.text)) : std::nullopt;
}

std::vector<Passage> PassageComposer::passages(PageId page, const LeftOut& left_out, const AskedSentence& asked) const {
  const auto title = title_of_article(page);
  if (!title) return {};
  auto passages = compose(page, left_out, asked);
  if (!is_main_page(*title)) return passages;
  for (const auto& passage : passages) {
    if (left_out) left_out(PassageReject::kMainPage, passage.text);
  }
  return {};
}

std::vector<Passage> PassageComposer::compose(PageId page, const LeftOut& left_out, const AskedSentence& asked) const {
  std::string bytes;
  if (!store_.get(Family::kOutline, storage::page_key(page), bytes)) return {};
  const auto outline = storage::decode_outline(bytes);
  const auto scope = sections_in_scope(store_, options_, page, outline);
  const auto& last = outline.sections.empty() ? storage::OutlineRecord::Section{} : outline.sections.back();
  const bool may_cut = outline.sections.size() < kPartStep && last.first_paragraph + last.paragraph_count < kPartStep;
  std::vector<Draft> drafts;
  std::uint32_t snippet_ordinal = 0;
  for (std::uint32_t index = scope.first; index < scope.end; ++index) {
    const auto& section = outline.sections[index];
    if (section.paragraph_count == 0 || !store_.get(Family::kParagraph, storage::page_part_key(page, index), bytes))
      continue;
    auto text = storage::decode_section_text(bytes);
    const auto path = section_path(outline, index);
    Builder whole(by_snippet() ? snippet_ordinal : index, path);
    if (const auto reason = why_no_text(path, text)) {
      if (left_out) left_out(*reason, path.back());
      continue;
    }
    for (auto& paragraph : text.paragraphs) strip(paragraph, left_out, asked);
    if (!options_.keep_markup) strip_announcements(text, options_.include_lists);
    std::uint32_t ordinal = section.first_paragraph;
    for (const auto& paragraph : text.paragraphs) {
      const std::uint32_t here = ordinal++;
      if (paragraph.kind == storage::ParagraphKind::kNote) continue;
      if (paragraph.kind == storage::ParagraphKind::kListItem && !options_.include_lists) continue;
      if (by_paragraph() && !whole.goes_on_with(paragraph)) {
        if (!whole.empty()) add_cut(whole.take(), may_cut, drafts);
        whole = Builder(here, path);
        whole.start_with(paragraph);
      }
      whole.add(paragraph);
    }
    if (whole.empty()) continue;
    if (by_snippet()) {
      auto snippets = cut_at_sentences(whole.take().passage, options_.most_words(), least_words(options_), 1);
      if (!snippets.empty()) snippet_ordinal = snippets.back().ordinal + 1;
      for (auto& snippet : snippets) drafts.push_back({std::move(snippet)});
    } else {
      add_cut(whole.take(), may_cut, drafts);
    }
  }
  std::sort(drafts.begin(), drafts.end(),
            [](const auto& a, const auto& b) { return a.passage.ordinal < b.passage.ordinal; });
  std::vector<Passage> passages;
  for (auto& draft : drafts) {
    if (!options_.keep_markup) drop_announcement(draft.passage);
    if (!is_refused(draft, left_out)) passages.push_back(std::move(draft.passage));
  }
  return passages;
}

bool PassageComposer::is_refused(const Draft& draft, const LeftOut& left_out) const {
  const auto& passage = draft.passage;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> links;
  links.reserve(passage.links.size());
  for (const auto& link : passage.links) links.emplace_back(link.begin, link.end);
  auto broken = broken_rule(options_, passage.text, links);
  if (!broken && !options_.keep_markup && draft.only_code && !collection::health::has_prose(passage.text))
    broken = PassageReject::kCode;
  if (broken && left_out) left_out(*broken, passage.text);
  return broken.has_value();
}

/// Adds a section or paragraph, in parts if it is too long.
void PassageComposer::add_cut(Draft whole, bool may_cut, std::vector<Draft>& drafts) const {
  const std::size_t words = text::count_words(whole.passage.text);
  std::size_t most = options_.most_words();
  if (words <= most || !may_cut) {
    drafts.push_back(std::move(whole));
    return;
  }
  // No more parts than there are ordinals for.
  most = std::max(most, 2 * words / (UINT32_MAX / kPartStep) + 1);
  for (auto& part : cut_at_sentences(whole.passage, most, least_words(options_), kPartStep))
    drafts.push_back({std::move(part)});
}

/// A section holds no text if its heading names a property of Wikidata, "part of (P361)", or if it has nothing but a
/// list of what is elsewhere: literature, references, links.
std::optional<PassageReject> PassageComposer::why_no_text(const std::vector<std::string>& path,
                                                          const storage::SectionTextRecord& text) const {
  using storage::ParagraphKind;
  if (options_.max_property_share < 1 && std::any_of(path.begin(), path.end(), names_property))
    return PassageReject::kMostlyProperties;
  const auto is_item = [](const auto& paragraph) {
    return paragraph.kind == ParagraphKind::kListItem || paragraph.kind == ParagraphKind::kNote ||
           is_white_space(paragraph.text);
  };
  const auto is_forbidden = [&](const auto& heading) { return forbidden_.matches(heading); };
  const bool apparatus = !options_.keep_markup && std::any_of(path.begin(), path.end(), is_forbidden) &&
                         std::all_of(text.paragraphs.begin(), text.paragraphs.end(), is_item);
  return apparatus ? std::optional(PassageReject::kApparatus) : std::nullopt;
}

void PassageComposer::strip(storage::ParagraphRecord& paragraph, const LeftOut& left_out,
                            const AskedSentence& asked) const {
  if (!options_.keep_markup) {
    strip_damage(paragraph, [&](collection::health::TextDamage damage, std::string_view text) {
      if (left_out) left_out(reject_of(damage), text);
    });
  }
  strip_boilerplate(boilerplate_, paragraph, asked, [&](std::string_view sentence) {
    if (left_out) left_out(PassageReject::kBoilerplate, sentence);
  });
}

std::string describe_passages(const PassagesOptions& options) {
  const std::string lists = options.include_lists ? "" : ", list items left out";
  const std::string where =
      options.scope == PassageScope::kLead ? "lead section of every article" : "text of every article";
  switch (options.granularity) {
    case Granularity::kParagraph:
      return where + ", one passage a paragraph" + lists;
    case Granularity::kSnippet:
      return where + ", in snippets of whole sentences of at most " + std::to_string(options.most_words()) + " words" +
             lists;
    case Granularity::kSection:
      break;
  }
  return where + (options.scope == PassageScope::kLead ? ", one passage each" : ", one passage a section") + lists;
}

}  // namespace touchstone::pipeline::passages
