#include "formats/car/convert.hpp"

#include "common/digest.hpp"
#include "common/error.hpp"
#include "common/files.hpp"
#include "common/version.hpp"
#include "formats/car/ids.hpp"
#include "formats/car/json_lines.hpp"
#include "formats/car/record_file.hpp"
#include "formats/car/records.hpp"
#include "formats/car/writer.hpp"
#include "formats/fields/one_line.hpp"
#include "formats/fields/quote.hpp"

#include <functional>
#include <optional>
#include <string>
#include <unordered_set>

namespace touchstone::formats::car {
namespace {

/// Gives the ids of the sections of a page in page order, each once.
struct TopicVisitor {
  void enter(const Section& section, std::size_t) {
    headings.push_back(section.heading_id);
    auto id = section_path_id(page_id, headings);
    if (seen.insert(id).second) put(id);
  }
  void leave(const Section&) { headings.pop_back(); }
  template <class Content>
  void element(const Content&) {}

  std::string page_id;
  std::function<void(const std::string&)> put;
  std::vector<std::string> headings;
  std::unordered_set<std::string> seen;
};

class Conversion {
 public:
  Conversion(const std::filesystem::path& path, ConvertTo to, const std::filesystem::path& out)
      : path_(path), out_(out), to_(to) {}

  Converted run() {
    const auto kind = detect_file(path_);
    open(kind);
    for_each_record(path_, [&](const ReadRecord& read) {
      if (!read.record) throw FormatError(read.record.error());
      ++counts_.read;
      std::visit([&](const auto& record) { take(record); }, *read.record);
      return true;
    });
    if (cbor_) cbor_->finish();
    if (lines_) lines_->finish();
    return counts_;
  }

  // For visit_skeleton.
  void enter(const Section&, std::size_t) {}
  void leave(const Section&) {}
  void element(const Paragraph& paragraph) { take_once(paragraph); }
  template <class Content>
  void element(const Content&) {}

 private:
  bool gives_records() const { return to_ != ConvertTo::kTitles && to_ != ConvertTo::kTopics; }
  bool gives_paragraphs() const { return to_ == ConvertTo::kParagraphs || to_ == ConvertTo::kParagraphLines; }

  FileType written_type(const FileKind& kind) const {
    if (gives_paragraphs()) return FileType::kParagraphs;
    if (to_ == ConvertTo::kOutlines || to_ == ConvertTo::kOutlineLines) return FileType::kOutlines;
    return kind.type.value_or(FileType::kPages);
  }

  Provenance provenance(const FileKind& kind) const {
    Provenance provenance;
    if (kind.form == FileForm::kCbor) provenance = CarReader(path_).provenance();
    provenance.transforms.push_back({"touchstone car convert", program_version(), ""});
    return provenance;
  }

  void open(const FileKind& kind) {
    type_ = written_type(kind);
    is_corpus_ = kind.type == FileType::kParagraphs;
    if (to_ == ConvertTo::kCbor || to_ == ConvertTo::kOutlines || to_ == ConvertTo::kParagraphs) {
      cbor_.emplace(out_, type_, provenance(kind), InTheWay::kRefuse);
    } else {
      lines_.emplace(out_, InTheWay::kRefuse);
    }
  }

  void write(const Page& page) {
    if (cbor_) return cbor_->write(page);
    lines_->write(page_json_line(type_ == FileType::kOutlines ? outline_of(page) : page));
  }
  void write(const Paragraph& paragraph) {
    if (cbor_) return cbor_->write(paragraph);
    lines_->write(paragraph_json_line(paragraph));
  }

  void take(const Page& page) {
    if (is_corpus_)
      throw FormatError(path_.string() + ": there is a page among paragraphs; fetch or write the file again");
    if (gives_paragraphs()) {
      visit_skeleton<Insides::kLeftOut>(page.skeleton, *this);
    } else if (to_ == ConvertTo::kTitles) {
      put_line(page.name);
    } else if (gives_records()) {
      write(page);
      ++counts_.written;
    } else {
      put_line(page.id);
      TopicVisitor visitor{page.id, [this](const std::string& id) { put_line(id); }, {}, {}};
      visit_skeleton<Insides::kLeftOut>(page.skeleton, visitor);
    }
  }

  void take(const Paragraph& paragraph) {
    if (!is_corpus_)
      throw FormatError(path_.string() + ": there is a paragraph among pages; fetch or write the file again");
    if (!gives_records() || type_ == FileType::kOutlines) {
      throw FormatError(path_.string() +
                        " has paragraphs, which tell neither titles nor sections; give a file of pages");
    }
    write(paragraph);
    ++counts_.written;
  }

  void take_once(const Paragraph& paragraph) {
    if (!written_ids_.insert(xxh3_64(paragraph.id)).second) return;
    write(paragraph);
    ++counts_.written;
  }

  void put_line(const std::string& text) {
    if (!fields::is_one_line(text)) {
      throw FormatError(path_.string() + ": " + fields::quote_for_message(text) +
                        " has control characters, so it cannot be a line of text; leave the page out");
    }
    lines_->write(text + "\n");
    ++counts_.written;
  }

  std::filesystem::path path_, out_;
  ConvertTo to_;
  FileType type_ = FileType::kPages;
  std::optional<CarWriter> cbor_;
  std::optional<TextWriter> lines_;
  bool is_corpus_ = false;
  std::unordered_set<std::uint64_t> written_ids_;
  Converted counts_;
};

}  // namespace

Converted convert_file(const std::filesystem::path& path, ConvertTo to, const std::filesystem::path& out) {
  return Conversion(path, to, out).run();
}

}  // namespace touchstone::formats::car
