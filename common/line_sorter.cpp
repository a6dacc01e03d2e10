#include "common/line_sorter.hpp"

#include "common/error.hpp"

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <queue>
#include <system_error>

#include <sys/types.h>

namespace touchstone {

/// A file of sorted lines, each with its line end.
struct LineSorter::Run {
  struct Closer {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };

  std::filesystem::path path;
  std::unique_ptr<std::FILE, Closer> file;
  char* buffer = nullptr;  // of getline
  std::size_t capacity = 0;
  std::string_view line;  // the next one; valid until `next`

  ~Run() {
    std::free(buffer);
    file.reset();
    std::error_code ignored;  // the next sort of the same name overwrites left-over runs
    std::filesystem::remove(path, ignored);
  }

  bool next() {
    const ssize_t size = ::getline(&buffer, &capacity, file.get());
    if (size < 0) {
      if (std::ferror(file.get()) != 0) throw StorageError("cannot read " + path.string());
      return false;
    }
    line = {buffer, static_cast<std::size_t>(size) - 1};
    return true;
  }
};

LineSorter::LineSorter(std::filesystem::path folder, std::string name, std::size_t memory_bytes)
    : folder_(std::move(folder)), name_(std::move(name)), memory_bytes_(memory_bytes) {}

LineSorter::~LineSorter() = default;

void LineSorter::add(std::string_view line) {
  const std::size_t held = text_.size() + lines_.size() * sizeof(lines_.front());
  if (!lines_.empty() && held + line.size() > memory_bytes_) spill();
  lines_.emplace_back(text_.size(), line.size());
  text_ += line;
}

void LineSorter::sort_lines() {
  const std::string_view text = text_;
  const auto line = [text](const auto& place) { return text.substr(place.first, place.second); };
  std::sort(lines_.begin(), lines_.end(), [&](const auto& a, const auto& b) { return line(a) < line(b); });
  lines_.erase(
      std::unique(lines_.begin(), lines_.end(), [&](const auto& a, const auto& b) { return line(a) == line(b); }),
      lines_.end());
}

void LineSorter::spill() {
  sort_lines();
  auto run = std::make_unique<Run>();
  run->path = folder_ / (name_ + "-" + std::to_string(runs_.size()) + ".run.partial");
  run->file.reset(std::fopen(run->path.c_str(), "w+b"));
  bool written = run->file != nullptr;
  for (const auto& [offset, size] : lines_) {
    if (!written) break;
    written = std::fwrite(text_.data() + offset, 1, size, run->file.get()) == size &&
              std::fputc('\n', run->file.get()) != EOF;
  }
  if (!written || std::fflush(run->file.get()) != 0)
    throw StorageError("cannot write " + run->path.string() + "; free some space and run again");
  runs_.push_back(std::move(run));
  lines_.clear();
  text_.clear();
}

void LineSorter::for_each(const std::function<void(std::string_view)>& line) {
  if (runs_.empty()) {
    sort_lines();
    for (const auto& [offset, size] : lines_) line(std::string_view(text_).substr(offset, size));
    return;
  }
  if (!lines_.empty()) spill();
  const auto later = [](const Run* a, const Run* b) { return b->line < a->line; };  // the smallest is on top
  std::priority_queue<Run*, std::vector<Run*>, decltype(later)> heads(later);
  for (const auto& run : runs_) {
    std::rewind(run->file.get());
    if (run->next()) heads.push(run.get());
  }
  std::optional<std::string> last;
  while (!heads.empty()) {
    Run* const run = heads.top();
    heads.pop();
    if (last != run->line) {
      last = run->line;
      line(*last);
    }
    if (run->next()) heads.push(run);
  }
}

}  // namespace touchstone
