#include "collection/automatic/leak_check.hpp"

#include <algorithm>
#include <utility>
#include <variant>

namespace touchstone::collection::automatic {

namespace car = formats::car;

LeakCheck::LeakCheck(LeakIndex index, LeakTextRules rules, std::size_t max_leaks)
    : index_(std::move(index)), rules_(std::move(rules)), max_leaks_(max_leaks) {}

LeakCheck::Query LeakCheck::query_of(LeakKey kind, std::string_view text) const {
  return text.empty() ? std::nullopt : index_.find(leak_key(kind, text));
}

LeakCheck::Query LeakCheck::query_with_page(const car::Page& page) const {
  if (const auto query = query_of(LeakKey::kId, page.id)) return query;
  if (const auto query = query_of(LeakKey::kTitle, page.name)) return query;
  return query_of(LeakKey::kQid, page.metadata.qid);
}

LeakCheck::Query LeakCheck::query_with_redirect(const car::Page& page) const {
  if (page.redirect) {
    if (const auto query = query_of(LeakKey::kId, page.redirect->page_id)) return query;
    if (const auto query = query_of(LeakKey::kTitle, page.redirect->page_name)) return query;
  }
  return query_of(LeakKey::kRedirect, page.name);
}

LeakCheck::Query LeakCheck::query_with_text(const car::Paragraph& paragraph) const {
  const auto keys = leak_keys_of(paragraph, rules_);
  if (!keys) return std::nullopt;
  const auto query = index_.find(keys->text);
  return query ? query : index_.find(keys->docid);
}

std::vector<Leak> LeakCheck::find(const car::Page& page) const {
  std::vector<Leak> found;
  const auto add = [&](LeakKind kind, const Query& query, const std::string& paragraph_id = "") {
    if (query) found.push_back({kind, page.id, page.name, index_.id(*query), paragraph_id});
    return query.has_value();
  };
  if (!add(LeakKind::kQueryPage, query_with_page(page))) add(LeakKind::kRedirect, query_with_redirect(page));
  for (const auto& id : page.metadata.inlink_ids) add(LeakKind::kInlink, query_of(LeakKey::kId, id));
  for_each_text(
      page, [&](const car::Paragraph& paragraph) { add(LeakKind::kText, query_with_text(paragraph), paragraph.id); });
  return found;
}

void LeakCheck::check(const car::Page& page) {
  add(find(page));
}

void LeakCheck::add(const std::vector<Leak>& leaks) {
  for (const auto& leak : leaks) {
    ++counts_[static_cast<std::size_t>(leak.kind)];
    if (leaks_.size() < max_leaks_) leaks_.push_back(leak);
  }
}

bool LeakCheck::is_leak(const car::Page& page) const {
  return query_with_page(page) || query_with_redirect(page);
}

std::uint64_t LeakCheck::remove_leaked_texts(car::Page& page) const {
  return remove_leaked_texts(page.skeleton);
}

std::uint64_t LeakCheck::remove_leaked_texts(std::vector<car::Skeleton>& elements) const {
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

bool LeakCheck::is_leaked_text(const car::Skeleton& skeleton) const {
  const auto* paragraph = std::get_if<car::Paragraph>(&skeleton.element);
  if (const auto* item = std::get_if<car::ListItem>(&skeleton.element)) paragraph = &item->paragraph;
  return paragraph != nullptr && query_with_text(*paragraph);
}

const std::vector<Leak>& LeakCheck::leaks() const noexcept {
  return leaks_;
}

std::uint64_t LeakCheck::count(LeakKind kind) const noexcept {
  return counts_[static_cast<std::size_t>(kind)];
}

bool LeakCheck::ok() const noexcept {
  return std::all_of(counts_.begin(), counts_.end(), [](std::uint64_t count) { return count == 0; });
}

}  // namespace touchstone::collection::automatic
