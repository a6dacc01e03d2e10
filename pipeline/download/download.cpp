#include "pipeline/download/download.hpp"

#include "common/display_text.hpp"
#include "common/error.hpp"
#include "common/json_writer.hpp"
#include "common/log.hpp"
#include "common/number_text.hpp"
#include "common/system_failure.hpp"
#include "pipeline/download/checked_files.hpp"
#include "pipeline/download/partial_file.hpp"

#include <algorithm>
#include <cerrno>
#include <memory>
#include <optional>
#include <system_error>

#include <fcntl.h>
#include <fmt/ranges.h>

namespace touchstone::pipeline::download {

namespace {

namespace fs = std::filesystem;
using llm_client::transport::FetchEnd;
using llm_client::transport::FetchResult;
using llm_client::transport::FileHead;
using llm_client::transport::FileRequest;

/// One file of the plan on its way to the disk.
class FileTransfer : public Transfer {
 public:
  FileTransfer(DownloadedFile& file, CheckedFiles& checked, ProgressCounters& progress, const StopFlag& stop)
      : file_(file), checked_(checked), progress_(progress), stop_(stop) {}

  const std::string& name() const override { return file_.planned.listed.name; }
  std::uint64_t received() const override { return received_; }

  /// Reads the part that an earlier run left. Returns whether it is the whole file.
  bool finish_if_whole() {
    if (file_.bytes_there == 0) return false;
    partial_.emplace(file_.path, file_.planned.listed, progress_, stop_);
    return partial_->has_all() && finish();
  }

  FileRequest request() override {
    if (!partial_) partial_.emplace(file_.path, file_.planned.listed, progress_, stop_);
    return {file_.planned.url, partial_->size(), partial_->validator()};
  }

  bool begin(const FileHead& head) override {
    if (head.offset == 0 && partial_->size() > 0) {
      log_warn("{}: {}; it is fetched anew from its first byte", name(),
               head.validator == partial_->validator() ? "the mirror sends files only whole"
                                                       : "the mirror has another version of the file now");
      partial_->restart();
    } else if (partial_->size() > 0) {
      log_info("{}: goes on at byte {}", name(), with_commas(partial_->size()));
    }
    const auto& listed = partial_->listed().bytes;
    if (head.file_bytes && listed && *head.file_bytes != *listed) {
      wrong_ = fmt::format("it has {} bytes on the mirror, and {} are listed", *head.file_bytes, *listed);
      return false;
    }
    partial_->set_validator(head.validator);
    return true;
  }

  bool take(std::string_view bytes) override {
    if (!partial_->append(bytes)) {
      wrong_ = "it is longer than it is listed";
      return false;
    }
    received_ += bytes.size();
    return true;
  }

  bool settle(const FetchResult& result) override {
    switch (result.end) {
      case FetchEnd::kUnwanted:
        partial_->restart();
        return again(std::exchange(wrong_, {}));
      case FetchEnd::kDone:
      case FetchEnd::kPastEnd:
        return finish();
      case FetchEnd::kNotThere:
        fail_at(file_.planned.url, "not there, although the mirror lists it; name another mirror, or another date");
      default:
        fail_at(file_.planned.url, result.failure + "; check the mirror, and run the same command again to go on");
    }
  }

 private:
  bool finish() {
    const auto wrong = partial_->finish();
    if (!wrong.empty()) return again(wrong);
    partial_.reset();
    checked_.add(file_.planned.listed);
    file_.state = FileState::kFetched;
    log_info("{}: complete, with the SHA-1 that is listed", name());
    return true;
  }

  /// A file with the wrong content is fetched once more.
  bool again(const std::string& wrong) {
    if (fetched_anew_)
      fail_at(file_.planned.url,
              fmt::format("{}, and so it was before; try again later, or name another mirror", wrong));
    fetched_anew_ = true;
    log_warn("{}: {}; it is fetched anew", name(), wrong);
    return false;
  }

