#include "extractors/textbook/tqa_files.hpp"

#include "common/error.hpp"
#include "extractors/html/xml_tree.hpp"
#include "extractors/markup/tqa.hpp"
#include "extractors/textbook/book_navigation.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include <fmt/format.h>

namespace touchstone::extractors::textbook {
namespace {

class TqaFiles : public BookFiles {
 public:
  TqaFiles(std::filesystem::path path, std::map<std::string, std::string> lessons)
      : BookFiles(std::move(path), {}), lessons_(std::move(lessons)) {
    for (const auto& [name, json] : lessons_) names_.push_back(name);
  }
  std::optional<std::string> read(const std::string& name) const override {
    const auto found = lessons_.find(name);
    return found == lessons_.end() ? std::nullopt : std::optional(found->second);
  }

 private:
  std::map<std::string, std::string> lessons_;
};

/// Files with lessons among them. A lesson is named by its file, its place and its id.
class FilesWithLessons : public BookFiles {
 public:
  FilesWithLessons(std::unique_ptr<BookFiles> files, std::filesystem::path path, const BookLimits& limits)
      : BookFiles(std::move(path), limits), files_(std::move(files)) {
    names_ = files_->names();
    warnings_ = files_->warnings();
    for (const auto& name : files_->names()) {
      if (name.ends_with(".json") && !is_beside_pages(name)) take(name);
    }
    for (const auto& [name, json] : lessons_) names_.push_back(name);
    std::sort(names_.begin(), names_.end());
  }
  std::optional<std::string> read(const std::string& name) const override {
    const auto found = lessons_.find(name);
    return found == lessons_.end() ? files_->read(name) : std::optional(found->second);
  }
  std::string sha256() const override { return files_->sha256(); }

 private:
  void take(const std::string& name) {
    const auto bytes = files_->read(name);
    if (!bytes) return;
    const auto* format = file_format::format_of(name, std::string_view(*bytes).substr(0, file_format::kHeadBytes));
    if (format == nullptr || format->reading != file_format::Reading::kTqa) return;
    bytes_ += bytes->size();
    if (bytes_ > limits_.max_archive_bytes) {
      throw FormatError(fmt::format("{}: its files of TQA have more than {} bytes; give them one by one",
                                    path_.string(), limits_.max_archive_bytes));
    }
    try {
      std::size_t number = 0;
      for (auto& lesson : markup::split_tqa(html::as_utf8(*bytes))) {
        std::replace(lesson.id.begin(), lesson.id.end(), '/', '_');
        lessons_.emplace(fmt::format("{}/{:06} {}{}", name, ++number, lesson.id, file_format::kLessonEnding),
                         std::move(lesson.json));
      }
    } catch (const FormatError& error) {
      warnings_.push_back(fmt::format("{}: {} was left out: {}", path_.string(), name, error.what()));
    }
  }

  std::unique_ptr<BookFiles> files_;
  std::map<std::string, std::string> lessons_;
  std::size_t bytes_ = 0;
};

}  // namespace

std::unique_ptr<BookFiles> with_lessons(std::unique_ptr<BookFiles> files, const std::filesystem::path& path,
                                        const BookLimits& limits) {
  return std::make_unique<FilesWithLessons>(std::move(files), path, limits);
}

std::unique_ptr<BookFiles> open_tqa(const std::filesystem::path& path, Book& book) {
  BookLimits limits;
  limits.max_file_bytes = kMaxTqaBytes;
  const auto bytes = open_book_files(path, BookForm::kSingleFile, limits)->read(path.filename().string());
  if (!bytes) {
    throw FormatError(fmt::format("{}: a file of TQA may have {} bytes; split its array of lessons into several files",
                                  path.string(), kMaxTqaBytes));
  }
  std::map<std::string, std::string> lessons;
  try {
    for (auto& lesson : markup::split_tqa(html::as_utf8(*bytes))) {
      auto name = lesson.id;
      for (int number = 2; lessons.contains(name); ++number) name = fmt::format("{} ({})", lesson.id, number);
      book.pages.push_back({name, "", {}, PageMarkup::kTqa});
      lessons.emplace(std::move(name), std::move(lesson.json));
    }
  } catch (const FormatError& error) {
    throw FormatError(fmt::format("{}: {}", path.string(), error.what()));
  }
  return std::make_unique<TqaFiles>(path, std::move(lessons));
}

}  // namespace touchstone::extractors::textbook
