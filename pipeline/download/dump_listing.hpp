#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// What a mirror of Wikimedia's dumps says of its files. The texts are foreign: names are checked before they are used
/// as names of files, and messages show them escaped. All functions are pure and thread-safe.
/// Source: the dumps of dumps.wikimedia.org and their mirrors (read 2026-11).
namespace touchstone::pipeline::download {

/// One file of a dump, as its publisher describes it.
struct ListedFile {
  std::string name;                    ///< letters, digits, '.', '-' and '_'; does not begin with '.'
  std::optional<std::uint64_t> bytes;  ///< size, if it is listed
  std::string sha1;                    ///< 40 lower-case hexadecimal digits
  friend bool operator==(const ListedFile&, const ListedFile&) = default;
};

/// One step of the making of a dump, and the files that it made.
struct DumpJob {
  std::string name;
  std::string status;             ///< "done" if the files are complete; "absent" if the dump has no such job
  std::vector<ListedFile> files;  ///< if it is done; sorted by name, numbers within names by value
  bool done() const noexcept { return status == "done"; }
};

/// Reads `dumpstatus.json`. Throws FormatError that names `source` unless it is JSON of the known form, and the files
/// of the asked jobs have names that begin with `prefix`, sizes and SHA-1. \param jobs  names of the jobs to read
/// \return      one job for each name, in that order
std::vector<DumpJob> read_dump_status(std::string_view json, std::string_view source, std::span<const std::string> jobs,
                                      std::string_view prefix);

/// Reads a file of checksums, lines of `digest  name`. Lines of another form are passed over.
std::vector<ListedFile> read_sums(std::string_view text);

/// The names in the folder that an index page lists, as Wikimedia and the web servers nginx and Apache write it: the
/// targets of its links that are names, folders with a slash at their end. Sorted, each once.
std::vector<std::string> read_index(std::string_view html);

/// True for a name that is safe as the name of a file in a folder.
bool is_plain_name(std::string_view name) noexcept;

/// Days since 1970 of a day written "20261101"; nothing for any other text.
std::optional<std::int64_t> day_number(std::string_view day) noexcept;

}  // namespace touchstone::pipeline::download
