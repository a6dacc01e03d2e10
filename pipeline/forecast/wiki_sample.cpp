#include "pipeline/forecast/wiki_sample.hpp"

#include "common/error.hpp"
#include "common/files.hpp"
#include "extractors/dump/byte_source.hpp"

#include <algorithm>
#include <fstream>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace touchstone::pipeline::forecast {
namespace {

namespace fs = std::filesystem;
using extractors::dump::ByteSource;

constexpr std::size_t kPieces = 8;  ///< of a file
constexpr double kNearlyAll = 0.7;  ///< a sample that is more of the wiki is all of it
constexpr std::string_view kPageBegin = "<page>", kPageEnd = "</page>";

/// Whole pages of a file, and how many of its bytes hold their text.
struct Piece {
  std::string pages;
  std::uint64_t text_bytes = 0, raw_bytes = 0;  ///< that were looked at
};

std::uint64_t size_of(const fs::path& file) {
  std::error_code error;
  const auto size = fs::file_size(file, error);
  if (error) throw StorageError("cannot read " + file.string() + ": " + error.message());
  return size;
}

std::string read_range(const fs::path& file, std::uint64_t begin, std::uint64_t bytes) {
  std::ifstream in(file, std::ios::binary);
  in.seekg(static_cast<std::streamoff>(begin));
  std::string text(bytes, '\0');
  in.read(text.data(), static_cast<std::streamsize>(bytes));
  text.resize(static_cast<std::size_t>(in.gcount()));
  if (in.bad()) throw StorageError("cannot read " + file.string());
  return text;
}

/// What of a file is taken: pages of XML, or lines of JSON.
enum class Form : std::uint8_t { kXml, kLines };

/// The whole lines of a piece. Its first line may have begun before.
std::string whole_lines(std::string_view text, bool from_begin) {
  const auto begin = from_begin ? 0 : text.find('\n') + 1;
  const auto end = text.rfind('\n');
  if (end == std::string_view::npos || end < begin) return {};
  return std::string(text.substr(begin, end + 1 - begin));
}

/// From the first page that begins to the last that ends.
std::string whole_pages(std::string_view text) {
  const auto begin = text.find(kPageBegin);
  const auto end = text.rfind(kPageEnd);
  if (begin == std::string_view::npos || end == std::string_view::npos || end < begin) return {};
  return "  " + std::string(text.substr(begin, end + kPageEnd.size() - begin)) + "\n";
}

/// Decompresses up to `most` bytes. A file that ends in the middle of a stream ends the piece.
/// \param ended  set when the source was read to its end
std::string read_text(ByteSource& source, std::uint64_t most, const StopFlag& stop, bool* ended = nullptr) {
  constexpr std::size_t kChunk = std::size_t{1} << 20;
  std::string text;
  try {
    while (text.size() < most) {
      stop.check();
      const auto before = text.size();
      text.resize(before + kChunk);
      const auto got = source.read(text.data() + before, kChunk);
      text.resize(before + got);
      if (got > 0) continue;
      if (ended != nullptr) *ended = true;
      break;
    }
  } catch (const FormatError&) {
    if (text.empty()) throw;
    while (text.ends_with('\0')) text.pop_back();
  }
  return text;
}

std::unique_ptr<ByteSource> open(const fs::path& file, const StopFlag& stop) {
  extractors::dump::ByteSourceOptions options;
  options.use_lbzip2 = false;  // it reads ahead, so that it would not tell how much of the file the text took
  options.stop = &stop;
  return extractors::dump::open_byte_source(file, options);
}

/// Where the next bzip2 stream begins, or npos.
std::size_t find_bzip2_stream(std::string_view raw, std::size_t from) {
  constexpr std::string_view kBegin = "BZh", kBlock = "1AY&SY";  // the second is that of a stream's first block
  for (auto at = raw.find(kBegin, from); at != std::string_view::npos; at = raw.find(kBegin, at + 1)) {
    if (raw.substr(at + kBegin.size() + 1, kBlock.size()) == kBlock) return at;
  }
  return std::string_view::npos;
}

/// The bytes of the bzip2 streams that begin and end within a range of a file; empty if no stream does.
std::string bzip2_streams(const fs::path& file, std::uint64_t begin, std::uint64_t bytes) {
  const auto raw = read_range(file, begin, bytes);
  const auto first = find_bzip2_stream(raw, 0);
  std::size_t last = first;
  for (auto at = first; at != std::string::npos; at = find_bzip2_stream(raw, at + 1)) last = at;
  return first == std::string::npos ? std::string() : raw.substr(first, last - first);
}

class FileSample {
 public:
  FileSample(const fs::path& file, Form form, std::uint64_t bytes, const fs::path& folder, const StopFlag& stop)
      : file_(file),
        form_(form),
        folder_(folder),
        stop_(stop),
        size_(size_of(file)),
        piece_bytes_(bytes / kPieces + 1) {}

