#include "collection/automatic/json_splits.hpp"

#include <fmt/format.h>

namespace touchstone::collection::automatic {

JsonSplits::JsonSplits(std::filesystem::path folder, std::string name, std::size_t lines_per_file, WriteOptions options)
    : folder_(std::move(folder)),
      name_(std::move(name)),
      options_(std::move(options)),
      lines_per_file_(lines_per_file) {
  std::filesystem::create_directories(folder_);
  open();
}

void JsonSplits::open() {
  file_ = std::make_unique<TextWriter>(folder_ / fmt::format("{}-{}.jsonl.gz", name_, files_++), options_);
  lines_ = 0;
}

void JsonSplits::write(std::string_view line) {
  if (lines_ == lines_per_file_) {
    file_->finish();
    open();
  }
  file_->write(line);
  ++lines_;
}

void JsonSplits::finish() {
  file_->finish();
}

}  // namespace touchstone::collection::automatic
