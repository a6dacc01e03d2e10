#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace touchstone::extractors::textbook {

/// Bounds of a book. Larger ones are refused or left out, with a sentence.
struct BookLimits {
  std::size_t max_files = 200'000;
  std::size_t max_file_bytes = std::size_t{64} << 20;      ///< of one file; larger ones are left out
  std::size_t max_archive_bytes = std::size_t{512} << 20;  ///< of all files of an archive that are read, unpacked
  std::size_t max_unpacked_bytes = std::size_t{16} << 30;  ///< of an archive with what is passed over
};

/// The files of a book: a folder, an archive, or a single file. Reading is thread-safe.
class BookFiles {
 public:
  virtual ~BookFiles() = default;

  /// Paths within the book, with '/', ascending; those of pictures and the like too, which read() does not give.
  const std::vector<std::string>& names() const noexcept { return names_; }
  /// The bytes of a file; nothing when there is none of this name or it is larger than the bound. Throws StorageError
  /// when it cannot be read.
  virtual std::optional<std::string> read(const std::string& name) const = 0;
  /// Files that were left out, in full sentences.
  const std::vector<std::string>& warnings() const noexcept { return warnings_; }
  /// SHA-256 over names and contents; of a single file, that of its bytes.
  virtual std::string sha256() const;

  bool contains(const std::string& name) const;

 protected:
  BookFiles(std::filesystem::path path, const BookLimits& limits) : path_(std::move(path)), limits_(limits) {}

  std::filesystem::path path_;
  BookLimits limits_;
  std::vector<std::string> names_, warnings_;
};

/// How the files of a book are given.
enum class BookForm : std::uint8_t { kFolder, kArchive, kSingleFile };

/// What is at a path.
struct BookHead {
  BookForm form = BookForm::kSingleFile;
  std::string bytes;  ///< the first bytes of a single file, unpacked, at most as many as are asked for
};

/// Looks at the beginning of what is at `path`: tar archives (plain, gzip, bzip2, xz, zstd) and zip archives are
/// archives, other files are single. Of a damaged file the bytes end at the damage. Throws StorageError when it cannot
/// be read.
BookHead head_of(const std::filesystem::path& path, std::size_t most);

/// Opens a folder (links to other places are not followed), an archive or a single file, which may be compressed.
/// Throws FormatError for archives that are damaged or unpack to more than the bound, StorageError when reading fails.
std::unique_ptr<BookFiles> open_book_files(const std::filesystem::path& path, BookForm form,
                                           const BookLimits& limits = {});

/// The path that `href` names, seen from the file `from`: percent signs decoded, query and fragment cut off, `.` and
/// `..` resolved; empty for the book's own folder. Nothing for addresses of other places and paths that leave the book.
std::optional<std::string> path_within(std::string_view from, std::string_view href);

/// The fragment of `href`, without '#', percent signs decoded.
std::string fragment_of(std::string_view href);

}  // namespace touchstone::extractors::textbook
