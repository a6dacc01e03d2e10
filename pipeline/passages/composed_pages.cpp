#include "pipeline/passages/composed_pages.hpp"

#include "pipeline/flow/work_files.hpp"
#include "pipeline/flow/work_paths.hpp"

#include <algorithm>

namespace touchstone::pipeline::passages {

ComposedBefore::ComposedBefore(const std::filesystem::path& work, const Boilerplate& boilerplate)
    : composed_(flow::WorkPaths{work}.file(kComposedFolder)), passages_(flow::WorkPaths{work}.file(kPassagesFolder)) {
  const auto before = read_boilerplate(flow::WorkPaths{work}.file(kBoilerplateFile));
  looked_up_ = before.empty() == boilerplate.empty();
  for (const auto hash : before) {
    if (!boilerplate.contains(hash)) changed_.insert(hash);
  }
  for (const auto hash : boilerplate) {
    if (!before.contains(hash)) changed_.insert(hash);
  }
}

std::optional<std::pair<ComposedPage, PagePassages>> ComposedBefore::Walk::find(PageId page, const Digest128& inputs) {
  if (inputs == Digest128{} || !before_.looked_up_) return std::nullopt;
  auto composed = composed_.find(page);
  const auto changed = [&](std::uint64_t sentence) { return before_.changed_.contains(sentence); };
  if (!composed || composed->inputs != inputs ||
      std::any_of(composed->sentences.begin(), composed->sentences.end(), changed))
    return std::nullopt;
  auto passages = passages_.find(page);
  if (!passages) return std::nullopt;
  return std::pair(std::move(*composed), std::move(*passages));
}

}  // namespace touchstone::pipeline::passages
