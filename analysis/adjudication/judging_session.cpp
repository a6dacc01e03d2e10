#include "analysis/adjudication/judging_session.hpp"

#include "common/digest.hpp"
#include "common/error.hpp"
#include "common/files.hpp"

#include <algorithm>
#include <cerrno>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

namespace touchstone::analysis::adjudication {
namespace {

[[noreturn]] void fail_to_write(const std::filesystem::path& path) {
  const int code = errno;
  throw StorageError(fmt::format("{} cannot be written: {}", path.string(), system_reason(code)));
}

/// Removes what stands behind the last line end.
void remove_torn_line(const std::filesystem::path& path, const Descriptor& file) {
  const auto text = read_file(path);
  const auto whole = text.empty() || text.back() == '\n' ? text.size() : text.rfind('\n') + 1;
  if (whole < text.size() && ::ftruncate(file.get(), static_cast<off_t>(whole)) != 0) fail_to_write(path);
}

}  // namespace

JudgmentFile::JudgmentFile(std::filesystem::path path) : path_(std::move(path)) {
  file_ = Descriptor(::open(path_.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0666));
  if (!file_.is_open()) fail_to_write(path_);
  remove_torn_line(path_, file_);
  formats::trec::for_each_qrel(path_, [&](const formats::trec::QrelRecord& qrel, std::uint64_t) {
    grades_[{qrel.topic, qrel.docid}] = qrel.grade;
  });
}

std::optional<int> JudgmentFile::find(const std::string& topic, const std::string& docid) const {
  const auto found = grades_.find({topic, docid});
  return found == grades_.end() ? std::nullopt : std::optional(found->second);
}

void JudgmentFile::add(const formats::trec::QrelRecord& qrel) {
  grades_[{qrel.topic, qrel.docid}] = qrel.grade;
  if (!file_.is_open()) return;
  const auto line = formats::trec::qrel_line(qrel);
  for (std::size_t written = 0; written < line.size();) {
    const auto bytes = ::write(file_.get(), line.data() + written, line.size() - written);
    if (bytes < 0 && errno != EINTR) fail_to_write(path_);
    if (bytes > 0) written += static_cast<std::size_t>(bytes);
  }
  if (::fdatasync(file_.get()) != 0 && errno != EINVAL) fail_to_write(path_);  // EINVAL: a device
}

SessionCounts run_session(std::span<const NamedPool> pools, const AdjudicationOptions& options, int min_grade,
                          JudgmentFile& judgments,
                          const std::function<std::optional<int>(const JudgmentRequest&)>& ask) {
  SessionCounts counts;
  for (const auto& [topic, pool] : pools) {
    const auto adjudicator = make_adjudicator(options, pool, xxh3_64(topic));
    const auto budget = std::min(options.budget, pool.docids.size());
    for (std::size_t judged = 0; judged < budget; ++judged) {
      const auto document = adjudicator->next();
      if (!document) break;
      const auto& docid = pool.docids[*document];
      auto grade = judgments.find(topic, docid);
      if (!grade) {
        grade = ask({topic, docid, judged, budget});
        if (!grade) return counts;
        judgments.add({topic, docid, *grade});
        ++counts.asked;
      }
      adjudicator->judge(*grade >= min_grade);
      ++counts.judged;
      counts.relevant += *grade >= min_grade ? 1 : 0;
    }
  }
  return counts;
}

}  // namespace touchstone::analysis::adjudication
