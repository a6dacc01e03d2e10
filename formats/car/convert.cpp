#include "formats/car/convert.hpp"

#include "common/digest.hpp"
#include "common/error.hpp"
#include "common/files.hpp"
#include "common/version.hpp"
#include "formats/car/file_kind.hpp"
#include "formats/car/ids.hpp"
#include "formats/car/json_lines.hpp"
#include "formats/car/record_file.hpp"
#include "formats/car/visit.hpp"
#include "formats/car/writer.hpp"
#include "formats/fields/one_line.hpp"
#include "formats/fields/quote.hpp"

#include <functional>
#include <memory>
#include <string>
#include <unordered_set>

namespace touchstone::formats::car {
namespace {

/// Where converted records go.
class Sink {
 public:
  virtual ~Sink() = default;
  virtual void write(const Page& page) = 0;
  virtual void write(const Paragraph& paragraph) = 0;
  virtual void finish() = 0;
};

class CborSink : public Sink {
 public:
  CborSink(const std::filesystem::path& out, FileType type, const Provenance& provenance)
      : writer_(out, type, provenance, InTheWay::kRefuse) {}
  void write(const Page& page) override { writer_.write(page); }
  void write(const Paragraph& paragraph) override { writer_.write(paragraph); }
  void finish() override { writer_.finish(); }

 private:
  CarWriter writer_;
};

class JsonSink : public Sink {
 public:
  JsonSink(const std::filesystem::path& out, FileType type) : writer_(out, InTheWay::kRefuse), type_(type) {}
  void write(const Page& page) override {
    writer_.write(page_json_line(type_ == FileType::kOutlines ? outline_of(page) : page));
  }
  void write(const Paragraph& paragraph) override { writer_.write(paragraph_json_line(paragraph)); }
  void finish() override { writer_.finish(); }

 private:
  TextWriter writer_;
  FileType type_;
};

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
    if (sink_) sink_->finish();
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
    const auto type = written_type(kind);
    is_corpus_ = kind.type == FileType::kParagraphs;
    switch (to_) {
      case ConvertTo::kCbor:
      case ConvertTo::kOutlines:
      case ConvertTo::kParagraphs:
        sink_ = std::make_unique<CborSink>(out_, type, provenance(kind));
        break;
      case ConvertTo::kJsonLines:
      case ConvertTo::kOutlineLines:
      case ConvertTo::kParagraphLines:
        sink_ = std::make_unique<JsonSink>(out_, type);
        break;
      case ConvertTo::kTitles:
      case ConvertTo::kTopics:
        lines_ = std::make_unique<TextWriter>(out_, InTheWay::kRefuse);
    }
  }

  void take(const Page& page) {
    if (is_corpus_)
      throw FormatError(path_.string() + ": there is a page among paragraphs; fetch or write the file again");
    if (gives_paragraphs()) {
      visit_skeleton<Insides::kLeftOut>(page.skeleton, *this);
    } else if (sink_) {
      sink_->write(page);
      ++counts_.written;
    } else if (to_ == ConvertTo::kTitles) {
      put_line(page.name);
    } else {
      put_line(page.id);
      TopicVisitor visitor{page.id, [this](const std::string& id) { put_line(id); }, {}, {}};
      visit_skeleton<Insides::kLeftOut>(page.skeleton, visitor);
    }
  }

  void take(const Paragraph& paragraph) {
    if (!is_corpus_)
      throw FormatError(path_.string() + ": there is a paragraph among pages; fetch or write the file again");
    if (!sink_ || to_ == ConvertTo::kOutlines || to_ == ConvertTo::kOutlineLines) {
      throw FormatError(path_.string() +
                        " has paragraphs, which tell neither titles nor sections; give a file of pages");
    }
    sink_->write(paragraph);
    ++counts_.written;
  }

  void take_once(const Paragraph& paragraph) {
    if (!written_ids_.insert(xxh3_64(paragraph.id)).second) return;
    sink_->write(paragraph);
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
  std::unique_ptr<Sink> sink_;
  std::unique_ptr<TextWriter> lines_;
  bool is_corpus_ = false;
  std::unordered_set<std::uint64_t> written_ids_;
  Converted counts_;
};

}  // namespace

Converted convert_file(const std::filesystem::path& path, ConvertTo to, const std::filesystem::path& out) {
  return Conversion(path, to, out).run();
}

}  // namespace touchstone::formats::car
