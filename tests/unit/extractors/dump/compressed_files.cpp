#include "tests/unit/extractors/dump/compressed_files.hpp"

#include "common/error.hpp"
#include "common/files.hpp"
#include "common/unicode.hpp"
#include "tests/support/temporary_folder.hpp"

#include <memory>

#include <archive.h>
#include <archive_entry.h>
#include <zstd.h>

namespace touchstone::testing {

using extractors::dump::Compression;

const std::vector<Compression>& all_compressions() {
  static const std::vector<Compression> kinds = {Compression::kNone, Compression::kBzip2, Compression::kGzip,
                                                 Compression::kZstd, Compression::kXz,    Compression::kSevenZip};
  return kinds;
}

std::string name_of(Compression kind) {
  switch (kind) {
    case Compression::kNone:
      return "plain";
    case Compression::kBzip2:
      return "bzip2";
    case Compression::kGzip:
      return "gzip";
    case Compression::kZstd:
      return "zstd";
    case Compression::kXz:
      return "xz";
    case Compression::kSevenZip:
      return "7z";
  }
  return "";
}

namespace {

/// As the zstd program writes it; libarchive leaves the checksum out.
std::string zstd_with_checksum(std::string_view content) {
  const std::unique_ptr<ZSTD_CCtx, std::size_t (*)(ZSTD_CCtx*)> context(ZSTD_createCCtx(), ZSTD_freeCCtx);
  ZSTD_CCtx_setParameter(context.get(), ZSTD_c_checksumFlag, 1);
  std::string out(ZSTD_compressBound(content.size()), '\0');
  const std::size_t size = ZSTD_compress2(context.get(), out.data(), out.size(), content.data(), content.size());
  if (ZSTD_isError(size) != 0) throw Error("cannot compress");
  out.resize(size);
  return out;
}

}  // namespace

std::string compressed(std::string_view content, Compression kind) {
  if (kind == Compression::kNone) return std::string(content);
  if (kind == Compression::kZstd) return zstd_with_checksum(content);
  const TemporaryFolder folder;
  const auto file = folder / "out";
  const std::unique_ptr<archive, int (*)(archive*)> out(archive_write_new(), archive_write_free);
  const auto check = [&](int status) {
    if (status != ARCHIVE_OK) throw Error(std::string("cannot compress: ") + archive_error_string(out.get()));
  };
  if (kind == Compression::kSevenZip) {
    check(archive_write_set_format_7zip(out.get()));
  } else {
    check(archive_write_set_format_raw(out.get()));
    if (kind == Compression::kBzip2) check(archive_write_add_filter_bzip2(out.get()));
    if (kind == Compression::kGzip) check(archive_write_add_filter_gzip(out.get()));
    if (kind == Compression::kXz) check(archive_write_add_filter_xz(out.get()));
    check(archive_write_set_bytes_in_last_block(out.get(), 1));
  }
  check(archive_write_open_filename(out.get(), file.c_str()));
  const std::unique_ptr<archive_entry, void (*)(archive_entry*)> entry(archive_entry_new(), archive_entry_free);
  archive_entry_set_pathname(entry.get(), "dump.xml");
  archive_entry_set_filetype(entry.get(), AE_IFREG);
  archive_entry_set_size(entry.get(), static_cast<la_int64_t>(content.size()));
  check(archive_write_header(out.get(), entry.get()));
  if (archive_write_data(out.get(), content.data(), content.size()) != static_cast<la_ssize_t>(content.size())) {
    throw Error("cannot compress");
  }
  check(archive_write_close(out.get()));
  return read_file(file);
}

std::string read_all(extractors::dump::ByteSource& source, std::size_t piece) {
  std::string all, buffer(piece, '\0');
  while (const std::size_t got = source.read(buffer.data(), buffer.size())) all.append(buffer, 0, got);
  return all;
}

std::string utf16(std::string_view text, bool big_endian) {
  std::string out;
  const auto put = [&](char32_t unit) {
    const char high = static_cast<char>(unit >> 8 & 0xFF), low = static_cast<char>(unit & 0xFF);
    out.push_back(big_endian ? high : low);
    out.push_back(big_endian ? low : high);
  };
  put(0xFEFF);
  for (std::size_t at = 0; at < text.size();) {
    const char32_t c = next_code_point(text, at);
    if (c < 0x10000) {
      put(c);
    } else {
      put(0xD800 + ((c - 0x10000) >> 10));
      put(0xDC00 + ((c - 0x10000) & 0x3FF));
    }
  }
  return out;
}

}  // namespace touchstone::testing
