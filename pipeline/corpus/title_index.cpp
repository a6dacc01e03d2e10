#include "pipeline/corpus/title_index.hpp"

#include "common/edit_distance.hpp"
#include "common/error.hpp"
#include "common/unicode.hpp"
#include "pipeline/corpus/redirect_map.hpp"
#include "storage/keys.hpp"
#include "storage/meta_keys.hpp"

#include <algorithm>
#include <iterator>
#include <set>

namespace touchstone::pipeline::corpus {

using storage::Family;

TitleIndex::TitleIndex(const storage::Store& store) : store_(store) {
  std::string json;
  if (!store.get(Family::kMeta, storage::kMetaSite, json)) {
    throw StorageError("store " + store.directory().string() + " holds no wiki yet; run touchstone ingest first");
  }
  site_ = extractors::site::SiteInfo::from_json(json);
}

TitleIndex::TitleIndex(const storage::Store& store, const TextOptions& text) : TitleIndex(store) {
  if (!text.text_language.empty()) site_.language = lower_case(text.text_language);
}

std::optional<PageId> TitleIndex::find(const Title& title) const {
  std::string value;
  if (!store_.get(Family::kTitle, storage::title_key(title.ns, title.text), value)) return std::nullopt;
  return storage::read_page_key(value);
}

std::optional<storage::PageRecord> TitleIndex::page(PageId id) const {
  std::string value;
  if (!store_.get(Family::kPage, storage::page_key(id), value)) return std::nullopt;
  return storage::decode_page(value);
}

std::optional<TitleIndex::Resolved> TitleIndex::resolve(const Title& title) const {
  Title at = title;
  for (int hop = 0; hop <= kMaxRedirectHops; ++hop) {
    const auto id = find(at);
    if (!id) return std::nullopt;
    auto record = page(*id);
    if (!record) return std::nullopt;
    if (!record->is_redirect) return Resolved{*id, std::move(*record)};
    if (record->redirect.text.empty()) return std::nullopt;
    at = record->redirect;
  }
  return std::nullopt;
}

std::optional<PageId> TitleIndex::find_text(std::string_view title) const {
  // Pages of sources without namespaces have titles that MediaWiki would read as something else, such as "C#".
  if (const auto exact = find({kNamespaceMain, std::string(title)})) return exact;
  const auto parsed = site_.parse_title(title);
  if (!parsed || !parsed->interwiki.empty()) return std::nullopt;
  return find(parsed->title);
}

std::optional<std::string> TitleIndex::nearest(std::string_view title) const {
  constexpr std::size_t kMostTitles = 1'000'000, kMostBytes = 200;
  const auto parsed = site_.parse_title(title);
  if (!parsed || !parsed->interwiki.empty() || parsed->title.text.size() > kMostBytes) return std::nullopt;
  const auto& typed = parsed->title;
  const auto folded = lower_case(typed.text);
  const auto furthest = std::max<std::size_t>(1, folded.size() / 4);
  std::size_t best_distance = furthest + 1, seen = 0;
  std::optional<std::string> best;
  const auto look_at = [&](std::string_view text) {
    const auto other = lower_case(text.substr(0, kMostBytes));
    const auto distance = other.starts_with(folded) && other != folded ? furthest : edit_distance(folded, other);
    if (distance >= best_distance) return;
    best_distance = distance;
    best = prefixed({typed.ns, std::string(text)});
  };
  std::set<std::string> letters;
  for (const auto& start : {typed.text, upper_case_first(typed.text), folded}) {
    std::size_t end = 0;
    if (!start.empty()) next_code_point(start, end);
    letters.insert(start.substr(0, end));
  }
  for (const auto& letter : letters) {
    auto cursor = store_.cursor(Family::kTitle);
    for (cursor.seek(storage::title_key(typed.ns, letter)); cursor.valid() && ++seen < kMostTitles; cursor.next()) {
      const auto key = storage::read_title_key(cursor.key());
      if (!key || key->ns != typed.ns || !key->text.starts_with(letter)) break;
      look_at(key->text);
    }
  }
  return best;
}

std::optional<storage::EntityRecord> TitleIndex::item(PageId id) const {
  std::string value;
  if (!store_.get(Family::kEntity, storage::page_key(id), value)) return std::nullopt;
  return storage::decode_entity(value);
}

std::string TitleIndex::qid(PageId id) const {
  const auto record = item(id);
  return record ? record->qid() : "";
}

std::vector<std::string> TitleIndex::other_names(PageId id) const {
  std::vector<std::string> names;
  if (auto record = item(id); record && record->facts) {
    names = std::move(record->facts->labels);
    std::ranges::move(record->facts->aliases, std::back_inserter(names));
  }
  std::string value;
  if (store_.get(Family::kSqlPage, storage::page_key(id), value)) {
    for (auto& name : storage::decode_sql_page(value).names) {
      if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(std::move(name));
    }
  }
  return names;
}

std::vector<Title> TitleIndex::categories(PageId id, std::vector<Title> of_text) const {
  std::string value;
  if (store_.get(Family::kSqlPage, storage::page_key(id), value))
    std::ranges::move(storage::decode_sql_page(value).categories, std::back_inserter(of_text));
  return of_text;
}

std::vector<Title> TitleIndex::redirects_to(PageId id, bool with_sections) const {
  std::vector<Title> titles;
  std::string value;
  if (!store_.get(Family::kAlias, storage::page_key(id), value)) return titles;
  for (const auto& alias : storage::decode_aliases(value).aliases) {
    if (alias.to_section && !with_sections) continue;
    if (auto record = page(alias.page)) titles.push_back(std::move(record->title));
  }
  std::sort(titles.begin(), titles.end(),
            [](const auto& a, const auto& b) { return std::tie(a.text, a.ns) < std::tie(b.text, b.ns); });
  return titles;
}

}  // namespace touchstone::pipeline::corpus
