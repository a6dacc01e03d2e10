#include "collection/automatic/leak_index.hpp"

#include "common/digest.hpp"
#include "common/error.hpp"
#include "common/files.hpp"
#include "common/system_failure.hpp"
#include "common/unicode.hpp"
#include "formats/car/ids.hpp"
#include "text/words.hpp"

#include <algorithm>
#include <system_error>

namespace touchstone::collection::automatic {
namespace {

namespace car = formats::car;
namespace fs = std::filesystem;

constexpr std::size_t kCharactersPerWord = 4;  // of scripts without blanks
constexpr std::size_t kIndexSortBytes = std::size_t{32} << 20, kStoredBytes = std::size_t{8} << 20;
constexpr std::size_t kPieceBytes = std::size_t{64} << 10;  // that are copied at once
constexpr std::string_view kKeysFile = "keys", kIdsFile = "ids";

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

struct TextVisitor {
  const std::function<void(const car::Paragraph&)>& visit;

  void enter(const car::Section&, std::size_t) const {}
  void leave(const car::Section&) const {}
  void element(const car::Paragraph& paragraph) const { visit(paragraph); }
  void element(const car::ListItem& item) const { visit(item.paragraph); }
  void element(const car::Image&) const {}    // what is in it comes next
  void element(const car::Infobox&) const {}  // likewise
};

/// Makes the folder, for members that need it.
fs::path file_in(const fs::path& folder, std::string_view name) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) throw StorageError(failure_text("make folder", folder, error));
  return folder / name;
}

}  // namespace

std::uint64_t leak_key(LeakKey kind, std::string_view text) {
  const bool is_title = kind == LeakKey::kTitle || kind == LeakKey::kRedirect;
  return is_title ? xxh3_64(comparable_title(text), static_cast<std::uint64_t>(kind))
                  : xxh3_64(text, static_cast<std::uint64_t>(kind));
}

void for_each_text(const car::Page& page, const std::function<void(const car::Paragraph&)>& visit) {
  const TextVisitor visitor{visit};
  car::visit_skeleton(page.skeleton, visitor);
}

std::optional<LeakTextKeys> leak_keys_of(const car::Paragraph& paragraph, const LeakTextRules& rules) {
  const auto comparable = comparable_text(car::paragraph_text(paragraph));
  if (comparable.words < rules.min_text_words || comparable.text.empty()) return std::nullopt;
  auto docid = paragraph.id.empty() ? car::paragraph_id(paragraph.bodies) : paragraph.id;
  if (rules.representative) docid = rules.representative(docid);
  return LeakTextKeys{leak_key(LeakKey::kText, comparable.text), leak_key(LeakKey::kDocid, docid)};
}

QueryPageFacts query_page_facts(const car::Page& page, const LeakTextRules& rules) {
  QueryPageFacts facts;
  facts.id = page.id;
  const auto add = [&](LeakKey kind, std::string_view text) {
    if (!text.empty()) facts.keys.push_back(leak_key(kind, text));
  };
  add(LeakKey::kId, page.id);
  add(LeakKey::kTitle, page.name);
  add(LeakKey::kQid, page.metadata.qid);
  for (const auto& name : page.metadata.redirect_names) add(LeakKey::kRedirect, name);
  for_each_text(page, [&](const car::Paragraph& paragraph) {
    const auto keys = leak_keys_of(paragraph, rules);
    if (!keys) return;
    facts.keys.push_back(keys->text);
    facts.keys.push_back(keys->docid);
  });
  return facts;
}

LeakIndexWriter::LeakIndexWriter(const fs::path& folder)
    : folder_(folder), ids_(folder, kStoredBytes), rows_(folder, kIndexSortBytes) {}

void LeakIndexWriter::add(const QueryPageFacts& facts) {
  const auto page = ids_.size();
  ids_.add_row(std::uint64_t{facts.id.size()});
  ids_.add(facts.id);
  for (const auto key : facts.keys) rows_.add({key, page});
}

void LeakIndexWriter::for_each_row(const std::function<void(const LeakIndex::Row&)>& write) {
  std::optional<std::uint64_t> last;
  while (const auto row = rows_.next()) {
    if (last != row->key) write(*row);
    last = row->key;
  }
}

LeakIndex LeakIndexWriter::finish() {
  records::StoredBytes rows(folder_, kStoredBytes);
  for_each_row([&](const LeakIndex::Row& row) { rows.add_row(row); });
  return {std::move(rows), std::move(ids_)};
}

void LeakIndexWriter::finish(const fs::path& folder) {
  AtomicFile rows(file_in(folder, kKeysFile)), ids(file_in(folder, kIdsFile));
  for_each_row([&](const LeakIndex::Row& row) { rows.write({reinterpret_cast<const char*>(&row), sizeof row}); });
  std::string piece;
  for (std::uint64_t at = 0; at < ids_.size(); at += piece.size()) {
    piece.resize(static_cast<std::size_t>(std::min<std::uint64_t>(kPieceBytes, ids_.size() - at)));
    ids_.read(at, piece.data(), piece.size());
    ids.write(piece);
  }
  ids.finish();
  rows.finish();
}

LeakIndex::LeakIndex(const fs::path& folder)
    : rows_(records::StoredBytes::of_file(folder / kKeysFile)),
      ids_(records::StoredBytes::of_file(folder / kIdsFile)) {}

std::optional<std::uint64_t> LeakIndex::find(std::uint64_t key) const {
  const auto row = rows_.find(key);
  return row ? std::optional(row->page) : std::nullopt;
}

std::string LeakIndex::id(std::uint64_t page) const {
  const auto size = ids_.row<std::uint64_t>(page);
  if (size > ids_.size()) throw StorageError("an index of query pages changed while it was read; run again");
  std::string text(size, '\0');
  ids_.read(page + sizeof size, text.data(), text.size());
  return text;
}

}  // namespace touchstone::collection::automatic
