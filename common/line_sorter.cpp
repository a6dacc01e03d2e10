#include "common/line_sorter.hpp"

#include "common/error.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <queue>

#include <unistd.h>

namespace touchstone {
namespace {

/// Runs of one level that become one of the next.
constexpr std::size_t kRunsPerLevel = 16;

}  // namespace

/// Sorted lines in a file without name.
class LineSorter::Run {
 public:
  /// \param level  how often its lines were merged
  Run(const std::filesystem::path& folder, int level) : folder_(folder), level_(level) {
    std::string name = (folder / ".lines-XXXXXX").string();
    const int descriptor = ::mkstemp(name.data());
    if (descriptor < 0) fail("write");
    ::unlink(name.c_str());
    file_ = ::fdopen(descriptor, "w+b");
    if (file_ != nullptr) return;
    ::close(descriptor);
    fail("write");
  }
  ~Run() {
    std::free(buffer_);
    if (file_ != nullptr) std::fclose(file_);
  }
  Run(const Run&) = delete;
  Run& operator=(const Run&) = delete;

  int level() const noexcept { return level_; }

  void write(std::string_view line) {
    if (std::fwrite(line.data(), 1, line.size(), file_) != line.size() || std::fputc('\n', file_) == EOF) fail("write");
  }
  /// Call after the last `write`, before the first `next`.
  void finish() {
    if (std::fflush(file_) != 0) fail("write");
    std::rewind(file_);
  }

  /// Reads the next line; false at the end.
  bool next() {
    const ssize_t size = ::getline(&buffer_, &capacity_, file_);
    if (size < 0) {
      if (std::ferror(file_) != 0) fail("read");
      return false;
    }
    line_ = {buffer_, static_cast<std::size_t>(size) - 1};
    return true;
  }
  /// Valid until `next`.
  std::string_view line() const noexcept { return line_; }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw StorageError("cannot " + what + " a temporary file in " + folder_.string() +
                       "; free some space there, check its permissions, and run again");
  }

  std::filesystem::path folder_;
  int level_;
  std::FILE* file_ = nullptr;
  char* buffer_ = nullptr;  // of getline
  std::size_t capacity_ = 0;
  std::string_view line_;
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
  run->finish();
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
    merged->finish();
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
