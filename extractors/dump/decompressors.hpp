#pragma once

#include "extractors/dump/byte_source.hpp"
#include "extractors/dump/raw_file.hpp"

#include <filesystem>
#include <memory>

namespace touchstone::extractors::dump::internal {

// Sources that decompress a raw file. They throw as ByteSource::read does.

/// gzip by zlib itself, which checks length and CRC of every member; libarchive's reader does not.
std::unique_ptr<ByteSource> make_gzip_source(std::unique_ptr<RawFile> file);

/// bzip2, zstd, xz and 7z through libarchive, which follows concatenated streams and checks their sums.
///
/// \param path  of the file: libarchive opens a 7z itself
std::unique_ptr<ByteSource> make_archive_source(std::unique_ptr<RawFile> file, Compression compression,
                                                const std::filesystem::path& path);

bool lbzip2_is_installed();

/// bzip2 through the `lbzip2` program, which uses several cores. How the program ended decides what is thrown: only
/// when it says that the data is damaged, the file is (FormatError); if a signal or a limit ended it, or if it could
/// not run, nothing is known of the file (StorageError). \pre it is installed
std::unique_ptr<ByteSource> make_lbzip2_source(std::unique_ptr<RawFile> file, const ByteSourceOptions& options);

}  // namespace touchstone::extractors::dump::internal
