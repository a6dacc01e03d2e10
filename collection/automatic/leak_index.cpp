#include "collection/automatic/leak_index.hpp"

#include "common/digest.hpp"
#include "common/error.hpp"
#include "common/system_failure.hpp"
#include "common/unicode.hpp"
#include "formats/car/ids.hpp"
#include "text/words.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <span>
#include <utility>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace touchstone::collection::automatic {
namespace {

namespace car = formats::car;
namespace fs = std::filesystem;

constexpr std::size_t kCharactersPerWord = 4;  // of scripts without blanks
constexpr std::size_t kIndexSortBytes = std::size_t{32} << 20;
constexpr std::size_t kRowNumbers = 2;     // a key and where its page's id is
constexpr std::size_t kRowsPerBlock = 64;  // a KiB is read for each key that is looked up
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

std::string_view bytes_of(std::span<const std::uint64_t> numbers) {
  return {reinterpret_cast<const char*>(numbers.data()), numbers.size_bytes()};
}

Descriptor opened(const fs::path& path) {
  Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file.is_open()) throw StorageError(failure_text("open", path, errno));
  return file;
}

void read_at(const Descriptor& file, const fs::path& path, std::uint64_t offset, void* bytes, std::size_t count) {
  const auto read = ::pread(file.get(), bytes, count, static_cast<off_t>(offset));
  if (read < 0) throw StorageError(failure_text("read", path, errno));
  if (static_cast<std::size_t>(read) != count)
    throw StorageError("cannot read " + path.string() + ": it is shorter than it was; run again");
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
    : keys_(file_in(folder, kKeysFile)), ids_(file_in(folder, kIdsFile)), rows_(folder, kIndexSortBytes) {}

void LeakIndexWriter::add(const QueryPageFacts& facts) {
  const auto page = ids_.bytes_written();
  const std::array<std::uint64_t, 1> size = {facts.id.size()};
  ids_.write(bytes_of(size));
  ids_.write(facts.id);
  for (const auto key : facts.keys) rows_.add({key, page});
}

void LeakIndexWriter::finish() {
  std::optional<std::uint64_t> last;
  while (const auto row = rows_.next()) {
    if (last == row->key) continue;
    last = row->key;
    const std::array<std::uint64_t, kRowNumbers> numbers = {row->key, row->page};
    keys_.write(bytes_of(numbers));
  }
  ids_.finish();
  keys_.finish();
}

LeakIndex::LeakIndex(const fs::path& folder)
    : keys_path_(folder / kKeysFile), ids_path_(folder / kIdsFile), keys_(opened(keys_path_)), ids_(opened(ids_path_)) {
  struct stat facts {};
  if (::fstat(keys_.get(), &facts) != 0) throw StorageError(failure_text("read", keys_path_, errno));
  constexpr std::size_t kRowBytes = kRowNumbers * sizeof(std::uint64_t);
  rows_ = static_cast<std::uint64_t>(facts.st_size) / kRowBytes;
  first_.resize((rows_ + kRowsPerBlock - 1) / kRowsPerBlock);
  for (std::size_t block = 0; block < first_.size(); ++block)
    read_at(keys_, keys_path_, block * kRowsPerBlock * kRowBytes, &first_[block], sizeof first_[block]);
}

std::optional<std::uint64_t> LeakIndex::find(std::uint64_t key) const {
  const auto after = std::upper_bound(first_.begin(), first_.end(), key);
  if (after == first_.begin()) return std::nullopt;
  using Row = std::array<std::uint64_t, kRowNumbers>;
  std::array<Row, kRowsPerBlock> rows{};
  const auto first = static_cast<std::uint64_t>(after - first_.begin() - 1) * kRowsPerBlock;
  const auto count = static_cast<std::size_t>(std::min<std::uint64_t>(kRowsPerBlock, rows_ - first));
  read_at(keys_, keys_path_, first * sizeof(Row), rows.data(), count * sizeof(Row));
  const auto end = rows.begin() + static_cast<std::ptrdiff_t>(count);
  const auto found =
      std::lower_bound(rows.begin(), end, key, [](const Row& row, std::uint64_t sought) { return row[0] < sought; });
  return found != end && (*found)[0] == key ? std::optional((*found)[1]) : std::nullopt;
}

std::string LeakIndex::id(std::uint64_t page) const {
  std::uint64_t size = 0;
  read_at(ids_, ids_path_, page, &size, sizeof size);
  struct stat facts {};
  if (::fstat(ids_.get(), &facts) != 0) throw StorageError(failure_text("read", ids_path_, errno));
  if (size > static_cast<std::uint64_t>(facts.st_size))
    throw StorageError("cannot read " + ids_path_.string() + ": it changed while it was read; run again");
  std::string text(size, '\0');
  read_at(ids_, ids_path_, page + sizeof size, text.data(), text.size());
  return text;
}

}  // namespace touchstone::collection::automatic