  DownloadedFile& file_;
  CheckedFiles& checked_;
  ProgressCounters& progress_;
  const StopFlag& stop_;
  std::optional<PartialFile> partial_;
  std::uint64_t received_ = 0;
  std::string wrong_;
  bool fetched_anew_ = false;
};

/// Whether the file of a name is there and has the listed content; it is read unless it is known. Throws StorageError
/// if it is there and has another.
bool is_complete(const DownloadedFile& file, CheckedFiles& checked, bool may_write, const StopFlag& stop) {
  const auto& listed = file.planned.listed;
  const Descriptor opened(::open(file.path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!opened.is_open()) {
    if (errno == ENOENT) return false;
    throw StorageError(failure_text("open", file.path, errno));
  }
  if (checked.knows(listed)) return true;
  const auto bytes = fs::file_size(file.path);
  const bool is_right =
      bytes == listed.bytes.value_or(bytes) && sha1_of_file(opened, file.path, bytes, stop).hex() == listed.sha1;
  if (!is_right)
    throw StorageError(
        file.path.string() +
        " is there already, and is not the file that the mirror lists; remove it, or name another folder "
        "with --out");
  if (may_write) checked.add(listed);
  return true;
}

void require_space(const fs::path& folder, const std::vector<DownloadedFile>& files) {
  std::uint64_t missing = 0;
  for (const auto& file : files) {
    if (file.state != FileState::kComplete)
      missing +=
          file.planned.listed.bytes.value_or(0) - std::min(file.bytes_there, file.planned.listed.bytes.value_or(0));
  }
  std::error_code error;
  const auto space = fs::space(folder, error);
  if (!error && space.available < missing)
    throw StorageError(
        fmt::format("{} has {} bytes free, and {} are to be fetched; free some space, or name a folder on "
                    "another disk with --out",
                    folder.string(), with_commas(space.available), with_commas(missing)));
}

void fetch_missing(std::vector<DownloadedFile>& files, CheckedFiles& checked, Downloader& downloader, ProgressMode mode,
                   const StopFlag& stop) {
  ProgressCounters progress;
  std::vector<std::unique_ptr<FileTransfer>> transfers;
  for (auto& file : files) {
    const auto bytes = file.planned.listed.bytes.value_or(0);
    progress.total += bytes;
    progress.known += file.bytes_there;
    if (file.state == FileState::kComplete) {
      progress.done += bytes;
      progress.records += bytes;
    } else {
      transfers.push_back(std::make_unique<FileTransfer>(file, checked, progress, stop));
    }
  }
  const ProgressReporter reporter("download", progress, "MB", "bytes", mode);
  std::vector<Transfer*> open;
  for (const auto& transfer : transfers) {
    // What is there is read before connections are open, whose servers would wait.
    if (!transfer->finish_if_whole()) open.push_back(transfer.get());
  }
  downloader.run(open);
}

std::string_view name_of(FileState state) noexcept {
  switch (state) {
    case FileState::kComplete:
      return "complete";
    case FileState::kFetched:
      return "fetched";
    case FileState::kPartial:
      return "partial";
    case FileState::kMissing:
      return "missing";
  }
  return {};
}

}  // namespace

DownloadReport download(const DownloadOptions& options, const StopFlag& stop) {
  options.wanted.check();
  Downloader downloader(options.patience, stop);
  DownloadReport report;
  report.plan = plan_download(options.wanted, downloader);
  const bool makes = !options.dry_run;
  if (makes) fs::create_directories(options.folder);
  CheckedFiles checked(options.folder);
  for (const auto& planned : report.plan.files) {
    DownloadedFile file{planned, options.folder / planned.listed.name, FileState::kMissing, 0};
    if (is_complete(file, checked, makes, stop)) {
      file.state = FileState::kComplete;
      file.bytes_there = fs::file_size(file.path);
    } else if (file.bytes_there = PartialFile::bytes_of_part(file.path); file.bytes_there > 0) {
      file.state = FileState::kPartial;
    }
    report.files.push_back(std::move(file));
  }
  if (!makes) return report;
  require_space(options.folder, report.files);
  fetch_missing(report.files, checked, downloader, options.progress, stop);
  return report;
}

std::vector<std::string> build_command(const DownloadReport& report) {
  std::vector<std::string> words = {"touchstone", "build"};
  const auto add = [&](const char* flag, FileUse use) {
    const auto before = words.size();
    for (const auto& file : report.files) {
      if (file.planned.use != use) continue;
      if (words.size() == before) words.emplace_back(flag);
      words.push_back(file.path.string());
    }
    return words.size() > before;
  };
  if (!add("--dump", FileUse::kDump)) return {};
  add("--sql-dump", FileUse::kSqlDump);
  add("--wikidata", FileUse::kWikidata);
  words.insert(words.end(), {"--work", "work/" + report.plan.wiki});
  return words;
}

std::string download_text(const DownloadReport& report) {
  std::string text;
  std::size_t width = 0;
  for (const auto& file : report.files) width = std::max(width, file.planned.listed.name.size());
  std::uint64_t bytes = 0, there = 0;
  for (const auto& file : report.files) {
    const auto& listed = file.planned.listed;
    bytes += listed.bytes.value_or(0);
    there += file.bytes_there;
    text += fmt::format("{:<{}} {:>19} bytes  {}", listed.name, width, listed.bytes ? with_commas(*listed.bytes) : "?",
                        name_of(file.state));
    if (file.state != FileState::kComplete && file.bytes_there > 0)
      text += fmt::format(", {} bytes were there", with_commas(file.bytes_there));
    text += '\n';
  }
  text += fmt::format("{} file{}, {} bytes, {} of them there before\n", report.files.size(),
                      report.files.size() == 1 ? "" : "s", with_commas(bytes), with_commas(there));
  if (const auto words = build_command(report); !words.empty()) {
    std::vector<std::string> quoted;
    for (const auto& word : words) quoted.push_back(shell_word(word));
    text += fmt::format("\n{}\n", fmt::join(quoted, " "));
  }
  return text;
}

std::string download_json(const DownloadReport& report) {
  JsonWriter json;
  json.begin_object().field("mirror", report.plan.mirror);
  json.field("wiki", report.plan.wiki).field("date", report.plan.date);
  json.field("wikidata_date", report.plan.wikidata_date).key("files").begin_array();
  for (const auto& file : report.files) {
    const auto& listed = file.planned.listed;
    json.begin_object().field("use", name_of(file.planned.use)).field("name", listed.name);
    json.field("path", file.path.string()).field("url", file.planned.url).field("bytes", listed.bytes);
    json.field("sha1", listed.sha1).field("state", name_of(file.state)).field("bytes_there", file.bytes_there);
    json.end_object();
  }
  return json.end_array().field("build", build_command(report)).end_object().take_line();
}

}  // namespace touchstone::pipeline::download
