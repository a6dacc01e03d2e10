#include "extractors/dump/byte_source.hpp"

#include "common/archive_signature.hpp"
#include "common/error.hpp"
#include "common/unicode.hpp"
#include "extractors/dump/bzip2_blocks.hpp"
#include "extractors/dump/raw_file.hpp"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <string_view>
#include <utility>

#include <unicode/ucnv.h>

namespace touchstone::extractors::dump {
using namespace internal;
namespace {

/// Text in another encoding turned into UTF-8. Bytes that are not of the encoding are damage.
class ConvertedSource : public WrappingSource {
 public:
  ConvertedSource(std::unique_ptr<ByteSource> inner, std::string first, std::string encoding)
      : WrappingSource(std::move(inner)), encoding_(std::move(encoding)), pending_(std::move(first)) {
    UErrorCode status = U_ZERO_ERROR;
    from_.reset(ucnv_open(encoding_.c_str(), &status));
    if (U_FAILURE(status)) {
      throw FormatError(inner_->name() + ": its XML declaration names the encoding \"" + encoding_ +
                        "\", which is not known; convert the file to UTF-8");
    }
    to_.reset(ucnv_open("UTF-8", &status));
    ucnv_setToUCallBack(from_.get(), UCNV_TO_U_CALLBACK_STOP, nullptr, nullptr, nullptr, &status);
    if (U_FAILURE(status)) throw StorageError("cannot convert " + encoding_ + ": " + u_errorName(status));
  }

  std::size_t read(char* buffer, std::size_t size) override {
    char* target = buffer;
    while (target == buffer && !done_) {
      if (pending_used_ == pending_.size()) {
        pending_.resize(1 << 16);
        pending_.resize(inner_->read(pending_.data(), pending_.size()));
        pending_used_ = 0;
        if (pending_.empty()) flush_ = true;
      }
      const char* source = pending_.data() + pending_used_;
      UErrorCode status = U_ZERO_ERROR;
      ucnv_convertEx(to_.get(), from_.get(), &target, buffer + size, &source, pending_.data() + pending_.size(), pivot_,
                     &pivot_source_, &pivot_target_, pivot_ + std::size(pivot_), reset_, flush_, &status);
      reset_ = false;
      pending_used_ = static_cast<std::size_t>(source - pending_.data());
      if (status == U_ZERO_ERROR || U_SUCCESS(status)) {
        done_ = flush_;
      } else if (status != U_BUFFER_OVERFLOW_ERROR) {
        throw FormatError(inner_->name() + ": not valid " + encoding_ + " (" + u_errorName(status) +
                          "); download it again");
      }
    }
    return static_cast<std::size_t>(target - buffer);
  }

 private:
  struct Close {
    void operator()(UConverter* converter) const noexcept { ucnv_close(converter); }
  };

  std::string encoding_;
  std::string pending_;
  std::size_t pending_used_ = 0;
  std::unique_ptr<UConverter, Close> from_, to_;
  UChar pivot_[1024];
  UChar *pivot_source_ = pivot_, *pivot_target_ = pivot_;
  bool reset_ = true, flush_ = false, done_ = false;
};

/// Gives bytes that were read to look at them once more.
class PrefixedSource : public WrappingSource {
 public:
  PrefixedSource(std::unique_ptr<ByteSource> inner, std::string first)
      : WrappingSource(std::move(inner)), first_(std::move(first)) {}
  std::size_t read(char* buffer, std::size_t size) override {
    if (used_ == first_.size()) return inner_->read(buffer, size);
    const std::size_t got = std::min(size, first_.size() - used_);
    std::memcpy(buffer, first_.data() + used_, got);
    used_ += got;
    return got;
  }

