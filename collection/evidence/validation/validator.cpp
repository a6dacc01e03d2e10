#include "collection/evidence/validation/validator.hpp"

#include "common/digest.hpp"
#include "common/error.hpp"
#include "common/files.hpp"
#include "formats/fields/quote.hpp"
#include "formats/fields/safe_id.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <system_error>

namespace touchstone::collection::evidence::validation {
namespace {

namespace fs = std::filesystem;

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

std::string quote(std::string_view value) {
  return formats::fields::quote_for_message(value);
}

std::string pair_name(std::string_view topic, std::string_view docid) {
  return "topic " + quote(topic) + ", docid " + quote(docid);
}

release::ValidationReport Validator::run() {
  read_statements();
  counter_ = CollectionCounter(evidence_grade_);
  evidence_ = std::make_unique<EvidenceJoin>(fs::temp_directory_path(), evidence_grade_);
  check_digests();
  check_topics();
  check_corpus();
  check_queries();
  check_qrels();
  check_beir_qrels();
  check_members();
  check_judgments();
  check_unjudged();
  check_discarded();
  check_manifest();
  check_card();
  check_croissant();
  check_claims();
  check_derived();
  check_baseline();
  check_descriptions();
  return std::move(report_);
}

void Validator::problem(std::string_view file, std::uint64_t line, std::string what) {
  ++report_.problem_count;
  if (report_.problems.size() < release::kMaxProblems)
    report_.problems.push_back({std::string(file), line, std::move(what)});
}

bool Validator::read_lines(std::string_view file,
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
                        " on: the line should be " + quote(expected) + "; export the collection again");
          }
          return true;
        },
        kMaxCollectionLineBytes);
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

void Validator::damaged(std::string_view file, const Error& error) {
  std::string what = error.what();
  const std::string path = (directory_ / file).string();
  if (what.rfind(path, 0) == 0) {
    what.erase(0, path.size());
    if (what.rfind(": ", 0) == 0) what.erase(0, 2);
  }
  problem(file, 0, what);
}

void Validator::check_digests() {
  for (const auto* file : all_files()) {
    std::error_code error;
    if (fs::is_regular_file(directory_ / file->name, error)) {
      present_[std::string(file->name)] = {std::string(file->name), 0, ""};
    } else {
      problem(file->name, 0, "is missing; export the collection again");
    }
  }
  const std::string_view name = release::kDigests.name;
  std::map<std::string, std::uint64_t> listed;
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
      problem(name, number, "lists " + quote(file) + " a second time; remove one of the lines");
      return "";
    }
    if (file.front() == '/' || file.find("..") != std::string::npos) {
      problem(name, number, "lists " + quote(file) + ", which is outside the collection; remove the line");
      return "";
    }
    std::error_code error;
    if (!fs::is_regular_file(directory_ / file, error)) {
      if (!is_ours(file)) problem(name, number, "lists " + quote(file) + ", which is missing; remove the line");
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
  for (const auto* file : all_files()) {
    const std::string file_name(file->name);
    if (file->name != name && listed.count(file_name) == 0 && is_present(file_name)) {
      problem(name, 0, "does not list " + file_name + "; write it again with sha256sum");
      present_[file_name] = {file_name, fs::file_size(directory_ / file_name), sha256_file(directory_ / file_name)};
    }
  }
}

void Validator::check_id(std::string_view name, std::uint64_t number, const char* what, const std::string& id) {
  const std::string why = formats::fields::why_unsafe_id(id);
  if (!why.empty()) {
    problem(name, number,
            std::string("has the ") + what + " " + quote(id) + ", which " + why +
                "; use letters, digits and - _ . : ~ only");
  }
}

std::string Validator::member_key(const std::string& topic, std::uint64_t page_id) {
  return topic + "\n" + std::to_string(page_id);
}

void Validator::check_follows(std::string_view file, Sha256 expected, std::string_view from) {
  const auto real = present_.find(std::string(file));
  if (real == present_.end() || changed_.contains(real->first)) return;
  if (real->second.sha256 != expected.hex())
    problem(file, 0, "does not hold what follows from " + std::string(from) + "; export the collection again");
}

std::vector<const release::CollectionFile*> Validator::all_files() const {
  auto files = data_files(reading_copies_, has_run_);
  for (const auto* file : {&release::kCroissant, &release::kCard, &release::kManifest, &release::kDigests}) {
    files.push_back(file);
  }
  return files;
}

bool Validator::is_ours(std::string_view name) const {
  const auto files = all_files();
  return std::any_of(files.begin(), files.end(),
                     [&](const release::CollectionFile* file) { return file->name == name; });
}

}  // namespace touchstone::collection::evidence::validation
