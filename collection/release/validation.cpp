#include "collection/release/validation.hpp"

#include "collection/release/files.hpp"
#include "common/digest.hpp"
#include "common/files.hpp"
#include "formats/fields/quote.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <system_error>

namespace touchstone::collection::release {
namespace {

namespace fs = std::filesystem;
using formats::fields::quote_for_message;

/// Length of the uncompressed content as a gzip file states it in its last four bytes (modulo 2^32); a plain file's
/// size otherwise.
std::uint64_t content_bytes(const fs::path& path) {
  const std::uint64_t size = fs::file_size(path);
  if (path.extension() != ".gz") return size;
  if (size < 18) return 0;
  std::FILE* file = std::fopen(path.c_str(), "rb");
  if (file == nullptr) return 0;
  std::array<unsigned char, 4> tail{};
  const bool got = std::fseek(file, -4, SEEK_END) == 0 && std::fread(tail.data(), 1, 4, file) == 4;
  std::fclose(file);
  if (!got) return 0;
  return static_cast<std::uint64_t>(tail[0]) | static_cast<std::uint64_t>(tail[1]) << 8 |
         static_cast<std::uint64_t>(tail[2]) << 16 | static_cast<std::uint64_t>(tail[3]) << 24;
}

}  // namespace

void Validation::problem(std::string_view file, std::uint64_t line, std::string what) {
  ++report_.problem_count;
  if (report_.problems.size() < kMaxProblems) report_.problems.push_back({std::string(file), line, std::move(what)});
}

bool Validation::read_lines(std::string_view file,
                            const std::function<std::string(std::string_view, std::uint64_t)>& check) {
  if (!is_present(file)) return false;
  std::uint64_t written_bytes = 0;
  bool all_written = true;
  try {
    for_each_line(
        directory_ / file,
        [&](std::string_view line, std::uint64_t number) {
          stop_.check();
          const std::string written = check(line, number);
          if (written.empty()) {
            all_written = false;
            return true;
          }
          written_bytes += written.size();
          const std::string_view expected = std::string_view(written).substr(0, written.size() - 1);
          if (line != expected) {
            all_written = false;
            const auto at = std::mismatch(line.begin(), line.end(), expected.begin(), expected.end()).first;
            problem(file, number,
                    "does not read back to the same bytes, from byte " + std::to_string(at - line.begin() + 1) +
                        " on: the line should be " + quote_for_message(expected) + "; export the collection again");
          }
          return true;
        },
        max_line_bytes_);
  } catch (const FormatError& error) {
    damaged(file, error);
    return false;
  }
  const std::uint64_t modulus = std::uint64_t{1} << 32;
  const std::uint64_t real = content_bytes(directory_ / file);
  if (all_written && real % modulus != written_bytes % modulus) {
    problem(file, 0,
            "has " + std::to_string(real) + " bytes of text where its lines make " +
                std::to_string(written_bytes % modulus) +
                ": lines must end with a single line feed, the last one too; export the collection again");
  }
  return true;
}

void Validation::damaged(std::string_view file, const Error& error) {
  std::string what = error.what();
  const std::string path = (directory_ / file).string();
  if (what.rfind(path, 0) == 0) {
    what.erase(0, path.size());
    if (what.rfind(": ", 0) == 0) what.erase(0, 2);
  }
  problem(file, 0, what);
}

void Validation::check_digests(const std::vector<std::string>& names) {
  for (const auto& file : names) {
    std::error_code error;
    if (fs::is_regular_file(directory_ / file, error))
      present_[file] = {file, 0, ""};
    else
      problem(file, 0, "is missing; export the collection again");
  }
  const std::string_view name = kDigests.name;
  std::map<std::string, std::uint64_t> listed;
  const auto is_ours = [&](const std::string& file) {
    return std::find(names.begin(), names.end(), file) != names.end();
  };
  read_lines(name, [&](std::string_view line, std::uint64_t number) -> std::string {
    const bool has_form = line.size() > 66 && line.substr(64, 2) == "  " &&
                          line.substr(0, 64).find_first_not_of("0123456789abcdef") == std::string_view::npos;
    if (!has_form) {
      problem(name, number, "is not \"<64 hexadecimal digits>  <file>\" as sha256sum writes it; write the file again");
      return "";
    }
    const std::string digest(line.substr(0, 64));
    const std::string file(line.substr(66));
    if (!listed.emplace(file, number).second) {
      problem(name, number, "lists " + quote_for_message(file) + " a second time; remove one of the lines");
      return "";
    }
    if (file.front() == '/' || file.find("..") != std::string::npos) {
      problem(name, number, "lists " + quote_for_message(file) + ", which is outside the collection; remove the line");
      return "";
    }
    std::error_code error;
    if (!fs::is_regular_file(directory_ / file, error)) {
      if (!is_ours(file))
        problem(name, number, "lists " + quote_for_message(file) + ", which is missing; remove the line");
      return digest + "  " + file + "\n";
    }
    const std::string real = sha256_file(directory_ / file);
    if (is_ours(file)) present_[file] = {file, fs::file_size(directory_ / file), real};
    if (real != digest) {
      changed_.insert(file);
      problem(file, 0,
              "has the digest " + real + " where " + std::string(name) + " says " + digest +
                  ": the file was changed or damaged; copy or export the collection again");
    }
    return digest + "  " + file + "\n";
  });
  if (!is_present(name)) return;
  for (const auto& file : names) {
    if (file == name || listed.contains(file) || !is_present(file)) continue;
    problem(name, 0, "does not list " + file + "; write it again with sha256sum");
    present_[file] = {file, fs::file_size(directory_ / file), sha256_file(directory_ / file)};
  }
}

void Validation::check_listed_files(const std::vector<std::string>& names, const std::vector<FileEntry>& listed) {
  const std::string_view name = kManifest.name;
  for (const auto& file : names) {
    if (file == name || file == kDigests.name) continue;
    const auto entry =
        std::find_if(listed.begin(), listed.end(), [&](const FileEntry& candidate) { return candidate.name == file; });
    if (entry == listed.end()) {
      problem(name, 0, "does not list the file " + file + "; export the collection again");
      continue;
    }
    const auto real = present_.find(file);
    if (real == present_.end() || changed_.contains(file)) continue;
    if (real->second.bytes != entry->bytes || real->second.sha256 != entry->sha256) {
      problem(name, 0,
              "lists " + entry->name + " with " + std::to_string(entry->bytes) + " bytes and digest " + entry->sha256 +
                  ", but the file has " + std::to_string(real->second.bytes) + " bytes and digest " +
                  real->second.sha256 + "; export the collection again");
    }
  }
}

}  // namespace touchstone::collection::release
