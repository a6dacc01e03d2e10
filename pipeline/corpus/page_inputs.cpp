#include "pipeline/corpus/page_inputs.hpp"

#include "common/version.hpp"
#include "storage/keys.hpp"
#include "storage/meta_keys.hpp"
#include "storage/reading_record.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace touchstone::pipeline::corpus {
namespace {

void append(std::string& bytes, const Digest128& digest) {
  bytes.append(reinterpret_cast<const char*>(digest.data()), digest.size());
}

}  // namespace

PageInputs::PageInputs(const storage::Store& store, std::string_view rest) : store_(store) {
  std::string reader;
  store.get(storage::Family::kMeta, storage::kMetaReader, reader);
  // The first line is the date, which matters to pages that show it.
  const auto end = std::min(reader.find('\n'), reader.size());
  date_ = reader.substr(0, end);
  append(rest_, xxh3_128(fmt::format("{}\n{}\n{}", program_version(), reader.substr(end), rest)));
}

Digest128 PageInputs::Walk::of(PageId page) {
  const auto key = storage::page_key(page);
  if (!std::exchange(is_begun_, true)) cursor_.seek(key);
  while (cursor_.valid() && cursor_.key() < key) cursor_.next();
  if (!cursor_.valid() || cursor_.key() != key) return {};
  // Equal records of how a page was read mean equal records of the page: they hold the digests of all that was read.
  std::string bytes(cursor_.value());
  const auto reading = storage::decode_reading(bytes);
  if (reading.source == Digest128{}) return {};
  bytes += inputs_.rest_;
  if (reading.date) bytes += inputs_.date_;
  return xxh3_128(bytes);
}

}  // namespace touchstone::pipeline::corpus