 private:
  std::string first_;
  std::size_t used_ = 0;
};

/// The encoding that an XML declaration names; empty for UTF-8, and for encodings in which the declaration itself would
/// look otherwise, so that they cannot be the file's.
std::string declared_encoding(std::string_view first) {
  constexpr std::string_view kName = "encoding";
  if (!first.starts_with("<?xml")) return {};
  const std::string_view declaration = first.substr(0, first.find("?>"));
  std::size_t at = declaration.find(kName);
  if (at == std::string_view::npos) return {};
  at = declaration.find_first_of("\"'", at + kName.size());
  if (at == std::string_view::npos) return {};
  const std::size_t end = declaration.find(declaration[at], at + 1);
  if (end == std::string_view::npos) return {};
  std::string encoding(declaration.substr(at + 1, end - at - 1));
  const std::string lower = lower_case(encoding);
  const bool is_utf = lower == "utf-8" || lower == "utf8" || lower == "us-ascii" || lower.starts_with("utf-16") ||
                      lower.starts_with("utf-32") || lower.starts_with("ucs-") || lower.starts_with("iso-10646");
  return is_utf ? std::string() : encoding;
}

/// The same source, or one that turns its text into UTF-8: from UTF-16, told from a byte order mark or from how XML
/// begins, or from the encoding that its XML declaration names. Throws FormatError for encodings that are not known.
/// \param first  what was read of the source already, with all of an XML declaration; it is given once more
std::unique_ptr<ByteSource> as_utf8(std::unique_ptr<ByteSource> source, std::string first) {
  using namespace std::string_view_literals;
  if (first.starts_with("\xff\xfe"sv))
    return std::make_unique<ConvertedSource>(std::move(source), first.substr(2), "UTF-16LE");
  if (first.starts_with("\xfe\xff"sv))
    return std::make_unique<ConvertedSource>(std::move(source), first.substr(2), "UTF-16BE");
  if (first.starts_with("<\0"sv)) return std::make_unique<ConvertedSource>(std::move(source), first, "UTF-16LE");
  if (first.starts_with("\0<"sv)) return std::make_unique<ConvertedSource>(std::move(source), first, "UTF-16BE");
  std::string encoding = declared_encoding(first);
  if (!encoding.empty())
    return std::make_unique<ConvertedSource>(std::move(source), std::move(first), std::move(encoding));
  return std::make_unique<PrefixedSource>(std::move(source), std::move(first));
}

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

std::string read_up_to(ByteSource& source, std::size_t most) {
  std::string bytes(most, '\0');
  std::size_t have = 0;
  while (have < bytes.size()) {
    const std::size_t got = source.read(bytes.data() + have, bytes.size() - have);
    if (got == 0) break;
    have += got;
  }
  bytes.resize(have);
  return bytes;
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
  auto file = std::make_unique<RawFile>(path, options.stop, options.digests);
  file->pass(options.start);
  const std::string head(file->peek(kArchiveHeadBytes));
  if (head.empty()) throw FormatError(file->name() + ": the file is empty; download it again");
  const Compression compression = compression_of(head);
  const auto is_asked = [&](std::string_view bytes) {
    return !options.tar_members.empty() && archive_kind(bytes) == "tar";
  };
  if (compression != Compression::kSevenZip && !is_asked(head)) refuse_archive(file->name(), head);
  std::unique_ptr<ByteSource> source;
  switch (compression) {
    case Compression::kNone:
      source = std::make_unique<PlainSource>(std::move(file));
      break;
    case Compression::kGzip:
      source = make_gzip_source(std::move(file));
      break;
    case Compression::kBzip2:
      if (options.skip_damage) {
        source = make_undamaged_bzip2_source(std::move(file));
        break;
      }
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
  auto first = read_up_to(*source, kArchiveHeadBytes);
  if (is_asked(first)) {
    source =
        make_tar_source(std::make_unique<PrefixedSource>(std::move(source), std::move(first)), options.tar_members);
    first = read_up_to(*source, kArchiveHeadBytes);
  }
  refuse_archive(source->name(), first);
  return as_utf8(std::move(source), std::move(first));
}

std::string peek(std::unique_ptr<ByteSource>& source, std::size_t most) {
  auto bytes = read_up_to(*source, most);
  source = std::make_unique<PrefixedSource>(std::move(source), bytes);
  return bytes;
}

}  // namespace touchstone::extractors::dump
