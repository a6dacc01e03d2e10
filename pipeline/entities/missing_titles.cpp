#include "pipeline/entities/missing_titles.hpp"

#include "common/records/record_file.hpp"
#include "common/unicode.hpp"

#include <algorithm>
#include <set>
#include <tuple>
#include <utility>

namespace touchstone::pipeline::entities {
namespace {

/// A form with the title of its entity.
struct OtherTitle {
  std::string title, entity;

  template <class Fields>
  void fields(Fields& field) {
    field("title", title)("entity", entity);
  }
};

/// Lower case, but for abbreviations: "AIDS" is not "aids".
std::string without_case(std::string_view text) {
  std::string out;
  for (std::size_t begin = 0; begin < text.size();) {
    auto end = text.find(' ', begin);
    end = end == std::string_view::npos ? text.size() : end + 1;
    const auto word = text.substr(begin, end - begin);
    auto lower = lower_case(word);
    const auto letters = count_code_points(word) - (word.ends_with(' ') ? 1 : 0);
    const bool is_abbreviation = letters > 1 && lower != word && upper_case(word) == word;
    out += is_abbreviation ? std::string(word) : std::move(lower);
    begin = end;
  }
  return out;
}

/// Where the last word begins: behind the last blank or hyphen. The size of the text if no letter ends it.
std::size_t last_word(std::string_view text) {
  const auto at = text.find_last_of(" -");
  const auto begin = at == std::string_view::npos ? 0 : at + 1;
  const auto word = text.substr(begin);
  const bool is_word = word.find_first_of("0123456789()[]{}.,;:!?/'\"&*") == std::string_view::npos;
  return is_word ? begin : text.size();
}

bool is_in_lower_case(std::string_view word) {
  return !word.empty() && lower_case(word) == word && upper_case(word) != word;
}

/// Whether two words of one stem may be forms of one noun. Snowball also removes what makes nouns of other words
/// ("universe", "university").
bool are_forms(std::string_view a, std::string_view b, bool is_english) {
  const auto first = to_utf32(a), second = to_utf32(b);
  const auto same = static_cast<std::size_t>(
      std::mismatch(first.begin(), first.end(), second.begin(), second.end()).first - first.begin());
  const auto& longer = first.size() < second.size() ? second : first;
  const auto& shorter = first.size() < second.size() ? first : second;
  if (is_english) return longer.ends_with(U's') && shorter.size() - same <= 2 && longer.size() - same <= 3;
  return shorter.size() - same <= 2 && longer.size() - same <= 2;
}

}  // namespace

void MissingTitleCounter::add(const LinkedPage& page) {
  std::set<std::string_view> missing;
  for (const auto& title : page.missing) {
    if (title.ns == kNamespaceMain && missing.insert(title.text).second) ++titles_[title.text].pages;
  }
  ByteCounter bytes("");
  std::uint32_t text = UINT32_MAX;
  for (const auto& link : page.links) {
    if (link.page.value != 0 || link.target.ns != kNamespaceMain) continue;
    if (link.text != text) bytes = ByteCounter(page.texts[link.text]);
    text = link.text;
    const auto begin = bytes.at_code_point(link.begin), end = bytes.at_code_point(link.end);
    const auto anchor = std::string_view(page.texts[link.text]).substr(begin, end - begin);
    const auto word = anchor.substr(last_word(anchor));
    const auto of_title = std::string_view(link.target.text).substr(last_word(link.target.text));
    if (is_in_lower_case(word) && word == lower_case(of_title)) titles_[link.target.text].is_common = true;
  }
}

std::string MissingTitleCounter::key_of(const std::string& title) {
  auto key = without_case(title);
  const auto begin = last_word(key);
  // A stem may have a stem: "lenses", "lens", "len".
  for (auto before = key.substr(begin); !before.empty();) {
    const auto words = terms_.split(before);
    if (words.size() != 1 || words.front().stem == before || words.front().stem.empty()) break;
    key.replace(begin, std::string::npos, words.front().stem);
    before = words.front().stem;
  }
  return key;
}

void MissingTitleCounter::for_each(const std::function<void(MissingTitle)>& take) {
  for (const auto& [title, uses] : titles_) {
    const auto word = std::string_view(title).substr(last_word(title));
    take({key_of(title), title, uses.pages, uses.is_common || is_in_lower_case(word)});
  }
}

MissingTitles::MissingTitles(const std::filesystem::path& file) {
  records::RecordFile<OtherTitle>::for_each(
      file, [&](OtherTitle title) { entities_.emplace(std::move(title.title), std::move(title.entity)); });
}

MissingTitles::MissingTitles(records::Sorter<MissingTitle>& titles, std::string_view language) {
  const bool is_english = language == "simple" || language.starts_with("en");
  std::vector<MissingTitle> group;
  while (auto title = titles.next()) {
    if (!group.empty() && group.back().key != title->key) add_group(std::exchange(group, {}), is_english);
    if (!group.empty() && group.back().title == title->title) {
      group.back().pages += title->pages;
      group.back().is_common = group.back().is_common || title->is_common;
    } else {
      group.push_back(std::move(*title));
    }
  }
  add_group(group, is_english);
}

void MissingTitles::add_group(const std::vector<MissingTitle>& titles, bool is_english) {
  if (titles.size() < 2) return;
  /// Titles that differ in case only.
  struct Form {
    std::vector<const MissingTitle*> titles;
    std::uint64_t pages = 0;
    bool is_common = false;
  };
  std::map<std::string, Form> forms;
  for (const auto& title : titles) {
    auto& form = forms[without_case(title.title)];
    form.titles.push_back(&title);
    form.pages += title.pages;
    form.is_common = form.is_common || title.is_common;
  }
  const auto main = std::max_element(forms.begin(), forms.end(), [](const auto& a, const auto& b) {
    return std::tie(a.second.is_common, a.second.pages) < std::tie(b.second.is_common, b.second.pages);
  });
  const auto word_of = [](const std::string& text) { return std::string_view(text).substr(last_word(text)); };
  for (auto other = forms.begin(); other != forms.end(); ++other) {
    if (other == main || !main->second.is_common || !other->second.is_common ||
        !are_forms(word_of(main->first), word_of(other->first), is_english))
      continue;
    main->second.titles.insert(main->second.titles.end(), other->second.titles.begin(), other->second.titles.end());
    other->second.titles.clear();
  }
  for (const auto& [text, form] : forms) {
    if (form.titles.size() < 2) continue;
    const auto* entity = *std::min_element(form.titles.begin(), form.titles.end(), [](const auto* a, const auto* b) {
      return std::tie(b->pages, a->title) < std::tie(a->pages, b->title);
    });
    for (const auto* title : form.titles) {
      if (title != entity) entities_.emplace(title->title, entity->title);
    }
  }
}

void MissingTitles::write(const std::filesystem::path& file) const {
  const std::map<std::string_view, std::string_view> sorted(entities_.begin(), entities_.end());
  records::RecordFile<OtherTitle>::Writer out(file);
  for (const auto& [title, entity] : sorted) out.add({std::string(title), std::string(entity)});
  out.finish();
}

const std::string& MissingTitles::entity(const std::string& title) const {
  const auto found = entities_.find(title);
  return found == entities_.end() ? title : found->second;
}

}  // namespace touchstone::pipeline::entities
