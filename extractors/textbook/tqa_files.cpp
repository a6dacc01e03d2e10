#include "extractors/textbook/tqa_files.hpp"

#include "common/error.hpp"
#include "extractors/html/xml_tree.hpp"
#include "extractors/markup/tqa.hpp"

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

}  // namespace

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
