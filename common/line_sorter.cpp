#include "common/line_sorter.hpp"

#include "common/temporary_lines.hpp"

#include <algorithm>
#include <optional>
#include <queue>

namespace touchstone {
namespace {

/// Runs of one level that become one of the next.
constexpr std::size_t kRunsPerLevel = 16;

}  // namespace

/// Sorted lines that were spilled.
class LineSorter::Run : public TemporaryLines {
 public:
  /// \param level  how often its lines were merged
  Run(const std::filesystem::path& folder, int level) : TemporaryLines(folder), level_(level) {}

  int level() const noexcept { return level_; }

 private:
  int level_;
};

LineSorter::LineSorter(std::filesystem::path folder, std::size_t memory_bytes)
    : folder_(std::move(folder)), memory_bytes_(memory_bytes) {}

LineSorter::~LineSorter() = default;

void LineSorter::add(std::string_view line) {
  const std::size_t held = text_.size() + lines_.size() * sizeof(lines_.front());
  if (!lines_.empty() && held + line.size() > memory_bytes_) spill();
  lines_.emplace_back(text_.size(), line.size());
  text_ += line;
}

void LineSorter::add_lines(std::string_view text) {
  while (!text.empty()) {
    const auto end = text.find('\n');
    add(text.substr(0, end));
    text.remove_prefix(std::min(end, text.size() - 1) + 1);
  }
}

void LineSorter::sort_lines() {
  const std::string_view text = text_;
  const auto line = [text](const auto& place) { return text.substr(place.first, place.second); };
  std::sort(lines_.begin(), lines_.end(), [&](const auto& a, const auto& b) { return line(a) < line(b); });
  lines_.erase(
      std::unique(lines_.begin(), lines_.end(), [&](const auto& a, const auto& b) { return line(a) == line(b); }),
      lines_.end());
}

std::unique_ptr<LineSorter::Run> LineSorter::new_run(int level) const {
  return std::make_unique<Run>(folder_, level);
}

void LineSorter::spill() {
  sort_lines();
  auto run = new_run(0);
  for (const auto& [offset, size] : lines_) run->write(std::string_view(text_).substr(offset, size));
  run->rewind();
  runs_.push_back(std::move(run));
  lines_.clear();
  text_.clear();
  merge_full_levels();
}

void LineSorter::merge_full_levels() {
  while (runs_.size() >= kRunsPerLevel && runs_[runs_.size() - kRunsPerLevel]->level() == runs_.back()->level()) {
    const std::size_t first = runs_.size() - kRunsPerLevel;
    auto merged = new_run(runs_.back()->level() + 1);
    merge(first, [&](std::string_view line) { merged->write(line); });
    merged->rewind();
    runs_.resize(first);
    runs_.push_back(std::move(merged));
  }
}

void LineSorter::merge(std::size_t first_run, const LineSink& line) {
  const auto later = [](const Run* a, const Run* b) { return b->line() < a->line(); };  // the smallest is on top
  std::priority_queue<Run*, std::vector<Run*>, decltype(later)> heads(later);
  for (std::size_t i = first_run; i < runs_.size(); ++i)
    if (runs_[i]->next()) heads.push(runs_[i].get());
  std::optional<std::string> last;
  while (!heads.empty()) {
    Run* const run = heads.top();
    heads.pop();
    if (last != run->line()) {
      last = run->line();
      line(*last);
    }
    if (run->next()) heads.push(run);
  }
}

void LineSorter::for_each(const LineSink& line) {
  if (!runs_.empty()) {
    if (!lines_.empty()) spill();
    merge(0, line);
    return;
  }
  sort_lines();
  for (const auto& [offset, size] : lines_) line(std::string_view(text_).substr(offset, size));
}

}  // namespace touchstone
