#include "formats/car/record_file.hpp"

#include "common/error.hpp"
#include "common/files.hpp"
#include "common/json_writer.hpp"
#include "common/named_values.hpp"
#include "formats/car/cbor_items.hpp"
#include "formats/car/json_lines.hpp"
#include "formats/car/reader.hpp"
#include "formats/fields/columns.hpp"
#include "formats/fields/quote.hpp"
#include "formats/trec/qrels.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <string>
#include <utility>

namespace touchstone::formats::car {
namespace {

constexpr std::uint64_t kRecordsLookedAt = 1000;
constexpr std::uint64_t kBytesLookedAt = std::uint64_t{16} << 20;

/// First byte of the tag that says "this is CBOR". Source: RFC 8949, section 3.4.6.
constexpr unsigned char kSelfDescribed = 0xd9;

constexpr const char* kNeither =
    " is no TREC CAR file: it is neither CBOR nor JSON lines of pages or paragraphs nor qrels; ";

bool has_sections_only(const std::vector<Skeleton>& elements) {
  return std::all_of(elements.begin(), elements.end(), [](const Skeleton& element) {
    const auto* section = std::get_if<Section>(&element.element);
    return section != nullptr && has_sections_only(section->children);
  });
}

/// Looks at records until one tells pages from outlines.
class TypeFinder {
 public:
  /// Returns whether to go on.
  bool look_at(const Record& record, std::uint64_t bytes) {
    if (std::holds_alternative<Paragraph>(record)) {
      type_ = FileType::kParagraphs;
      return false;
    }
    const auto& page = std::get<Page>(record);
    if (page.type == PageType::kArticle && !page.skeleton.empty()) type_ = FileType::kOutlines;
    if (!has_sections_only(page.skeleton)) {
      type_ = FileType::kPages;
      return false;
    }
    bytes_ += bytes;
    return ++records_ < kRecordsLookedAt && bytes_ < kBytesLookedAt;
  }
  FileType type() const noexcept { return type_; }

 private:
  FileType type_ = FileType::kPages;
  std::uint64_t records_ = 0, bytes_ = 0;
};

void detect_cbor(const std::filesystem::path& path, FileKind& kind) {
  CarReader reader(path);
  kind.form = FileForm::kCbor;
  kind.has_header = reader.has_header();
  kind.type = reader.type();
  if (kind.has_header || kind.type != FileType::kPages) return;
  TypeFinder finder;
  try {
    while (const auto read = reader.next()) {
      if (read->record && !finder.look_at(*read->record, read->bytes)) break;
    }
  } catch (const FormatError&) {
    // A file that is damaged further on is reported by whoever reads that far.
  }
  kind.type = finder.type();
}

void detect_json(const std::filesystem::path& path, FileKind& kind) {
  kind.form = FileForm::kJsonLines;
  JsonLineReader lines;
  TypeFinder finder;
  std::string problem;
  std::uint64_t good = 0;
  for_each_line(path, [&](std::string_view line, std::uint64_t number) {
    if (line.empty()) return true;
    const auto record = lines.record(line);
    if (!record) {
      if (problem.empty()) problem = path.string() + ":" + std::to_string(number) + ": " + record.error();
      return good > 0;
    }
    ++good;
    return finder.look_at(*record, line.size());
  });
  if (good == 0) throw FormatError(problem);
  kind.type = finder.type();
}

/// Whether the line looks like a judgment whose grade alone is wrong.
bool has_fields_of_qrel(std::string_view line) {
  const auto columns = fields::split_at_white_space(line, 5);
  std::uint64_t iteration = 0;
  return columns.size() == 4 && fields::parse_integer<std::uint64_t>(columns[1], 0, UINT64_MAX, iteration);
}

void detect_qrels(const std::filesystem::path& path, FileKind& kind) {
  kind.form = FileForm::kQrels;
  bool found = false;
  for_each_line(path, [&](std::string_view line, std::uint64_t number) {
    if (line.find_first_not_of(" \t") == std::string_view::npos || line.starts_with('#')) return true;
    const auto qrel = trec::parse_qrel(line);
    if (!qrel) {
      if (has_fields_of_qrel(line))
        throw FormatError(path.string() + ":" + std::to_string(number) + ": " + qrel.error());
      throw FormatError(path.string() + kNeither + "line " + std::to_string(number) + " is " +
                        fields::quote_for_message(line));
    }
    found = true;
    return false;
  });
  if (!found) throw FormatError(path.string() + kNeither + "it has no line with text");
}

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

void put_file_kind(JsonWriter& out, const std::filesystem::path& path, const FileKind& kind) {
  std::optional<std::string_view> type;
  if (kind.type) type = name_in(kFileTypes, *kind.type);
  out.field("file", path.string()).field("form", name_in(kFileForms, kind.form)).field("type", type);
  out.field("header", kind.has_header).field("gzip", kind.is_gzip);
}

FileKind detect_file(const std::filesystem::path& path) {
  FileKind kind;
  std::array<char, 64> head{};
  const auto input = open_file_input(path);
  const auto size = input->read(head.data(), head.size());
  if (size == 0) throw FormatError(path.string() + " is empty; fetch or write it again");
  kind.is_gzip = begins_as_gzip(path);
  std::string_view text(head.data(), size);
  const auto first = static_cast<unsigned char>(text.front());
  const bool is_array = (first >= 0x80 && first <= 0x9b) || first == 0x9f;
  if (is_array || first == kSelfDescribed) {
    detect_cbor(path, kind);
    return kind;
  }
  fields::refuse_byte_order_mark(path, text, 1);
  const auto start = text.find_first_not_of(" \t\r\n");
  if (start != std::string_view::npos && text[start] == '{') {
    detect_json(path, kind);
  } else {
    detect_qrels(path, kind);
  }
  return kind;
}

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
