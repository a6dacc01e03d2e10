#include "pipeline/passages/composed_pages.hpp"

#include "pipeline/flow/parts.hpp"
#include "pipeline/flow/work_files.hpp"
#include "pipeline/flow/work_paths.hpp"

#include <algorithm>

namespace touchstone::pipeline::passages {
namespace {

/// Whether a file holds records of a type as this version of the program writes them.
template <class Record>
bool holds(const std::filesystem::path& file) {
  return records::ByteReader(file).layout() == records::layout_of<Record>();
}

}  // namespace

ComposedBefore::ComposedBefore(const std::filesystem::path& work, const Boilerplate& boilerplate) {
  const flow::WorkPaths paths{work};
  if (!std::filesystem::exists(paths.file(kComposedFolder))) return;  // of an older version of the program
  const auto composed = flow::kept_parts(paths.file(kComposedFolder)),
             passages = flow::kept_parts(paths.file(kPassagesFolder));
  const auto before = read_boilerplate(paths.file(kBoilerplateFile));
  // Without any boilerplate, no sentence was looked up.
  if (before.empty() != boilerplate.empty() || composed.size() != passages.size()) return;
  for (const auto hash : before) {
    if (!boilerplate.contains(hash)) changed_.insert(hash);
  }
  for (const auto hash : boilerplate) {
    if (!before.contains(hash)) changed_.insert(hash);
  }
  for (std::size_t i = 0; i < composed.size(); ++i) {
    if (!holds<ComposedPage>(composed[i]) || !holds<PagePassages>(passages[i])) {
      parts_.clear();
      return;
    }
    ComposedPage first;
    if (records::RecordFile<ComposedPage>::Reader(composed[i]).next(first))
      parts_.push_back({first.page, composed[i], passages[i]});
  }
}

std::optional<std::pair<ComposedPage, PagePassages>> ComposedBefore::Walk::find(PageId page, const Digest128& inputs) {
  const auto& parts = before_.parts_;
  if (inputs == Digest128{}) return std::nullopt;
  if (!composed_ && part_ == 0) {
    const auto behind = std::upper_bound(parts.begin(), parts.end(), page,
                                         [](PageId wanted, const Part& part) { return wanted < part.first; });
    part_ = static_cast<std::size_t>(std::max<std::ptrdiff_t>(behind - parts.begin() - 1, 0));
  }
  while (!at_ || at_->first.page < page) {
    if (!next()) return std::nullopt;
  }
  const auto& [composed, passages] = *at_;
  const auto changed = [&](std::uint64_t sentence) { return before_.changed_.contains(sentence); };
  if (composed.page != page || composed.inputs != inputs || passages.page != page ||
      std::any_of(composed.sentences.begin(), composed.sentences.end(), changed))
    return std::nullopt;
  return std::move(at_);
}

/// Goes on to the next article, with both files. False behind the last one.
bool ComposedBefore::Walk::next() {
  for (; part_ < before_.parts_.size(); ++part_) {
    if (!composed_) {
      composed_.emplace(before_.parts_[part_].composed);
      passages_.emplace(before_.parts_[part_].passages);
    }
    at_.emplace();
    if (composed_->next(at_->first) && passages_->next(at_->second)) return true;
    composed_.reset();
    passages_.reset();
  }
  at_.reset();
  return false;
}

}  // namespace touchstone::pipeline::passages
