#include "collection/automatic/leak_check.hpp"

#include "collection/automatic/digest_table.hpp"
#include "common/digest.hpp"
#include "common/unicode.hpp"
#include "formats/car/ids.hpp"
#include "formats/car/records.hpp"
#include "text/words.hpp"

#include <algorithm>

namespace touchstone::collection::automatic {
namespace {

namespace car = formats::car;

constexpr std::size_t kCharactersPerWord = 4;  // of scripts without blanks

/// A title as wikis compare it.
std::string comparable_title(std::string_view title) {
  std::string text(title);
  std::replace(text.begin(), text.end(), '_', ' ');
  return upper_case_first(nfc(text));
}

/// A text in lower case with one blank for every white space, and how many words it has.
struct ComparableText {
  std::string text;
  std::size_t words = 0;
};

ComparableText comparable_text(std::string_view text) {
  ComparableText comparable;
  const std::string lower = lower_case(text);
  text::for_each_word(std::string_view(lower), text::between_spaces, [&](const text::Word& word) {
    comparable.text.append(comparable.words++ == 0 ? "" : " ").append(word.of(std::string_view(lower)));
  });
  const auto letters = count_code_points(comparable.text);
  const auto ascii = static_cast<std::size_t>(
      std::count_if(comparable.text.begin(), comparable.text.end(), [](char c) { return (c & 0x80) == 0; }));
  comparable.words = std::max(comparable.words, (letters - ascii) / kCharactersPerWord);
  return comparable;
}

/// Calls `visit` for all texts of a page.
template <class Visit>
struct ParagraphVisitor {
  const Visit& visit;

  void enter(const car::Section&, std::size_t) const {}
  void leave(const car::Section&) const {}
  void element(const car::Paragraph& paragraph) const { visit(paragraph); }
  void element(const car::ListItem& item) const { visit(item.paragraph); }
  void element(const car::Image&) const {}    // what is in it comes next
  void element(const car::Infobox&) const {}  // likewise
};

template <class Visit>
void visit_paragraphs(const car::Page& page, const Visit& visit) {
  const ParagraphVisitor<Visit> visitor{visit};
  car::visit_skeleton(page.skeleton, visitor);
}

}  // namespace

struct LeakCheck::Impl {
  static constexpr auto kNoQuery = DigestTable::kNone;

  static std::uint32_t query_of(const DigestTable& digests, std::string_view key) {
    return key.empty() ? kNoQuery : digests.find(xxh3_64(key));
  }

  std::uint32_t last_query() const { return static_cast<std::uint32_t>(query_ids.size() - 1); }

  void remember(DigestTable& digests, std::string_view key) const {
    if (!key.empty()) digests.add(xxh3_64(key), last_query());
  }

  static std::string id_of(const car::Paragraph& paragraph) {
    return paragraph.id.empty() ? car::paragraph_id(paragraph.bodies) : paragraph.id;
  }

  std::string docid_of(const std::string& paragraph_id) const {
    return options.representative ? options.representative(paragraph_id) : paragraph_id;
  }

  Leak leak(LeakKind kind, const car::Page& page, std::uint32_t query, const std::string& paragraph_id = "") const {
    return {kind, page.id, page.name, query_ids[query], paragraph_id};
  }

  std::uint32_t query_with_page(const car::Page& page) const {
    for (const auto query :
         {query_of(ids, page.id), query_of(titles, comparable_title(page.name)), query_of(qids, page.metadata.qid)})
      if (query != kNoQuery) return query;
    return kNoQuery;
  }

  std::uint32_t query_with_redirect(const car::Page& page) const {
    if (page.redirect) {
      for (const auto query :
           {query_of(ids, page.redirect->page_id), query_of(titles, comparable_title(page.redirect->page_name))})
        if (query != kNoQuery) return query;
    }
    return query_of(redirects, comparable_title(page.name));
  }

  /// The query page that has the text, or kNoQuery.
  std::uint32_t query_with_text(const car::Paragraph& paragraph) const {
    const auto comparable = comparable_text(car::paragraph_text(paragraph));
    if (comparable.words < options.min_text_words) return kNoQuery;
    const auto query = query_of(texts, comparable.text);
    return query != kNoQuery ? query : query_of(docids, docid_of(id_of(paragraph)));
  }

  void find_inlinks(const car::Page& page, std::vector<Leak>& found) const {
    for (const auto& id : page.metadata.inlink_ids) {
      if (const auto query = query_of(ids, id); query != kNoQuery)
        found.push_back(leak(LeakKind::kInlink, page, query));
    }
  }

  void find_texts(const car::Page& page, std::vector<Leak>& found) const {
    visit_paragraphs(page, [&](const car::Paragraph& paragraph) {
      const auto query = query_with_text(paragraph);
      if (query != kNoQuery) found.push_back(leak(LeakKind::kText, page, query, paragraph.id));
    });
  }

