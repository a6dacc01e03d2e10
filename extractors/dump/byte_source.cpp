#include "extractors/dump/byte_source.hpp"

#include "common/archive_signature.hpp"
#include "common/error.hpp"
#include "extractors/dump/decompressors.hpp"
#include "extractors/dump/raw_file.hpp"
#include "extractors/dump/text_encoding.hpp"

#include <string_view>
#include <utility>

namespace touchstone::extractors::dump {
using namespace internal;
namespace {

class PlainSource : public FileSource {
 public:
  using FileSource::FileSource;
  std::size_t read(char* buffer, std::size_t size) override { return file_->read(buffer, size); }
};

/// An archive may hold several files, and reading the first of them without a word would leave the others out.
void refuse_archive(const std::string& name, std::string_view head) {
  const auto kind = archive_kind(head);
  if (kind.empty()) return;
  throw FormatError(name + ": holds a " + std::string(kind) +
                    " archive, not a dump; take the files out of it and name those that are dumps");
}

Compression compression_of(std::string_view head) {
  using namespace std::string_view_literals;
  if (head.starts_with("BZh"sv)) return Compression::kBzip2;
  if (head.starts_with("\x1f\x8b"sv)) return Compression::kGzip;
  if (head.starts_with("\x28\xb5\x2f\xfd"sv)) return Compression::kZstd;
  if (head.starts_with("\xfd"
                       "7zXZ\0"sv))
    return Compression::kXz;
  if (head.starts_with("7z\xbc\xaf\x27\x1c"sv)) return Compression::kSevenZip;
  return Compression::kNone;
}

}  // namespace

std::unique_ptr<ByteSource> open_byte_source(const std::filesystem::path& path, const ByteSourceOptions& options) {
  auto file = std::make_unique<RawFile>(path, options.stop);
  const std::string head(file->peek(kArchiveHeadBytes));
  if (head.empty()) throw FormatError(file->name() + ": the file is empty; download it again");
  const Compression compression = compression_of(head);
  if (compression != Compression::kSevenZip) refuse_archive(file->name(), head);
  std::unique_ptr<ByteSource> source;
  switch (compression) {
    case Compression::kNone:
      source = std::make_unique<PlainSource>(std::move(file));
      break;
    case Compression::kGzip:
      source = make_gzip_source(std::move(file));
      break;
    case Compression::kBzip2:
      if (options.use_lbzip2 && lbzip2_is_installed()) {
        source = make_lbzip2_source(std::move(file), options);
        break;
      }
      [[fallthrough]];
    case Compression::kZstd:
    case Compression::kXz:
      source = make_archive_source(std::move(file), compression, path);
      break;
    case Compression::kSevenZip:
      if (path == "-") throw FormatError("a 7z archive cannot be read from standard input; name the file instead");
      source = make_archive_source(std::move(file), compression, path);
      break;
  }
  std::string first(kArchiveHeadBytes, '\0');
  std::size_t have = 0;
  while (have < first.size()) {
    const std::size_t got = source->read(first.data() + have, first.size() - have);
    if (got == 0) break;
    have += got;
  }
  first.resize(have);
  refuse_archive(source->name(), first);
  return as_utf8(std::move(source), std::move(first));
}

}  // namespace touchstone::extractors::dump