  /// What comes before the first page.
  std::string head() const {
    if (form_ == Form::kLines) return {};
    const auto text = read_text(*open(file_, stop_), std::uint64_t{1} << 20, stop_);
    return text.substr(0, std::min(text.find(kPageBegin), text.size()));
  }

  /// Nothing if the whole file is not larger than what is wanted.
  std::vector<Piece> pieces() const {
    const auto signature = read_range(file_, 0, 4);
    if (signature.starts_with("<") || signature.starts_with("{"))
      return spread([&](std::uint64_t at) { return plain_piece(at); });
    if (signature.starts_with("BZh")) {
      auto found = spread([&](std::uint64_t at) { return bzip2_piece(at); });
      if (found.size() > kPieces / 2) return found;  // else it is one long stream
    }
    const auto source = open(file_, stop_);
    bool ended = false;
    const auto text = read_text(*source, piece_bytes_ * kPieces, stop_, &ended);
    return {{records(text, true), text.size(), ended ? size_ : source->raw_offset()}};
  }

  std::uint64_t size() const { return size_; }

 private:
  std::string records(std::string_view text, bool from_begin) const {
    return form_ == Form::kXml ? whole_pages(text) : whole_lines(text, from_begin);
  }

  template <class Take>
  std::vector<Piece> spread(const Take& take) const {
    std::vector<Piece> pieces;
    for (std::size_t i = 0; i < kPieces; ++i) {
      stop_.check();
      if (auto piece = take(size_ / kPieces * i)) pieces.push_back(std::move(*piece));
    }
    return pieces;
  }

  std::optional<Piece> plain_piece(std::uint64_t at) const {
    const auto text = read_range(file_, at, std::min(piece_bytes_, size_ / kPieces));
    return Piece{records(text, at == 0), text.size(), text.size()};
  }

  std::optional<Piece> bzip2_piece(std::uint64_t at) const {
    constexpr std::uint64_t kUsualRatio = 5;  // of text to its compressed form
    const auto raw = bzip2_streams(file_, at, std::min(size_ / kPieces, piece_bytes_ / kUsualRatio));
    if (raw.empty()) return std::nullopt;
    const auto copy = folder_ / "piece.bz2";
    write_file_atomically(copy, raw);
    const auto text = read_text(*open(copy, stop_), std::numeric_limits<std::uint64_t>::max(), stop_);
    fs::remove(copy);
    return Piece{records(text, false), text.size(), raw.size()};
  }

  const fs::path& file_;
  const Form form_;
  const fs::path& folder_;
  const StopFlag& stop_;
  const std::uint64_t size_;
  const std::uint64_t piece_bytes_;
};

/// Nothing for books, which are not cut.
std::optional<Form> form_of(const flow::SourceInput& source, const StopFlag& stop) {
  if (source.kind == "dump") return Form::kXml;
  if (!fs::is_regular_file(source.path)) return std::nullopt;
  try {
    const auto text = read_text(*open(source.path, stop), 1, stop);
    if (text.starts_with("{")) return Form::kLines;
  } catch (const FormatError&) {  // a book is an archive
  }
  return std::nullopt;
}

std::uint64_t bytes_of(const fs::path& path) {
  return fs::is_regular_file(path) ? size_of(path) : bytes_below(path);
}

}  // namespace

WikiSample sample_wiki(const std::vector<flow::SourceInput>& sources, std::uint64_t bytes, const fs::path& folder,
                       const StopFlag& stop) {
  WikiSample sample;
  std::uint64_t raw = 0;
  std::vector<std::optional<Form>> forms;
  for (const auto& source : sources) {
    if (source.path == "-")
      throw ConfigError("a forecast looks into the dump, which a pipe does not allow; name a file");
    forms.push_back(form_of(source, stop));
    raw += bytes_of(source.path);
  }
  if (std::count(forms.begin(), forms.end(), std::nullopt) > 0) return {sources, raw + 1, 1, true};
  std::uint64_t looked_at = 0;
  std::size_t number = 0;
  for (const auto& source : sources) {
    const double share = static_cast<double>(size_of(source.path)) / static_cast<double>(raw);
    const auto form = *forms[number];
    const FileSample file(source.path, form, static_cast<std::uint64_t>(share * static_cast<double>(bytes)), folder,
                          stop);
    // Its name can hold the day of the dump.
    const auto path = folder / std::to_string(++number) / source.path.filename();
    fs::create_directories(path.parent_path());
    AtomicFile out(path);
    out.write(file.head());
    for (const auto& piece : file.pieces()) {
      out.write(piece.pages);
      sample.bytes += piece.text_bytes;
      looked_at += piece.raw_bytes;
    }
    if (form == Form::kXml) out.write("</mediawiki>\n");
    out.finish();
    sample.sources.push_back({path, source.kind});
  }
  sample.of_all = std::min(1.0, static_cast<double>(looked_at) / static_cast<double>(raw));
  if (sample.of_all < kNearlyAll) return sample;
  return {sources, static_cast<std::uint64_t>(static_cast<double>(sample.bytes) / sample.of_all), 1, true};
}

}  // namespace touchstone::pipeline::forecast
