#include "pipeline/corpus/passages.hpp"

#include "common/error.hpp"
#include "common/unicode.hpp"
#include "storage/keys.hpp"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>
#include <unicode/brkiter.h>
#include <unicode/unistr.h>

namespace touchstone::pipeline::corpus {
namespace {

using storage::Family;

/// Nothing but white space, ideographic and no-break blanks included.
bool is_blank(std::string_view text) {
  for (std::size_t byte = 0; byte < text.size();) {
    if (!is_unicode_space(next_code_point(text, byte))) return false;
  }
  return true;
}

/// Builds a passage paragraph by paragraph.
class PassageBuilder {
 public:
  PassageBuilder(std::uint32_t ordinal, std::uint32_t section, std::vector<std::string> path) {
    passage_.ordinal = ordinal;
    passage_.section = section;
    passage_.section_path = std::move(path);
  }

  void add(const storage::ParagraphRecord& paragraph, std::uint32_t paragraph_ordinal,
           const std::vector<Title>& targets) {
    if (is_blank(paragraph.text)) return;
    if (passage_.text.empty()) {
      passage_.first_paragraph = paragraph_ordinal;
    } else {
      passage_.text.push_back(' ');
      ++length_;
    }
    passage_.last_paragraph = paragraph_ordinal;
    for (const auto& link : paragraph.links) {
      if (link.target < targets.size())
        passage_.links.push_back({link.begin + length_, link.end + length_, targets[link.target]});
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

std::size_t count_words(std::string_view text) {
  std::size_t words = 0;
  bool inside = false;
  for (const char c : text) {
    const bool blank = c == ' ';
    words += !blank && !inside ? 1 : 0;
    inside = !blank;
  }
  return words;
}

/// A sentence, or a part of a long one.
struct Piece {
  std::int32_t begin, end;  ///< UTF-16 offsets
  std::size_t words;
};

/// Cuts a sentence of more than `max_words` words at blanks.
void cut_sentence(const icu::UnicodeString& text, std::int32_t begin, std::int32_t end, std::size_t max_words,
                  std::vector<Piece>& pieces) {
  std::size_t words = 0;
  for (std::int32_t i = begin; i < end; ++i) {
    const bool starts_word = text.charAt(i) != ' ' && (i == begin || text.charAt(i - 1) == ' ');
    if (starts_word && words == max_words) {
      pieces.push_back({begin, i, words});
      begin = i;
      words = 0;
    }
    words += starts_word ? 1 : 0;
  }
  pieces.push_back({begin, end, words});
}

/// The sentences of a text, those of more than `max_words` words in parts.
std::vector<Piece> find_pieces(const icu::UnicodeString& text, std::size_t max_words) {
  UErrorCode status = U_ZERO_ERROR;
  const std::unique_ptr<icu::BreakIterator> sentences(
      icu::BreakIterator::createSentenceInstance(icu::Locale::getRoot(), status));
  if (U_FAILURE(status)) throw Error(std::string("ICU cannot find sentence boundaries: ") + u_errorName(status));
  sentences->setText(text);
  std::vector<Piece> pieces;
  std::string sentence;
  std::int32_t begin = sentences->first();
  for (std::int32_t end = sentences->next(); end != icu::BreakIterator::DONE; begin = end, end = sentences->next()) {
    sentence.clear();
    text.tempSubStringBetween(begin, end).toUTF8String(sentence);
    const std::size_t words = count_words(sentence);
    if (words <= max_words) {
      pieces.push_back({begin, end, words});
    } else {
      cut_sentence(text, begin, end, max_words, pieces);
    }
  }
  return pieces;
}

/// Cuts a passage into snippets of whole sentences, each of at most `max_words` words; a sentence longer than that is
/// cut at blanks. Links that straddle a cut are left out.
std::vector<Passage> cut_snippets(const Passage& whole, std::size_t max_words, std::uint32_t& ordinal) {
  const auto text = icu::UnicodeString::fromUTF8(whole.text);
  const std::vector<Piece> pieces = find_pieces(text, max_words);
  // Snippets and links both ascend, so that each code point and each link is looked at once.
  std::vector<Passage> snippets;
  std::int32_t counted = 0;       // UTF-16 offset that ...
  std::uint32_t begin_point = 0;  // ... this many code points stand in front of
  auto link = whole.links.begin();
  for (std::size_t i = 0; i < pieces.size();) {
    std::size_t words = 0, last = i;
    while (last < pieces.size() && (last == i || words + pieces[last].words <= max_words))
      words += pieces[last++].words;
    std::int32_t from = pieces[i].begin, to = pieces[last - 1].end;
    while (to > from && text.charAt(to - 1) == ' ') --to;
    i = last;
    Passage snippet;
    text.tempSubStringBetween(from, to).toUTF8String(snippet.text);
    if (is_blank(snippet.text)) continue;
    snippet.ordinal = ordinal++;
    snippet.section = whole.section;
    snippet.section_path = whole.section_path;
    snippet.first_paragraph = whole.first_paragraph;
    snippet.last_paragraph = whole.last_paragraph;
    begin_point += static_cast<std::uint32_t>(text.countChar32(counted, from - counted));
    counted = from;
    const auto end_point = begin_point + static_cast<std::uint32_t>(text.countChar32(from, to - from));
    while (link != whole.links.end() && link->begin < begin_point) ++link;
    for (auto inside = link; inside != whole.links.end() && inside->begin <= end_point; ++inside) {
      if (inside->end <= end_point)
        snippet.links.push_back({inside->begin - begin_point, inside->end - begin_point, inside->target});
    }
    snippets.push_back(std::move(snippet));
  }
  return snippets;
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

std::string wiki_name(const NameOptions& options, const extractors::SiteInfo& site) {
  if (!options.name.empty()) return options.name;
  std::string name;
  for (const char c : site.db_name.empty() ? site.site_name : site.db_name) {
    if (std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.') name.push_back(c);
  }
  return name.empty() ? "wiki" : name;
}

PassageComposer::PassageComposer(const storage::Store& store, const PassagesOptions& options, std::string wiki)
    : store_(store), options_(options), wiki_(std::move(wiki)) {}

std::vector<Passage> PassageComposer::passages(PageId page) const {
  std::string bytes;
  if (!store_.get(Family::kPage, storage::page_key(page), bytes)) return {};
  const auto record = storage::decode_page(bytes);
  if (record.is_redirect || record.content != storage::PageContent::kRead || record.title.ns != 0) return {};
  storage::LinkRecord links;
  if (store_.get(Family::kLink, storage::page_key(page), bytes)) links = storage::decode_links(bytes);
  return compose(page, links, nullptr);
}

std::vector<Passage> PassageComposer::texts(PageId page, const std::vector<std::uint32_t>& ordinals) const {
  auto passages = compose(page, {}, &ordinals);
  std::erase_if(passages, [&](const Passage& passage) {
    return !std::binary_search(ordinals.begin(), ordinals.end(), passage.ordinal);
  });
  return passages;
}

std::vector<Passage> PassageComposer::compose(PageId page, const storage::LinkRecord& links,
                                              const std::vector<std::uint32_t>* wanted) const {
  std::vector<Passage> passages;
  std::string bytes;
  if (!store_.get(Family::kOutline, storage::page_key(page), bytes)) return passages;
  const auto outline = storage::decode_outline(bytes);
  const auto is_wanted = [&](std::uint32_t first, std::uint32_t count) {
    if (wanted == nullptr) return true;
    const auto at = std::lower_bound(wanted->begin(), wanted->end(), first);
    return at != wanted->end() && *at - first < count;
  };
  const bool by_paragraph = options_.granularity == Granularity::kParagraph,
             by_snippet = options_.granularity == Granularity::kSnippet;
  std::uint32_t snippet_ordinal = 0;
  const auto section_count = options_.scope == PassageScope::kLead ? std::min<std::size_t>(1, outline.sections.size())
                                                                   : outline.sections.size();
  for (std::uint32_t index = 0; index < section_count; ++index) {
    const auto& section = outline.sections[index];
    // The ordinals of snippets are known only when all before them are cut.
    const bool may_hold_wanted =
        by_snippet ||
        (by_paragraph ? is_wanted(section.first_paragraph, section.paragraph_count) : is_wanted(index, 1));
    if (section.paragraph_count == 0 || !may_hold_wanted ||
        !store_.get(Family::kParagraph, storage::page_part_key(page, index), bytes))
      continue;
    const auto text = storage::decode_section_text(bytes);
    const auto path = section_path(outline, index);
    PassageBuilder whole(index, index, path);
    std::uint32_t ordinal = section.first_paragraph;
    for (const auto& paragraph : text.paragraphs) {
      const std::uint32_t here = ordinal++;
      if (paragraph.kind == storage::ParagraphKind::kListItem && !options_.include_lists) continue;
      if (by_paragraph) {
        if (!is_wanted(here, 1)) continue;
        PassageBuilder single(here, index, path);
        single.add(paragraph, here, links.targets);
        if (!single.empty()) passages.push_back(single.take());
      } else {
        whole.add(paragraph, here, links.targets);
      }
    }
    if (whole.empty()) continue;
    if (by_snippet) {
      auto snippets = cut_snippets(whole.take(), static_cast<std::size_t>(options_.max_words), snippet_ordinal);
      std::move(snippets.begin(), snippets.end(), std::back_inserter(passages));
    } else {
      passages.push_back(whole.take());
    }
  }
  return passages;
}

std::string PassageComposer::docid(PageId page, std::uint32_t ordinal) const {
  return fmt::format("{}-{}-{}", wiki_, page.value, ordinal);
}

PageId page_of_docid(std::string_view docid) {
  const auto last = docid.rfind('-');
  const auto before = last == std::string_view::npos || last == 0 ? std::string_view::npos : docid.rfind('-', last - 1);
  PageId page;
  if (before != std::string_view::npos) {
    const std::string_view number = docid.substr(before + 1, last - before - 1);
    const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), page.value);
    if (error == std::errc{} && end == number.data() + number.size() && !number.empty()) return page;
  }
  throw FormatError("\"" + std::string(docid) +
                    "\" is no docid of the form wiki-page-ordinal; run the stage that wrote it again");
}

std::string PassageComposer::description() const {
  const std::string lists = options_.include_lists ? "" : ", list items left out";
  const std::string where =
      options_.scope == PassageScope::kLead ? "lead section of every article" : "text of every article";
  if (options_.granularity == Granularity::kParagraph) return where + ", one passage a paragraph" + lists;
  if (options_.granularity == Granularity::kSnippet) {
    return where + ", in snippets of whole sentences of at most " + std::to_string(options_.max_words) + " words" +
           lists;
  }
  return where + (options_.scope == PassageScope::kLead ? ", one passage each" : ", one passage a section") + lists;
}

}  // namespace touchstone::pipeline::corpus