  std::uint64_t remove_leaked_texts(std::vector<car::Skeleton>& elements) const {
    std::uint64_t removed = 0;
    for (auto& [element] : elements) {
      if (auto* section = std::get_if<car::Section>(&element)) removed += remove_leaked_texts(section->children);
      if (auto* image = std::get_if<car::Image>(&element)) removed += remove_leaked_texts(image->caption);
      if (auto* infobox = std::get_if<car::Infobox>(&element)) {
        for (auto& [key, value] : infobox->entries) removed += remove_leaked_texts(value);
      }
    }
    return removed + std::erase_if(elements, [&](const car::Skeleton& skeleton) { return is_leaked_text(skeleton); });
  }

  bool is_leaked_text(const car::Skeleton& skeleton) const {
    const auto* paragraph = std::get_if<car::Paragraph>(&skeleton.element);
    if (const auto* item = std::get_if<car::ListItem>(&skeleton.element)) paragraph = &item->paragraph;
    return paragraph != nullptr && query_with_text(*paragraph) != kNoQuery;
  }

  LeakCheckOptions options;
  std::vector<std::string> query_ids;
  DigestTable ids, titles, qids, redirects, texts, docids;  // to indexes into query_ids
  std::vector<Leak> leaks;
  std::array<std::uint64_t, std::size(kLeakKinds)> counts{};
};

LeakCheck::LeakCheck(LeakCheckOptions options) : impl_(std::make_unique<Impl>()) {
  impl_->options = std::move(options);
}

LeakCheck::~LeakCheck() = default;

QueryPageFacts LeakCheck::facts_of(const formats::car::Page& page) const {
  QueryPageFacts facts;
  facts.id = page.id;
  facts.title = comparable_title(page.name);
  facts.qid = page.metadata.qid;
  for (const auto& name : page.metadata.redirect_names) facts.redirects.push_back(comparable_title(name));
  visit_paragraphs(page, [&](const car::Paragraph& paragraph) {
    const auto comparable = comparable_text(car::paragraph_text(paragraph));
    if (comparable.words < impl_->options.min_text_words) return;
    if (!comparable.text.empty()) facts.texts.push_back(xxh3_64(comparable.text));
    facts.paragraph_ids.push_back(Impl::id_of(paragraph));
  });
  return facts;
}

void LeakCheck::add_query_page(const formats::car::Page& page) {
  add_query_page(facts_of(page));
}

void LeakCheck::add_query_page(const QueryPageFacts& facts) {
  Impl& impl = *impl_;
  impl.query_ids.push_back(facts.id);
  impl.remember(impl.ids, facts.id);
  impl.remember(impl.titles, facts.title);
  impl.remember(impl.qids, facts.qid);
  for (const auto& title : facts.redirects) impl.remember(impl.redirects, title);
  for (const auto text : facts.texts) impl.texts.add(text, impl.last_query());
  for (const auto& id : facts.paragraph_ids) impl.remember(impl.docids, impl.docid_of(id));
}

void LeakCheck::check(const formats::car::Page& page) {
  add(find(page));
}

std::vector<Leak> LeakCheck::find(const formats::car::Page& page) const {
  std::vector<Leak> found;
  if (const auto query = impl_->query_with_page(page); query != Impl::kNoQuery) {
    found.push_back(impl_->leak(LeakKind::kQueryPage, page, query));
  } else if (const auto target = impl_->query_with_redirect(page); target != Impl::kNoQuery) {
    found.push_back(impl_->leak(LeakKind::kRedirect, page, target));
  }
  impl_->find_inlinks(page, found);
  impl_->find_texts(page, found);
  return found;
}

void LeakCheck::add(const std::vector<Leak>& leaks) {
  for (const auto& leak : leaks) {
    ++impl_->counts[static_cast<std::size_t>(leak.kind)];
    if (impl_->leaks.size() < impl_->options.max_leaks) impl_->leaks.push_back(leak);
  }
}

bool LeakCheck::is_leak(const formats::car::Page& page) const {
  return impl_->query_with_page(page) != Impl::kNoQuery || impl_->query_with_redirect(page) != Impl::kNoQuery;
}

std::uint64_t LeakCheck::remove_leaked_texts(formats::car::Page& page) const {
  return impl_->remove_leaked_texts(page.skeleton);
}

const std::vector<Leak>& LeakCheck::leaks() const noexcept {
  return impl_->leaks;
}

std::uint64_t LeakCheck::count(LeakKind kind) const noexcept {
  return impl_->counts[static_cast<std::size_t>(kind)];
}

bool LeakCheck::ok() const noexcept {
  return std::all_of(impl_->counts.begin(), impl_->counts.end(), [](std::uint64_t count) { return count == 0; });
}

}  // namespace touchstone::collection::automatic
