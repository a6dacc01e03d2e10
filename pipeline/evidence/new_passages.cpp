#include "pipeline/evidence/new_passages.hpp"

#include "common/digest.hpp"
#include "pipeline/corpus/previous_work.hpp"
#include "pipeline/flow/work_paths.hpp"
#include "storage/keys.hpp"
#include "storage/meta_keys.hpp"
#include "storage/records.hpp"

#include <set>
#include <string_view>
#include <utility>
#include <vector>

namespace touchstone::pipeline::evidence {
namespace {

using storage::Family;

std::string_view day_of(std::string_view timestamp) {
  constexpr std::size_t kLength = 10;
  return timestamp.substr(0, kLength);
}

}  // namespace

NewPassages::NewPassages(const storage::Store& store, std::string day, const std::filesystem::path& previous)
    : store_(store), day_(std::move(day)) {
  if (previous.empty()) return;
  previous_ = corpus::open_previous(previous);
  std::string newest;
  previous_->get(Family::kMeta, storage::kMetaNewestTimestamp, newest);
  if (day_of(newest) <= day_)
    old_.emplace(passages::checked_passages(*previous_, flow::WorkPaths{previous}, corpus::NameOptions{}));
}

bool NewPassages::is_new(PageId page) const {
  std::string bytes;
  return store_.get(Family::kPage, storage::page_key(page), bytes) &&
         day_of(storage::decode_page(bytes).timestamp) > day_;
}

void NewPassages::keep_new(passages::PagePassages& article, const passages::PassageRepeats& repeats) const {
  if (!is_new(article.page)) {
    article.passages.clear();
    return;
  }
  std::set<Digest128> known;
  if (old_) {
    for (const auto& passage : old_->passages(article.page)) known.insert(xxh3_128(passage.text));
  }
  std::erase_if(article.passages, [&](const passages::Passage& passage) {
    const auto* const repeat = repeats.at({article.page, passage.ordinal});
    const bool repeats_old =
        repeat != nullptr && repeat->representative.page != article.page && !is_new(repeat->representative.page);
    return repeats_old || known.contains(xxh3_128(passage.text));
  });
}

}  // namespace touchstone::pipeline::evidence
