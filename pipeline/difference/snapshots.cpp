#include "pipeline/difference/snapshots.hpp"

#include "collection/evidence/manifest.hpp"
#include "collection/kinds.hpp"
#include "common/digest.hpp"
#include "common/error.hpp"
#include "common/files.hpp"
#include "common/json_tree.hpp"
#include "common/number_text.hpp"
#include "common/stop.hpp"
#include "common/system_failure.hpp"
#include "pipeline/difference/compared_collection.hpp"
#include "pipeline/difference/matching.hpp"
#include "pipeline/difference/record_lines.hpp"

#include <algorithm>
#include <optional>
#include <string_view>
#include <system_error>
#include <unordered_set>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace touchstone::pipeline::difference {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr std::size_t kMonthLength = 7;

std::uint64_t hash_of(const Digest128& digest) {
  return xxh3_64({reinterpret_cast<const char*>(&digest), sizeof digest});
}

/// A topic and a text.
std::uint64_t label_key(std::string_view topic, const Digest128& text) {
  return xxh3_64(topic, hash_of(text));
}

/// What the slices so far have.
struct Known {
  std::unordered_set<std::string> topics;
  std::unordered_set<std::uint64_t> texts, labels;
};

Json document(const collection::evidence::PassageRecord& passage, const std::string& day) {
  auto title = passage.title;
  for (const auto& heading : passage.section_path) title += " » " + heading;
  return {{"id", passage.docid},    {"title", title},          {"abstract", passage.text}, {"authors", Json::array()},
          {"createdDate", nullptr}, {"doi", nullptr},          {"arxivId", nullptr},       {"pubmedId", nullptr},
          {"magId", nullptr},       {"oaiIds", Json::array()}, {"links", Json::array()},   {"publishedDate", day},
          {"updatedDate", day}};
}

/// Writes one slice after the other into a folder that gets its name when all are whole.
class SnapshotWriter {
 public:
  SnapshotWriter(const SnapshotOptions& options, const StopFlag& stop)
      : options_(options), stop_(stop), partial_((options.out / "").parent_path().string() + ".partial") {}

  std::vector<Slice> run() {
    check();
    std::error_code error;
    fs::remove_all(partial_, error);  // of a killed run
    std::vector<Slice> slices;
    std::optional<ComparedCollection> before;
    for (std::size_t i = 0; i < options_.collections.size(); ++i) {
      stop_.check();
      auto now = read_compared_collection(options_.collections[i]);
      slices.push_back(write(i, now, before ? &*before : nullptr));
      before = std::move(now);
    }
    sync_files_below(partial_);
    fs::rename(partial_, options_.out, error);
    if (error) throw StorageError(failure_text("write", options_.out, error));
    return slices;
  }

 private:
  void check() {
    if (options_.collections.empty()) throw ConfigError("name at least one collection");
    std::string wiki;
    for (const auto& directory : options_.collections) {
      collection::require_collection_directory(directory, "make a snapshot of");
      if (!fs::exists(directory / "members.jsonl"))
        throw ConfigError(directory.string() + " is no evidence collection, of which snapshots are made");
      const auto& info = collection::evidence::read_manifest(directory).info;
      if (months_.empty()) wiki = info.wiki;
      if (info.wiki != wiki)
        throw ConfigError(fmt::format("{} is of the wiki \"{}\", and {} of \"{}\": slices are months of one wiki",
                                      directory.string(), info.wiki, options_.collections.front().string(), wiki));
      const auto month = info.dump_date.substr(0, kMonthLength);
      if (month.size() < kMonthLength)
        throw ConfigError(directory.string() + " has no date, as of a source that knows no times");
      if (!months_.empty() && month <= months_.back())
        throw ConfigError(
            fmt::format("{} is of {}, and the collection in front of it of {}: name one of each month, the "
                        "oldest first",
                        directory.string(), month, months_.back()));
      months_.push_back(month);
      days_.push_back(info.dump_date.substr(0, info.dump_date.find('T')));
    }
    if (fs::exists(options_.out)) throw StorageError(options_.out.string() + " is there already; name another --out");
  }

  Slice write(std::size_t number, const ComparedCollection& now, const ComparedCollection* before) {
    const auto place = partial_ / months_[number];
    for (const auto& folder : {place / "documents", place / "etc"}) {
      std::error_code error;
      fs::create_directories(folder, error);
      if (error) throw StorageError(failure_text("make folder", folder, error));
    }
    Slice slice;
    slice.name = months_[number];
    write_metadata(number, place);
    write_documents(number, place, now, slice);
    write_topics(place, now, slice);
    write_labels(number, place, now, slice);
    if (before != nullptr) write_ids(place, *before, now);
    kill_point("snapshots.slice");
    for (const auto& topic : now.topics) known_.topics.insert(topic.id);
    for (const auto& passage : now.passages) known_.texts.insert(hash_of(passage.text));
    for (const auto& label : now.labels)
      known_.labels.insert(label_key(now.topics[label.topic].id, now.passages[label.passage].text));
    return slice;
  }

