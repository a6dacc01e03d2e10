#include "pipeline/release/month.hpp"

#include "common/error.hpp"
#include "pipeline/corpus/docids.hpp"
#include "storage/keys.hpp"
#include "storage/records.hpp"

#include <algorithm>
#include <charconv>
#include <string_view>

namespace touchstone::pipeline::release {

using passages::Passage;
using passages::PassagePlace;
using storage::Family;

Month::Month(const storage::Store& store, const passages::PassageCorpus& passages,
             const std::filesystem::path& groups_file)
    : store_(store), passages_(passages), titles_(store) {
  evidence::GroupFile::for_each(groups_file, [&](evidence::Group group) {
    auto& known = groups_[group.topic];
    if (known.topic.empty() || group.kept()) known = std::move(group);
  });
}

bool Month::has_text(PageId id) const {
  const auto record = page(id);
  return record && !record->is_redirect && record->content == storage::PageContent::kRead;
}

const evidence::Group* Month::group(const std::string& topic) const {
  const auto found = groups_.find(topic);
  return found == groups_.end() ? nullptr : &found->second;
}

const passages::PagePassages& Month::article(PageId id) const {
  const auto [found, is_new] = articles_.try_emplace(id);
  if (is_new) {
    if (auto article = passages_.article(id)) found->second = std::move(*article);
  }
  return found->second;
}

const Passage* Month::passage(const PassagePlace& place) const {
  const auto& all = article(place.page).passages;
  const auto found = std::ranges::find(all, place.ordinal, &Passage::ordinal);
  return found == all.end() ? nullptr : &*found;
}

std::vector<Title> Month::link_titles(PageId source) const {
  std::string bytes;
  return store_.get(Family::kLink, storage::page_key(source), bytes) ? storage::decode_link_titles(bytes)
                                                                     : std::vector<Title>();
}

TitleSet Month::linked_titles(PageId source) const {
  TitleSet titles;
  for (const auto& title : link_titles(source)) titles.emplace(title.ns, title.text);
  return titles;
}

TitleSet Month::titles_to(PageId source, PageId target) const {
  TitleSet titles;
  std::string bytes;
  if (!store_.get(Family::kLinkTarget, storage::page_key(source), bytes)) return titles;
  const auto pages = storage::decode_link_targets(bytes).pages;
  const auto all = link_titles(source);
  for (std::size_t i = 0; i < std::min(pages.size(), all.size()); ++i) {
    if (pages[i] == target) titles.emplace(all[i].ns, all[i].text);
  }
  return titles;
}

TitleSet Month::linked_titles(PageId source, const Passage& passage) const {
  TitleSet titles;
  const auto all = link_titles(source);
  for (const auto& link : passage.links) {
    if (link.target < all.size()) titles.emplace(all[link.target].ns, all[link.target].text);
  }
  return titles;
}

TitleSet Month::titles_to(PageId source, const Passage& passage, PageId target) const {
  TitleSet titles;
  const auto all = link_titles(source);
  for (const auto& link : passage.links) {
    if (link.page == target && link.target < all.size()) titles.emplace(all[link.target].ns, all[link.target].text);
  }
  return titles;
}

PassagePlace place_of_docid(std::string_view docid) {
  PassagePlace place{corpus::page_of_docid(docid), 0};
  const auto number = docid.substr(docid.rfind('-') + 1);
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), place.ordinal);
  if (error != std::errc{} || end != number.data() + number.size() || number.empty())
    throw FormatError("\"" + std::string(docid) + "\" does not end with the ordinal of a passage; export the " +
                      "collection again");
  return place;
}

}  // namespace touchstone::pipeline::release
