#include "pipeline/judging/reply_salvage.hpp"

#include "common/error.hpp"
#include "common/scratch_folder.hpp"
#include "pipeline/judging/judgment_log.hpp"
#include "storage/salvage.hpp"

#include <cstdint>
#include <vector>

#include <fmt/format.h>

namespace touchstone::pipeline::judging {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kBatch = 1000;

/// Collects the replies in a new store, which sorts them and drops those that stood in several files.
struct Collected {
  std::uint64_t unreadable = 0;
  storage::SalvageCounts counts;
};

Collected collect(const fs::path& from, storage::Store& to) {
  Collected result;
  storage::Batch batch;
  std::size_t size = 0;
  const auto flush = [&] {
    to.write(batch, storage::Durability::kProcess);
    size = 0;
  };
  result.counts = storage::salvage_judgments(from, [&](std::string_view digest, std::string_view value) {
    try {
      decode_reply(digest, value);
    } catch (const StorageError&) {  // counted: one bad record must not keep the others
      ++result.unreadable;
      return;
    }
    batch.put(storage::Family::kJudgment, digest, value);
    if (++size == kBatch) flush();
  });
  if (size > 0) flush();
  return result;
}

std::string losses(const Collected& found) {
  const auto& counts = found.counts;
  std::string text;
  const auto add = [&](std::uint64_t count, const std::string& what) {
    if (count > 0) text += (text.empty() ? "" : ", ") + what;
  };
  add(counts.lost_records, fmt::format("{} replies in damaged parts of table files", counts.lost_records));
  add(counts.unopened_tables, fmt::format("{} table files of {} bytes that cannot be opened, which may hold replies",
                                          counts.unopened_tables, counts.unopened_bytes));
  add(counts.lost_log_bytes, fmt::format("{} bytes of damaged or cut logs", counts.lost_log_bytes));
  add(found.unreadable, fmt::format("{} records that are no replies", found.unreadable));
  return text.empty() ? "nothing is known to be missing" : "not recovered: " + text;
}

}  // namespace

std::string salvage_log(const fs::path& store, const fs::path& file) {
  const auto scratch = ScratchFolder::at(file.string() + ".salvage-");
  flow::KeptLog::Count written;
  Collected found;
  {
    const auto collected = storage::Store::open(scratch.path() / "store", storage::Access::kReadWrite);
    found = collect(store, *collected);
    written = export_log(*collected, file);
  }
  return fmt::format("{}: {} replies from {} table files and {} logs; {}\n", file.string(), written.read,
                     found.counts.tables, found.counts.logs, losses(found));
}

}  // namespace touchstone::pipeline::judging
