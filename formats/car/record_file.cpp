#include "formats/car/record_file.hpp"

#include "common/error.hpp"
#include "common/files.hpp"
#include "formats/car/file_kind.hpp"
#include "formats/car/json_lines.hpp"

#include <string>
#include <utility>

namespace touchstone::formats::car {
namespace {

void for_each_json_record(const std::filesystem::path& path, const std::function<bool(ReadRecord)>& record) {
  using Parsed = Result<Record, std::string>;
  JsonLineReader lines;
  std::uint64_t count = 0;
  for_each_line(path, [&](std::string_view line, std::uint64_t number) {
    if (line.empty()) return true;
    auto parsed = lines.record(line);
    if (!parsed)
      parsed = Parsed::failure(path.string() + ":" + std::to_string(number) + ": the line " + parsed.error());
    return record({number, ++count, line.size(), std::move(parsed)});
  });
}

/// Calls `call` with every record, which must be of one kind.
template <class Wanted, class Call>
void for_each_of(const std::filesystem::path& path, const char* wanted, const char* other, const Call& call) {
  for_each_record(path, [&](ReadRecord read) {
    if (!read.record) throw FormatError(read.record.error());
    const auto* found = std::get_if<Wanted>(&*read.record);
    if (found == nullptr) {
      throw FormatError(path.string() + " has " + other + " where " + wanted + " are needed; give the file of " +
                        wanted);
    }
    call(*found);
    return true;
  });
}

}  // namespace

void for_each_record(const std::filesystem::path& path, const std::function<bool(ReadRecord)>& record) {
  const auto kind = detect_file(path);
  if (kind.form == FileForm::kQrels) {
    throw FormatError(path.string() + " has qrels where pages or paragraphs are needed; give one of those files");
  }
  if (kind.form == FileForm::kJsonLines) {
    for_each_json_record(path, record);
    return;
  }
  CarReader reader(path);
  while (auto read = reader.next()) {
    if (!record(std::move(*read))) return;
  }
}

void for_each_page(const std::filesystem::path& path, const std::function<void(const Page&)>& page) {
  for_each_of<Page>(path, "pages", "paragraphs", page);
}

void for_each_paragraph(const std::filesystem::path& path, const std::function<void(const Paragraph&)>& paragraph) {
  for_each_of<Paragraph>(path, "paragraphs", "pages", paragraph);
}

}  // namespace touchstone::formats::car