  void write_metadata(std::size_t number, const fs::path& place) const {
    auto prior = Json::array();
    for (std::size_t i = 0; i < number; ++i) prior.push_back("../" + months_[i]);
    const Json metadata = {{"timestamp", months_[number]}, {"prior-datasets", prior}, {"snapshot", number + 1}};
    for (const auto& file : {place / "metadata.json", place / "etc" / "metadata.json"})
      write_file_atomically(file, json_text(metadata) + "\n");
  }

  void write_documents(std::size_t number, const fs::path& place, const ComparedCollection& now, Slice& slice) const {
    TextWriter out(place / "documents" / "documents.jsonl");
    collection::evidence::CollectionLineReader reader;
    internal::for_each_record(options_.collections[number] / "corpus.jsonl.gz", reader,
                              &collection::evidence::CollectionLineReader::passage,
                              [&](const collection::evidence::PassageRecord& passage) {
                                stop_.check();
                                out.write(json_text(document(passage, days_[number])) + "\n");
                              });
    out.finish();
    slice.documents = now.passages.size();
    for (const auto& passage : now.passages)
      slice.known_documents += known_.texts.contains(hash_of(passage.text)) ? 1 : 0;
  }

  void write_topics(const fs::path& place, const ComparedCollection& now, Slice& slice) const {
    TextWriter out(place / "queries.txt");
    for (const auto& topic : now.topics) {
      out.write(topic.id + "\t" + topic.query + "\n");
      slice.known_topics += known_.topics.contains(topic.id) ? 1 : 0;
    }
    out.finish();
    slice.topics = now.topics.size();
  }

  void write_labels(std::size_t number, const fs::path& place, const ComparedCollection& now, Slice& slice) const {
    const bool withhold = options_.withhold_known && number + 1 == months_.size();
    std::vector<std::string> lines;
    for (const auto& label : now.labels) {
      const auto& topic = now.topics[label.topic];
      const auto& passage = now.passages[label.passage];
      const bool is_known = known_.labels.contains(label_key(topic.id, passage.text));
      if (is_known && withhold) {
        ++slice.withheld;
        continue;
      }
      ++slice.labels;
      slice.known_labels += is_known ? 1 : 0;
      lines.push_back(fmt::format("{} 0 {} {}\n", topic.id, passage.docid, label.grade));
    }
    std::sort(lines.begin(), lines.end());
    TextWriter out(place / "qrels.txt");
    for (const auto& line : lines) out.write(line);
    out.finish();
  }

  /// Which document of the slice before a document is; documents without a line are new.
  static void write_ids(const fs::path& place, const ComparedCollection& before, const ComparedCollection& now) {
    const auto matching = match_passages(before, now);
    TextWriter out(place / "ids.tsv");
    out.write("id\tid in the slice before\tchange\n");
    for (std::uint32_t i = 0; i < now.passages.size(); ++i) {
      const auto old = matching.old_of_new[i];
      if (old == kNoPart) continue;
      const auto& was = before.passages[old];
      const auto& is = now.passages[i];
      const auto* change = was.text != is.text ? "edited" : was.docid != is.docid ? "moved" : "same";
      out.write(fmt::format("{}\t{}\t{}\n", is.docid, was.docid, change));
    }
    out.finish();
  }

  const SnapshotOptions& options_;
  const StopFlag& stop_;
  const fs::path partial_;
  std::vector<std::string> months_, days_;
  Known known_;
};

double share(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

}  // namespace

std::vector<Slice> write_snapshots(const SnapshotOptions& options, const StopFlag& stop) {
  return SnapshotWriter(options, stop).run();
}

std::string slices_text(const std::vector<Slice>& slices) {
  std::string text = fmt::format("{:<8} {:>10} {:>8} {:>8}   known from earlier slices: {:>9} {:>7} {:>8} {:>9}\n",
                                 "slice", "documents", "topics", "labels", "documents", "topics", "labels", "withheld");
  for (const auto& slice : slices)
    text += fmt::format("{:<8} {:>10} {:>8} {:>8}   {:>36} {:>7} {:>8} {:>9}\n", slice.name, slice.documents,
                        slice.topics, slice.labels, touchstone::percent(share(slice.known_documents, slice.documents)),
                        touchstone::percent(share(slice.known_topics, slice.topics)),
                        touchstone::percent(share(slice.known_labels, slice.labels)), slice.withheld);
  return text;
}

std::string slices_json(const std::vector<Slice>& slices) {
  auto all = Json::array();
  for (const auto& slice : slices)
    all.push_back({{"slice", slice.name},
                   {"documents", slice.documents},
                   {"topics", slice.topics},
                   {"labels", slice.labels},
                   {"known_documents", slice.known_documents},
                   {"known_topics", slice.known_topics},
                   {"known_labels", slice.known_labels},
                   {"withheld", slice.withheld}});
  return json_text(all) + "\n";
}

}  // namespace touchstone::pipeline::difference
