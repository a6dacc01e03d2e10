#include "pipeline/evidence/new_passages.hpp"

#include "common/digest.hpp"
#include "pipeline/flow/work_paths.hpp"

#include <set>
#include <utility>

namespace touchstone::pipeline::evidence {

NewPassages::NewPassages(const storage::Store& store, std::string day, const std::filesystem::path& previous)
    : pages_(store, std::move(day), previous) {
  if (pages_.previous() != nullptr)
    old_.emplace(passages::checked_passages(*pages_.previous(), flow::WorkPaths{previous}, corpus::NameOptions{}));
}

void NewPassages::keep_new(passages::PagePassages& article, const passages::PassageRepeats& repeats) const {
  if (!pages_.has(article.page)) {
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
        repeat != nullptr && repeat->representative.page != article.page && !pages_.has(repeat->representative.page);
    return repeats_old || known.contains(xxh3_128(passage.text));
  });
}

}  // namespace touchstone::pipeline::evidence
