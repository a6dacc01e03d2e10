#include "tests/unit/collection/evidence/sample_collection.hpp"

#include "collection/evidence/collection_files.hpp"
#include "collection/evidence/collection_writer.hpp"
#include "common/digest.hpp"
#include "common/files.hpp"
#include "common/json_tree.hpp"

#include <stdexcept>

#include <nlohmann/json.hpp>

namespace touchstone::collection::evidence::testing {

namespace fs = std::filesystem;

CollectionInfo sample_info() {
  CollectionInfo info;
  info.name = "teawiki-20250101-evidence";
  info.wiki = "teawiki";
  info.site_name = "Tea Wiki";
  info.base_url = "https://tea.example.org/wiki/Main_Page";
  info.language = "en";
  info.license = "CC-BY-SA-4.0";
  info.judge = "lexical/1 (baseline)";
  info.mode = "lenient";
  info.corpus_scope = "lead section of every article, one passage each";
  info.dump_names = {"teawiki-20250101-pages-articles.xml.bz2"};
  info.dump_date = "2025-01-01T03:04:05Z";
  info.program_version = "0.1.0";
  info.manifest_json = R"({"config":{"mode":"lenient","min_evidence":1},"stages":{"groups":{"in":3,"out":3}}})";
  return info;
}

TopicRecord sample_topic(const std::string& id) {
  TopicRecord topic;
  topic.id = id;
  topic.query = "names in list of teas, section Green, topic " + id;
  topic.query_source = "template/1";
  topic.structured = "List of teas » Green » Name " + id;
  topic.page = "List of teas";
  topic.page_id = 100;
  topic.section_path = {"Green"};
  topic.column = "Name " + id;
  return topic;
}

PassageRecord sample_passage(std::uint64_t page_id, const std::string& text) {
  PassageRecord passage;
  passage.docid = "teawiki-" + std::to_string(page_id) + "-0";
  passage.title = "Page " + std::to_string(page_id);
  passage.text = text;
  passage.page_id = page_id;
  return passage;
}

JudgmentRecord sample_judgment(const std::string& topic, std::uint64_t member, const std::string& docid) {
  JudgmentRecord judgment;
  judgment.topic = topic;
  judgment.docid = docid;
  judgment.member = "Page " + std::to_string(member);
  judgment.member_page_id = member;
  judgment.own_article = docid == "teawiki-" + std::to_string(member) + "-0";
  judgment.digest = "0123456789abcdef";
  judgment.judge = "lexical/1 (baseline)";
  judgment.grade = 1;
  judgment.probability = 0.75;
  judgment.reason = "names the member";
  return judgment;
}

/// Long because it is a list of records.
release::BaselineSystem sample_baseline() {
  release::BaselineSystem system;
  system.about = {"a sample system", 100, "qrels.txt", {}};
  system.retrieve = [](const fs::path&, TextWriter& run) {
    run.write("t1 Q0 teawiki-1-0 1 2.5 bm25\n");
    return true;
  };
  system.score = [](const fs::path&) { return release::BaselineScores{{"nDCG@10", .5}}; };
  return system;
}

CollectionInfo sample_info_with_history() {
  CollectionInfo info = sample_info();
  info.previous_manifest = sha256_hex("the manifest before");
  return info;
}

CollectionNumbers write_sample(const fs::path& directory, const CollectionInfo& info) {
  CollectionWriter writer(directory, info);
  TopicRecord hostile = sample_topic("t1");
  hostile.query = "green teas\tfrom <script>alert(1)</script>\r\n\"China\"";
  hostile.structured = "List of \"teas\" » </script><b>Green » Name";
  hostile.page = "List of \"teas\"";
  hostile.section_path = {"</script><b>Green"};
  hostile.column = "Name";
  writer.add(hostile);
  writer.add(sample_topic("t2"));
  writer.add(sample_topic("t3"));

  MemberRecord member;
  member.topic = "t1";
  member.title = "Page 1";
  member.page_id = 1;
  member.qid = "Q1";
  member.aliases = {"First tea", "شاي"};
  member.candidates = 3;
  member.evidence = 2;
  writer.add(member);
  member = {"t1", "Page 2", 2, "", {}, 2, 1};
  writer.add(member);
  member = {"t2", "Page 2", 2, "", {}, 2, 0};
  writer.add(member);
  member = {"t3", "Page 3", 3, "", {}, 0, 0};
  writer.add(member);

  writer.add(sample_passage(1, "Page 1 is a \xF0\x9F\x8D\xB5 green tea."));
  writer.add(sample_passage(2, "Page 2 is another tea.\tIt came\r\nlater."));
  writer.add(sample_passage(3, "شاي أخضر </script><img src=x onerror=alert(1)> & \"quotes\" 'single'"));
  writer.add(sample_passage(5, "Page 1 and Page 2 are teas."));
  writer.add(sample_passage(10, "Nothing here."));
  PassageRecord second = sample_passage(10, "A second passage of the page.");
  second.docid = "teawiki-10-1";
  second.ordinal = 1;
  second.section_path = {"History", "Early \\ years"};
  writer.add(second);
  writer.add(sample_passage(11, "Line\xE2\x80\xA8separator and a bad byte \xFF."));

  const auto add = [&](JudgmentRecord record, const LabelHistory& history) {
    if (info.has_history()) record.history = history;
    writer.add(record);
  };
  // Topic t1: 1-0 yes (own), 5-0 yes by the first member and no by the second, 10-0 not judged for the one and no for
  // the other, 2-0 yes (own).
  JudgmentRecord judgment = sample_judgment("t1", 1, "teawiki-1-0");
  judgment.mentions = {{0, 6}};
  add(judgment, {LabelState::kCarried, {}, "teawiki-1-4"});
  judgment = sample_judgment("t1", 1, "teawiki-10-0");
  judgment.grade.reset();
  judgment.probability.reset();
  judgment.state = JudgmentState::kUnparseable;
  judgment.reason = "the reply is no JSON";
  add(judgment, {LabelState::kAskedAgain, LabelReason::kPageEdited, ""});
  judgment = sample_judgment("t1", 1, "teawiki-5-0");
  judgment.mentions = {{0, 6}};
  judgment.spans = {{0, 27}};
  judgment.probability = 0.91234567;
  add(judgment, {LabelState::kNew, LabelReason::kLinkAdded, ""});
  judgment = sample_judgment("t1", 2, "teawiki-2-0");
  add(judgment, {});
  judgment = sample_judgment("t1", 2, "teawiki-5-0");
  judgment.grade = 0;
  judgment.probability = 0.25;
  judgment.mentions = {{11, 17}};
  add(judgment, {});
  judgment = sample_judgment("t2", 2, "teawiki-10-1");
  judgment.grade = 0;
  judgment.probability = 0.0;
  judgment.reason = "<i>no</i> words in common";
  add(judgment, {});
  judgment = sample_judgment("t2", 2, "teawiki-11-0");
  judgment.grade.reset();
  judgment.probability.reset();
  judgment.state = JudgmentState::kRefused;
  add(judgment, {});

  if (info.has_history()) {
    writer.add(GoneRecord{"t0", "teawiki-1-0", "Page 1", 1, 1, LabelReason::kListGone});
    writer.add(GoneRecord{"t1", "teawiki-3-0", "Page 1", 1, {}, LabelReason::kPageDeleted});
  }

  writer.add(DiscardedRecord{"column", "List of tea\tpots", {"Old"}, "Name", "too few members", "2 of 3"});
  writer.add(DiscardedRecord{"column", "List of cups", {}, "Name", "empty cell", "row 4"});
  const release::BaselineSystem baseline = sample_baseline();
  return writer.finish(StopFlag(), {}, &baseline);
}

std::vector<std::string> read_lines(const fs::path& path) {
  std::vector<std::string> lines;
  for_each_line(path, [&](std::string_view line, std::uint64_t) {
    lines.emplace_back(line);
    return true;
  });
  return lines;
}

std::string read_text(const fs::path& path) {
  if (path.extension() != ".gz") return read_file(path);
  std::string text;
  for (const auto& line : read_lines(path)) text += line + "\n";
  return text;
}

void write_lines(const fs::path& path, const std::vector<std::string>& lines) {
  std::string text;
  for (const auto& line : lines) text += line + "\n";
  write_text(path, text);
}

void repair_digests(const fs::path& directory) {
  using nlohmann::ordered_json;
  std::string digests;
  const auto digest = [&](const std::string& name) { digests += sha256_file(directory / name) + "  " + name + "\n"; };
  const auto repair = [&](const fs::path& path, const std::function<void(ordered_json&)>& change) {
    if (!fs::exists(path)) return;
    ordered_json json = parse_json_or_discard(read_file(path));
    if (json.is_discarded()) return;
    change(json);
    write_text(path, json.dump(2) + "\n");
  };
  repair(directory / "croissant.json", [&](ordered_json& json) {
    for (auto& object : json["distribution"]) {
      const fs::path path = directory / object["@id"].get<std::string>();
      if (!fs::exists(path)) continue;
      object["sha256"] = sha256_file(path);
      object["contentSize"] = std::to_string(fs::file_size(path)) + " B";
    }
  });
  repair(directory / "manifest.json", [&](ordered_json& json) {
    for (auto& entry : json["files"]) {
      const fs::path path = directory / entry["name"].get<std::string>();
      if (!fs::exists(path)) continue;
      entry["sha256"] = sha256_file(path);
      entry["bytes"] = fs::file_size(path);
    }
  });
  for (const auto& file : kDataFiles) {
    if (fs::exists(directory / file.name)) digest(std::string(file.name));
  }
  for (const char* name : {"croissant.json", "README.md", "manifest.json"}) {
    if (fs::exists(directory / name)) digest(name);
  }
  write_text(directory / "sha256sums.txt", digests);
}

}  // namespace touchstone::collection::evidence::testing
