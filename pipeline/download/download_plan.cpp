#include "pipeline/download/download_plan.hpp"

#include "common/display_text.hpp"
#include "common/error.hpp"
#include "common/log.hpp"
#include "extractors/sql/wiki_tables.hpp"

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <map>

#include <fmt/ranges.h>

namespace touchstone::pipeline::download {

namespace {

/// The status of a dump of the largest wikis has one megabyte, an index page a hundred kilobytes.
constexpr std::size_t kMaxStatusBytes = std::size_t{32} << 20, kMaxIndexBytes = std::size_t{8} << 20;
/// Of the newest dumps of a wiki, and of the nearest ones of Wikidata.
constexpr std::size_t kMostTried = 12;

/// Dumps of 2022 and before have no such table; their pagelinks has titles.
constexpr std::string_view kOptionalJob = "linktargettable";

std::vector<std::string> jobs_of(const Wanted& wanted) {
  std::vector<std::string> jobs;
  if (wanted.xml) jobs.emplace_back("articlesdump");
  if (wanted.multistream) jobs.emplace_back("articlesmultistreamdump");
  if (!wanted.sql) return jobs;
  for (const auto table : extractors::sql::wiki_table_names()) {
    auto& job = jobs.emplace_back(table);
    std::erase(job, '_');  // "pagepropstable" writes page_props
    job += "table";
  }
  return jobs;
}

/// Why a dump is not complete; empty if it is.
std::string unfinished(const std::vector<DumpJob>& jobs) {
  for (const auto& job : jobs) {
    if (job.done() || (job.name == kOptionalJob && job.status == "absent")) continue;
    return job.status == "absent"
               ? fmt::format("it has no job {}", job.name)
               : fmt::format("job {} is \"{}\", not done", job.name, display_excerpt(job.status, 40));
  }
  return {};
}

FileUse use_of(const DumpJob& job, const std::string& file) {
  if (job.name.ends_with("table")) return FileUse::kSqlDump;
  return file.find("-multistream-index") == std::string::npos ? FileUse::kDump : FileUse::kIndex;
}

bool is_wiki_name(std::string_view name) {
  return !name.empty() && name.size() <= 64 &&
         std::ranges::all_of(name, [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_'; });
}

class Planner {
 public:
  Planner(const Wanted& wanted, Downloader& downloader) : wanted_(wanted), downloader_(downloader) {
    plan_.mirror = wanted.mirror;
    while (plan_.mirror.ends_with('/')) plan_.mirror.pop_back();
    plan_.date = wanted.date;
    if (wanted.of_wiki()) plan_.wiki = wanted.wiki;
  }

  DownloadPlan plan() {
    if (wanted_.of_wiki()) {
      if (wanted_.date == "latest") {
        add_latest();
      } else {
        add_dated();
      }
    }
    if (wanted_.wikidata) add_wikidata();
    return std::move(plan_);
  }

 private:
  std::string wiki_url() const { return fmt::format("{}/{}/", plan_.mirror, plan_.wiki); }
  std::string status_url(std::string_view date) const { return fmt::format("{}{}/dumpstatus.json", wiki_url(), date); }

  /// Folders of an index page whose names are days, the newest first.
  static std::vector<std::string> days_of(std::string_view index) {
    std::vector<std::string> days;
    for (auto name : read_index(index)) {
      if (!name.ends_with('/')) continue;
      name.pop_back();
      if (day_number(name)) days.push_back(std::move(name));
    }
    std::ranges::reverse(days);
    return days;
  }

  std::vector<DumpJob> jobs_at(std::string_view date, std::string_view status) const {
    return read_dump_status(status, status_url(date), jobs_of(wanted_), fmt::format("{}-{}-", plan_.wiki, date));
  }

  void add_latest() {
    const auto index = downloader_.text(wiki_url(), kMaxIndexBytes);
    if (!index)
      fail_at(wiki_url(),
              "not there; the mirror has no wiki of this name, which is that of a database such as simplewiki");
    auto days = days_of(*index);
    if (days.empty()) fail_at(wiki_url(), "lists no dump; name another mirror, or a date");
    if (days.size() > kMostTried) days.resize(kMostTried);
    std::vector<std::string> reasons;
    for (const auto& day : days) {
      const auto status = downloader_.text(status_url(day), kMaxStatusBytes);
      const auto jobs = status ? jobs_at(day, *status) : std::vector<DumpJob>();
      const auto reason = status ? unfinished(jobs) : "it has no dumpstatus.json";
      if (reason.empty()) {
        plan_.date = day;
        add(jobs);
        return;
      }
      log_info("{} of {} is left out: {}", plan_.wiki, day, reason);
      reasons.push_back(fmt::format("{}: {}", day, reason));
    }
    fail_at(wiki_url(), fmt::format("no complete dump ({}); wait until one is done, or name another mirror",
                                    fmt::join(reasons, "; ")));
  }

  void add_dated() {
    const auto status = downloader_.text(status_url(wanted_.date), kMaxStatusBytes);
    if (!status)
      fail_at(status_url(wanted_.date), "not there; check wiki and date, or find the newest dump with --date latest");
    const auto jobs = jobs_at(wanted_.date, *status);
    if (const auto reason = unfinished(jobs); !reason.empty())
      fail_at(status_url(wanted_.date), reason + "; wait until it is, or name an earlier date or --date latest");
    add(jobs);
  }

  void add(const std::vector<DumpJob>& jobs) {
    for (const auto& job : jobs) {
      for (const auto& file : job.files)
        plan_.files.push_back(
            {use_of(job, file.name), file, fmt::format("{}{}/{}", wiki_url(), plan_.date, file.name)});
    }
    std::ranges::stable_sort(plan_.files, {}, &PlannedFile::use);
  }

  void add_wikidata() {
    const auto url = plan_.mirror + "/wikidatawiki/entities/";
    const auto index = downloader_.text(url, kMaxIndexBytes);
    if (!index) fail_at(url, "not there; the mirror does not have Wikidata's dumps of entities, name another");
    auto days = days_of(*index);
    const auto wish = day_number(plan_.date).value_or(std::numeric_limits<std::int32_t>::max());
    const auto distance = [&](const std::string& day) { return std::abs(*day_number(day) - wish); };
    std::ranges::reverse(days);
    std::ranges::stable_sort(days, {}, distance);
    if (days.size() > kMostTried) days.resize(kMostTried);
    for (const auto& day : days) {
      if (add_wikidata_of(fmt::format("{}{}/", url, day))) {
        plan_.wikidata_date = day;
        return;
      }
      log_info("Wikidata's dump of {} is left out: it has no all.json.bz2 with checksums", day);
    }
    fail_at(url, "no complete dump of all entities; name another mirror, or take --what without wikidata");
  }

  /// Adds the dump in a folder. The day in the names of its files may be another than that of the folder.
  bool add_wikidata_of(const std::string& folder) {
    const auto index = downloader_.text(folder, kMaxIndexBytes);
    if (!index) return false;
    const auto names = read_index(*index);
    for (const auto& name : names) {
      if (!name.starts_with("wikidata-") || !name.ends_with("-sha1sums.txt")) continue;
      const auto sums = downloader_.text(folder + name, kMaxIndexBytes);
      if (!sums) continue;
      for (auto& file : read_sums(*sums)) {
        if (!file.name.starts_with("wikidata-") || !file.name.ends_with("-all.json.bz2") ||
            !std::ranges::binary_search(names, file.name))
          continue;
        file.bytes = downloader_.size_of(folder + file.name);
        plan_.files.push_back({FileUse::kWikidata, file, folder + file.name});
        return true;
      }
    }
    return false;
  }

  const Wanted& wanted_;
  Downloader& downloader_;
  DownloadPlan plan_;
};

}  // namespace

std::string_view name_of(FileUse use) noexcept {
  switch (use) {
    case FileUse::kDump:
      return "dump";
    case FileUse::kIndex:
      return "index";
    case FileUse::kSqlDump:
      return "sql-dump";
    case FileUse::kWikidata:
      return "wikidata";
  }
  return {};
}

void Wanted::check() const {
  std::vector<std::string> problems;
  const auto scheme = mirror.find("://");
  const auto host = scheme == std::string::npos ? std::string_view() : std::string_view(mirror).substr(scheme + 3);
  if ((!mirror.starts_with("http://") && !mirror.starts_with("https://")) || host.empty() || host.starts_with('/') ||
      mirror.find_first_of(" ?#\\") != std::string::npos || display_text(mirror) != mirror) {
    problems.emplace_back("--mirror is no address such as https://mirror.example.org/dumps");
  } else if (host.substr(0, host.find('/')).find('@') != std::string_view::npos) {
    problems.emplace_back("--mirror must not hold a password");
  }
  if (!of_wiki() && !wikidata) problems.emplace_back("--what names nothing to fetch");
  if (xml && multistream) problems.emplace_back("--what has xml and multistream, which hold the same pages; take one");
  if (of_wiki() && !is_wiki_name(wiki))
    problems.emplace_back("--wiki is not the name of a wiki's database, such as simplewiki");
  if (date != "latest" && !day_number(date))
    problems.emplace_back("--date is neither latest nor a day such as 20261101");
  if (!problems.empty()) throw ConfigError(fmt::format("{}", fmt::join(problems, "; ")));
}

DownloadPlan plan_download(const Wanted& wanted, Downloader& downloader) {
  return Planner(wanted, downloader).plan();
}

}  // namespace touchstone::pipeline::download
