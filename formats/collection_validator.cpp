#include "common/digest.hpp"
#include "common/error.hpp"
#include "common/files.hpp"
#include "common/unicode.hpp"
#include "formats/beir_lines.hpp"
#include "formats/collection.hpp"
#include "formats/field_text.hpp"
#include "formats/internal/collection_counter.hpp"
#include "formats/internal/collection_files.hpp"
#include "formats/internal/collection_lines.hpp"
#include "formats/internal/collection_manifest.hpp"
#include "formats/internal/columns.hpp"
#include "formats/internal/id_table.hpp"
#include "formats/topics_tsv.hpp"
#include "formats/trec_qrels.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <set>
#include <system_error>
#include <tuple>
#include <unordered_map>

namespace touchstone::formats {
namespace {

namespace fs = std::filesystem;
using internal::CollectionFile;
using nlohmann::ordered_json;

constexpr std::array<std::string_view, 8> kStates{"judged",    "unparseable",    "refused", "filtered",
                                                  "truncated", "length-limited", "failed",  "tied"};
constexpr std::uint64_t kMaxCardBytes = std::uint64_t{1} << 26;

std::string quote(std::string_view value) {
  return quote_for_message(value);
}

std::string pair_name(std::string_view topic, std::string_view docid) {
  return "topic " + quote(topic) + ", docid " + quote(docid);
}

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

/// One run over a collection. The checks of a file that refer to another are left out when that one could not be read,
/// so that one damage gives one message.
class Validator {
 public:
  explicit Validator(fs::path directory) : directory_(std::move(directory)) {}

  ValidationReport run() {
    check_digests();
    check_topics();
    check_queries();
    check_corpus();
    check_qrels();
    check_beir_qrels();
    check_members();
    check_judgments();
    check_unjudged();
    check_discarded();
    check_manifest();
    check_card();
    check_croissant();
    return std::move(report_);
  }

 private:
  struct Qrel {
    std::uint32_t topic = 0;
    std::uint32_t docid = 0;
    int grade = 0;
    std::uint64_t line = 0;
    bool judged = false;
  };
  struct Passage {
    std::uint64_t page_id = 0;
    std::uint32_t code_points = 0;
  };
  struct Member {
    std::string topic, title;
    std::uint64_t line = 0;
    std::uint64_t candidates = 0, evidence = 0;
    std::uint64_t judgments = 0, judged_yes = 0;
  };

  void problem(std::string_view file, std::uint64_t line, std::string what) {
    ++report_.problem_count;
    if (report_.problems.size() < kMaxProblems) report_.problems.push_back({std::string(file), line, std::move(what)});
  }

  bool is_present(std::string_view file) const { return present_.count(std::string(file)) != 0; }

  /// Calls `check(line, number)` for each line. It gives the line as it should be, with its line end, or nothing when
  /// it has reported a problem with it; the two are compared. False when the file could not be read to its end.
  bool read_lines(std::string_view file, const std::function<std::string(std::string_view, std::uint64_t)>& check) {
    if (!is_present(file)) return false;
    std::uint64_t written_bytes = 0;
    bool all_written = true;
    try {
      for_each_line(
          directory_ / file,
          [&](std::string_view line, std::uint64_t number) {
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
          internal::kMaxCollectionLineBytes);
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

  void damaged(std::string_view file, const Error& error) {
    std::string what = error.what();
    const std::string path = (directory_ / file).string();
    if (what.rfind(path, 0) == 0) {
      what.erase(0, path.size());
      if (what.rfind(": ", 0) == 0) what.erase(0, 2);
    }
    problem(file, 0, what);
  }

  void check_digests() {
    for (const auto* file : all_files()) {
      std::error_code error;
      if (fs::is_regular_file(directory_ / file->name, error)) {
        present_[std::string(file->name)] = {std::string(file->name), 0, ""};
      } else {
        problem(file->name, 0, "is missing; export the collection again");
      }
    }
    const std::string_view name = internal::kDigests.name;
    std::map<std::string, std::uint64_t> listed;
    read_lines(name, [&](std::string_view line, std::uint64_t number) -> std::string {
      const bool has_form = line.size() > 66 && line.substr(64, 2) == "  " &&
                            line.substr(0, 64).find_first_not_of("0123456789abcdef") == std::string_view::npos;
      if (!has_form) {
        problem(name, number,
                "is not \"<64 hexadecimal digits>  <file>\" as sha256sum writes it; write the file again");
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

  void check_topics() {
    const std::string_view name = "topics.tsv";
    std::string before;
    topics_read_ = read_lines(name, [&](std::string_view line, std::uint64_t number) -> std::string {
      const auto topic = parse_topic(line);
      if (!topic) {
        problem(name, number, topic.error());
        return "";
      }
      check_id(name, number, "topic id", topic->id);
      if (!topics_.insert(topic->id).second) {
        problem(name, number, "has topic " + quote(topic->id) + " a second time; give each topic its own id");
        return "";
      }
      if (topic->id < before) {
        problem(name, number,
                "has topic " + quote(topic->id) + " after " + quote(before) + "; sort the topics by id, bytewise");
      }
      before = topic->id;
      queries_.push_back(topic->text);
      counter_.topic(topic->id);
      return topic_line(topic->id, topic->text);
    });
    report_.counts["topics"] = topics_.size();
  }

  void check_queries() {
    const std::string_view name = "queries.jsonl";
    std::vector<bool> found(topics_.size());
    std::uint64_t count = 0;
    internal::IdTable seen;
    const bool read = read_lines(name, [&](std::string_view line, std::uint64_t number) -> std::string {
      ++count;
      const auto topic = reader_.query(line);
      if (!topic) {
        problem(name, number, topic.error());
        return "";
      }
      check_id(name, number, "topic id", topic->id);
      if (!seen.insert(topic->id).second) {
        problem(name, number, "has topic " + quote(topic->id) + " a second time; give each topic its own id");
        return "";
      }
      if (topics_read_) {
        const auto index = topics_.find(topic->id);
        if (!index) {
          problem(
              name, number,
              "has topic " + quote(topic->id) + ", which topics.tsv does not define; add it there or remove it here");
          return "";
        }
        found[*index] = true;
        if (queries_[*index] != topic->query) {
          problem(name, number,
                  "has the query " + quote(topic->query) + " for topic " + quote(topic->id) + " where topics.tsv has " +
                      quote(queries_[*index]) + "; make the two equal");
        }
      }
      return internal::query_line(*topic);
    });
    report_.counts["queries"] = count;
    if (!read || !topics_read_) return;
    for (std::uint32_t i = 0; i < found.size(); ++i) {
      if (!found[i])
        problem(name, 0,
                "has no line for topic " + quote(topics_[i]) +
                    " of topics.tsv, which BEIR readers answer with a crash; add it");
    }
  }

  void check_corpus() {
    const std::string_view name = "corpus.jsonl.gz";
    std::optional<std::pair<std::uint64_t, std::uint32_t>> before;
    passages_read_ = read_lines(name, [&](std::string_view line, std::uint64_t number) -> std::string {
      const auto passage = reader_.passage(line);
      if (!passage) {
        problem(name, number, passage.error());
        return "";
      }
      check_id(name, number, "docid", passage->docid);
      if (!docids_.insert(passage->docid).second) {
        problem(name, number, "has docid " + quote(passage->docid) + " a second time; give each passage its own docid");
        return "";
      }
      passages_.push_back({passage->page_id, static_cast<std::uint32_t>(count_code_points(passage->text))});
      counter_.passage();
      if (is_blank(passage->text)) {
        problem(name, number, "has an empty text for docid " + quote(passage->docid) + "; leave the passage out");
      }
      if (is_blank(passage->title)) {
        problem(name, number, "has an empty title for docid " + quote(passage->docid) + "; name the page it is from");
      }
      if (!is_one_line(passage->text) || !is_one_line(passage->title)) {
        problem(name, number,
                "has a tab, line break or control character in the text of docid " + quote(passage->docid) +
                    ", which TSV readers take for its end; replace it by a space");
        return "";
      }
      const std::pair key(passage->page_id, passage->ordinal);
      if (before && key <= *before) {
        problem(name, number,
                "has docid " + quote(passage->docid) + " out of order; sort the passages by page id and ordinal");
      }
      before = key;
      return internal::passage_line(*passage);
    });
    report_.counts["passages"] = docids_.size();
  }

  /// Checks what both forms of the qrels share; the ids as numbers when they are defined.
  bool check_qrel(std::string_view name, std::uint64_t number, const QrelRecord& qrel, Qrel& checked) {
    bool ok = true;
    if (topics_read_) {
      const auto topic = topics_.find(qrel.topic);
      ok = topic.has_value();
      if (!ok)
        problem(name, number,
                "judges topic " + quote(qrel.topic) +
                    ", which topics.tsv does not define; add the topic or remove the line");
      checked.topic = topic.value_or(0);
    }
    if (passages_read_) {
      const auto docid = docids_.find(qrel.docid);
      if (!docid)
        problem(name, number,
                "judges docid " + quote(qrel.docid) +
                    ", which is not in corpus.jsonl.gz; add the passage or remove the line");
      ok = ok && docid.has_value();
      checked.docid = docid.value_or(0);
    }
    checked.grade = qrel.grade;
    checked.line = number;
    return ok;
  }

  void check_qrels() {
    const std::string_view name = "qrels.txt";
    QrelRecord before;
    std::uint64_t count = 0;
    qrels_read_ = read_lines(name, [&](std::string_view line, std::uint64_t number) -> std::string {
      ++count;
      const auto qrel = parse_qrel(line);
      if (!qrel) {
        problem(name, number, qrel.error());
        qrel_lines_.push_back(0);
        return "";
      }
      const auto order = std::tie(before.topic, before.docid);
      const auto here = std::tie(qrel->topic, qrel->docid);
      if (order == here) {
        problem(name, number,
                "judges " + pair_name(qrel->topic, qrel->docid) + " a second time; keep one of the lines");
      } else if (here < order) {
        problem(name, number,
                "has " + pair_name(qrel->topic, qrel->docid) + " out of order; sort by topic, then docid, bytewise");
      }
      before = *qrel;
      Qrel checked;
      if (check_qrel(name, number, *qrel, checked)) qrels_.push_back(checked);
      qrel_lines_.push_back(xxh3_64(beir_qrel_line(*qrel)));
      return qrel_line(*qrel);
    });
    report_.counts["qrels"] = count;
    std::sort(qrels_.begin(), qrels_.end(), [](const Qrel& a, const Qrel& b) {
      return std::tie(a.topic, a.docid, a.line) < std::tie(b.topic, b.docid, b.line);
    });
  }

  void check_beir_qrels() {
    const std::string_view name = "qrels/test.tsv";
    std::uint64_t lines = 0;
    bool equal = qrels_read_;
    const bool read = read_lines(name, [&](std::string_view line, std::uint64_t number) -> std::string {
      lines = number;
      if (number == 1) return std::string(kBeirQrelsHeader) + "\n";
      const auto qrel = parse_beir_qrel(line);
      if (!qrel) {
        problem(name, number, qrel.error());
        equal = false;
        return "";
      }
      const std::string written = beir_qrel_line(*qrel);
      const std::size_t at = static_cast<std::size_t>(number - 2);
      if (equal && (at >= qrel_lines_.size() || qrel_lines_[at] != xxh3_64(written))) {
        equal = false;
        problem(name, number,
                "has " + pair_name(qrel->topic, qrel->docid) + ", grade " + std::to_string(qrel->grade) +
                    ", where line " + std::to_string(at + 1) + " of qrels.txt " +
                    (at < qrel_lines_.size() ? "has another judgment" : "does not exist") +
                    "; make the two files equal");
      }
      return written;
    });
    if (!read) return;
    if (lines == 0)
      problem(name, 0,
              "has no header line, so that readers lose the first judgment; write \"query-id<TAB>corpus-id<TAB>score\" "
              "first");
    if (equal && lines > 0 && lines - 1 < qrel_lines_.size()) {
      problem(name, 0,
              "has " + std::to_string(lines - 1) + " judgments where qrels.txt has " +
                  std::to_string(qrel_lines_.size()) + "; make the two files equal");
    }
  }

  void check_members() {
    const std::string_view name = "members.jsonl";
    std::pair<std::string, std::string> before;
    std::uint64_t count = 0;
    members_read_ = read_lines(name, [&](std::string_view line, std::uint64_t number) -> std::string {
      ++count;
      const auto member = reader_.member(line);
      if (!member) {
        problem(name, number, member.error());
        return "";
      }
      if (topics_read_ && !counter_.member(*member)) {
        problem(name, number,
                "names topic " + quote(member->topic) +
                    ", which topics.tsv does not define; add the topic or remove the line");
        return "";
      }
      const std::pair key(member->topic, member->title);
      if (key < before) {
        problem(name, number,
                "has member " + quote(member->title) + " out of order; sort by topic, then title, bytewise");
      }
      before = key;
      if (is_blank(member->title)) problem(name, number, "has a member without a title; name its article");
      if (member->evidence > member->candidates) {
        problem(name, number,
                "says " + std::to_string(member->evidence) + " evidence of " + std::to_string(member->candidates) +
                    " candidates for member " + quote(member->title) + "; evidence cannot be more than was judged");
      }
      const auto inserted =
          members_.emplace(member_key(member->topic, member->page_id),
                           Member{member->topic, member->title, number, member->candidates, member->evidence, 0, 0});
      if (!inserted.second) {
        problem(name, number,
                "has the page " + std::to_string(member->page_id) + " a second time as a member of topic " +
                    quote(member->topic) + ", after line " + std::to_string(inserted.first->second.line) +
                    "; keep one of the lines");
      }
      return internal::member_line(*member);
    });
    report_.counts["members"] = count;
  }

  void check_judgments() {
    const std::string_view name = "judgments.jsonl.gz";
    std::string topic_before;
    std::pair<std::uint64_t, std::string> before;
    internal::TopicGrades grades;
    std::uint64_t count = 0;
    bool sorted = true;
    judgments_read_ = read_lines(name, [&](std::string_view line, std::uint64_t number) -> std::string {
      ++count;
      const auto judgment = reader_.judgment(line);
      if (!judgment) {
        problem(name, number, judgment.error());
        return "";
      }
      if (judgment->topic != topic_before) check_grades(topic_before, grades);
      const std::pair key(judgment->member_page_id, judgment->docid);
      if (count > 1) {
        if (judgment->topic == topic_before && key == before) {
          problem(name, number,
                  "judges " + pair_name(judgment->topic, judgment->docid) + " a second time for member " +
                      quote(judgment->member) + "; keep one of the lines");
        } else if (sorted && (judgment->topic < topic_before || (judgment->topic == topic_before && key < before))) {
          sorted = false;
          problem(name, number,
                  "has " + pair_name(judgment->topic, judgment->docid) +
                      " out of order; sort by topic, member page id and docid");
        }
      }
      topic_before = judgment->topic;
      before = key;
      check_judgment(name, number, *judgment);
      counter_.judgment(*judgment);
      grades.add(*judgment);
      std::string written = internal::judgment_line(*judgment);
      if (!judgment->grade) unjudged_lines_.push_back(xxh3_64(written));
      return written;
    });
    report_.counts["judgments"] = count;
    if (!judgments_read_) return;
    check_grades(topic_before, grades);
    if (topics_read_ && passages_read_ && qrels_read_) {
      for (const auto& qrel : qrels_) {
        if (!qrel.judged) {
          problem("qrels.txt", qrel.line,
                  "has " + pair_name(topics_[qrel.topic], docids_[qrel.docid]) +
                      ", for which judgments.jsonl.gz has no grade; remove the line");
        }
      }
    }
    if (members_read_) check_member_counts();
  }

  void check_judgment(std::string_view name, std::uint64_t number, const JudgmentRecord& judgment) {
    const std::string where = " of " + pair_name(judgment.topic, judgment.docid);
    if (std::find(kStates.begin(), kStates.end(), judgment.state) == kStates.end()) {
      problem(name, number,
              "has the state " + quote(judgment.state) + where + ", which is none of docs/collection.md; correct it");
    } else if (judgment.grade.has_value() != (judgment.state == "judged")) {
      problem(name, number,
              std::string(judgment.grade ? "has a grade" : "has no grade") + " in state " + quote(judgment.state) +
                  where + "; a grade and \"judged\" go together");
    }
    if (judgment.probability && !(*judgment.probability >= 0 && *judgment.probability <= 1)) {
      problem(name, number, "has a probability" + where + " that is not from 0 to 1; correct it");
    }
    if (is_blank(judgment.judge)) problem(name, number, "does not say who judged" + where + "; name the judge");
    if (topics_read_ && !topics_.find(judgment.topic)) {
      problem(name, number,
              "judges topic " + quote(judgment.topic) +
                  ", which topics.tsv does not define; add the topic or remove the line");
    } else if (members_read_) {
      const auto member = members_.find(member_key(judgment.topic, judgment.member_page_id));
      if (member == members_.end() || member->second.title != judgment.member) {
        problem(name, number,
                "is about member " + quote(judgment.member) + " (page " + std::to_string(judgment.member_page_id) +
                    "), whom members.jsonl does not have for topic " + quote(judgment.topic) +
                    "; add the member or remove the line");
      } else {
        ++member->second.judgments;
        if (judgment.grade.value_or(0) > 0) ++member->second.judged_yes;
      }
    }
    if (!passages_read_) return;
    const auto docid = docids_.find(judgment.docid);
    if (!docid) {
      problem(name, number,
              "judges docid " + quote(judgment.docid) +
                  ", which is not in corpus.jsonl.gz; add the passage or remove the line");
      return;
    }
    const Passage& passage = passages_[*docid];
    if (judgment.own_article != (passage.page_id == judgment.member_page_id)) {
      problem(name, number,
              "says own_article " + std::string(judgment.own_article ? "true" : "false") + where +
                  ", but the passage is from page " + std::to_string(passage.page_id) + " and the member is page " +
                  std::to_string(judgment.member_page_id) + "; correct it");
    }
    check_ranges(name, number, "mentions", judgment.mentions, passage.code_points, where);
    check_ranges(name, number, "spans", judgment.spans, passage.code_points, where);
  }

  void check_ranges(std::string_view name, std::uint64_t number, const char* what,
                    const std::vector<std::pair<std::uint32_t, std::uint32_t>>& ranges, std::uint32_t length,
                    const std::string& where) {
    std::uint32_t end = 0;
    for (const auto& range : ranges) {
      if (range.first >= range.second || range.second > length || range.first < end) {
        problem(name, number,
                std::string("has ") + what + " [" + std::to_string(range.first) + ", " + std::to_string(range.second) +
                    "]" + where + ", a text of " + std::to_string(length) +
                    " code points; they must be in order, apart and inside the text");
        return;
      }
      end = range.second;
    }
  }

  /// Compares the grades that a topic's judgments make with the qrels.
  void check_grades(const std::string& topic, internal::TopicGrades& grades) {
    for (const auto& expected : grades.take()) {
      counter_.qrel(topic, expected.grade, expected.own_article);
      if (!topics_read_ || !passages_read_ || !qrels_read_) continue;
      const auto topic_index = topics_.find(topic);
      const auto docid = docids_.find(expected.docid);
      if (!topic_index || !docid) continue;  // reported where it stands
      const auto at = std::lower_bound(qrels_.begin(), qrels_.end(), std::pair(*topic_index, *docid),
                                       [](const Qrel& qrel, const std::pair<std::uint32_t, std::uint32_t>& key) {
                                         return std::tie(qrel.topic, qrel.docid) < std::tie(key.first, key.second);
                                       });
      if (at == qrels_.end() || at->topic != *topic_index || at->docid != *docid) {
        problem("qrels.txt", 0,
                "has no line for " + pair_name(topic, expected.docid) + ", which judgments.jsonl.gz gives grade " +
                    std::to_string(expected.grade) + "; add it");
        continue;
      }
      if (at->grade != expected.grade) {
        problem("qrels.txt", at->line,
                "gives " + pair_name(topic, expected.docid) + " grade " + std::to_string(at->grade) +
                    " where the highest grade in judgments.jsonl.gz is " + std::to_string(expected.grade) +
                    "; make them equal");
      }
      for (auto same = at; same != qrels_.end() && same->topic == at->topic && same->docid == at->docid; ++same) {
        same->judged = true;
      }
    }
  }

  void check_member_counts() {
    std::vector<const Member*> members;
    for (const auto& [key, member] : members_) members.push_back(&member);
    std::sort(members.begin(), members.end(), [](const Member* a, const Member* b) { return a->line < b->line; });
    for (const Member* member : members) {
      if (member->judgments > member->candidates || member->judged_yes != member->evidence) {
        problem("members.jsonl", member->line,
                "says " + std::to_string(member->candidates) + " candidates and " + std::to_string(member->evidence) +
                    " evidence for member " + quote(member->title) + " where judgments.jsonl.gz has " +
                    std::to_string(member->judgments) + " judgments and " + std::to_string(member->judged_yes) +
                    " with grade 1 or more; make them equal");
      }
    }
  }

  void check_unjudged() {
    const std::string_view name = "unjudged.jsonl";
    std::uint64_t count = 0;
    bool equal = judgments_read_;
    const bool read = read_lines(name, [&](std::string_view line, std::uint64_t number) -> std::string {
      const auto judgment = reader_.judgment(line);
      if (!judgment) {
        problem(name, number, judgment.error());
        equal = false;
        return "";
      }
      std::string written = internal::judgment_line(*judgment);
      if (equal && (count >= unjudged_lines_.size() || unjudged_lines_[count] != xxh3_64(written))) {
        equal = false;
        problem(name, number,
                "has " + pair_name(judgment->topic, judgment->docid) +
                    ", which is not the next one without a grade in judgments.jsonl.gz; make the two files equal");
      }
      ++count;
      return written;
    });
    report_.counts["unjudged"] = count;
    if (read && equal && count < unjudged_lines_.size()) {
      problem(name, 0,
              "has " + std::to_string(count) + " lines where judgments.jsonl.gz has " +
                  std::to_string(unjudged_lines_.size()) + " without a grade; make the two files equal");
    }
  }

  void check_discarded() {
    const std::string_view name = "discarded.tsv";
    std::uint64_t lines = 0;
    discarded_read_ = read_lines(name, [&](std::string_view line, std::uint64_t number) -> std::string {
      lines = number;
      if (number == 1) return std::string(internal::kDiscardedHeader) + "\n";
      const auto discarded = internal::parse_discarded(line);
      if (!discarded) {
        problem(name, number, discarded.error());
        return "";
      }
      counter_.discarded(discarded->reason);
      return internal::discarded_line(*discarded);
    });
    if (discarded_read_ && lines == 0) problem(name, 0, "has no header line; export the collection again");
    report_.counts["discarded"] = lines > 0 ? lines - 1 : 0;
  }

  void check_manifest() {
    const std::string_view name = internal::kManifest.name;
    if (!is_present(name)) return;
    try {
      manifest_ = internal::read_manifest(directory_);
    } catch (const FormatError& error) {
      damaged(name, error);
      return;
    }
    for (const auto* file : all_files()) {
      if (file->name == name || file->name == internal::kDigests.name) continue;
      const auto entry =
          std::find_if(manifest_->files.begin(), manifest_->files.end(),
                       [&](const internal::FileEntry& candidate) { return candidate.name == file->name; });
      if (entry == manifest_->files.end()) {
        problem(name, 0, "does not list the file " + std::string(file->name) + "; export the collection again");
        continue;
      }
      const auto real = present_.find(std::string(file->name));
      if (real == present_.end() || changed_.count(real->first) != 0) continue;
      if (real->second.bytes != entry->bytes || real->second.sha256 != entry->sha256) {
        problem(name, 0,
                "lists " + entry->name + " with " + std::to_string(entry->bytes) + " bytes and digest " +
                    entry->sha256 + ", but the file has " + std::to_string(real->second.bytes) + " bytes and digest " +
                    real->second.sha256 + "; export the collection again");
      }
    }
    if (!(topics_read_ && passages_read_ && members_read_ && judgments_read_ && discarded_read_)) return;
    const ordered_json counted = internal::numbers_json(counter_.numbers());
    const ordered_json stated = internal::numbers_json(manifest_->numbers);
    for (const auto& [key, value] : counted.items()) {
      if (stated.at(key) != value) {
        problem(name, 0,
                "says " + key + " " + quote(stated.at(key).dump()) + " where the files have " + quote(value.dump()) +
                    "; export the collection again");
      }
    }
  }

  void check_card() {
    const std::string_view name = internal::kCard.name;
    if (!is_present(name)) return;
    std::string card;
    try {
      card = read_file(directory_ / name, kMaxCardBytes);
    } catch (const FormatError& error) {
      damaged(name, error);
      return;
    }
    const auto end = card.find("\n---\n", 3);
    if (card.rfind("---\n", 0) != 0 || end == std::string::npos) {
      problem(name, 0,
              "does not start with YAML front matter between two lines \"---\", which dataset hubs read; export the "
              "collection again");
      return;
    }
    constexpr std::string_view kPath = "path: ";
    std::size_t paths = 0;
    for (std::size_t at = card.find(kPath); at < end; at = card.find(kPath, at + 1)) {
      const std::size_t start = at + kPath.size();
      const std::string path = card.substr(start, card.find('\n', start) - start);
      ++paths;
      if (!is_ours(path)) {
        problem(name, 0, "names the data file " + quote(path) + ", which a collection does not have; correct the path");
      }
    }
    if (paths == 0)
      problem(
          name, 0,
          "names no data files in its front matter, so that dataset hubs show nothing; export the collection again");
    if (manifest_ && manifest_->info.baseline_judge && card.find("BASELINE") == std::string::npos) {
      problem(name, 0,
              "does not say that the labels are a BASELINE, as manifest.json does; readers must be told, export the "
              "collection again");
    }
  }

  void check_croissant() {
    const std::string_view name = internal::kCroissant.name;
    if (!is_present(name)) return;
    try {
      const ordered_json json = ordered_json::parse(read_file(directory_ / name, internal::kMaxManifestBytes));
      const auto conforms = json.at("conformsTo").get<std::string>();
      if (conforms != "http://mlcommons.org/croissant/1.0" && conforms != "http://mlcommons.org/croissant/1.1") {
        problem(
            name, 0,
            "conforms to " + quote(conforms) + ", which is no known Croissant version; export the collection again");
      }
      std::map<std::string, const ordered_json*> objects;
      for (const auto& object : json.at("distribution")) objects[object.at("@id").get<std::string>()] = &object;
      for (const auto& file : internal::kDataFiles) {
        const auto object = objects.find(std::string(file.name));
        if (object == objects.end()) {
          problem(name, 0, "does not list the file " + std::string(file.name) + "; export the collection again");
          continue;
        }
        const auto real = present_.find(std::string(file.name));
        if (real == present_.end() || changed_.count(real->first) != 0) continue;
        if (object->second->at("sha256").get<std::string>() != real->second.sha256 ||
            object->second->at("contentSize").get<std::string>() != std::to_string(real->second.bytes) + " B") {
          problem(name, 0,
                  "lists " + std::string(file.name) +
                      " with another size or digest than the file has; export the collection again");
        }
      }
      std::map<std::string, bool> fields;
      for (const auto& set : json.at("recordSet")) {
        for (const auto& field : set.at("field")) fields[field.at("@id").get<std::string>()] = true;
      }
      for (const auto& set : json.at("recordSet")) {
        for (const auto& field : set.at("field")) {
          const auto id = field.at("@id").get<std::string>();
          const auto source = field.at("source").at("fileObject").at("@id").get<std::string>();
          if (objects.count(source) == 0) {
            problem(name, 0,
                    "reads the field " + quote(id) + " from " + quote(source) +
                        ", which its distribution does not have; correct it");
          }
          if (field.contains("references")) {
            const auto target = field.at("references").at("field").at("@id").get<std::string>();
            if (fields.count(target) == 0) {
              problem(name, 0,
                      "lets the field " + quote(id) + " refer to " + quote(target) +
                          ", which it does not define; correct it");
            }
          }
        }
      }
    } catch (const nlohmann::json::exception& error) {
      const std::string what = error.what();
      const auto bracket = what.find("] ");
      problem(name, 0,
              "is not as Croissant wants it: " + (bracket == std::string::npos ? what : what.substr(bracket + 2)) +
                  "; export the collection again");
    } catch (const FormatError& error) {
      damaged(name, error);
    }
  }

  void check_id(std::string_view name, std::uint64_t number, const char* what, const std::string& id) {
    const std::string why = why_unsafe_id(id);
    if (!why.empty()) {
      problem(name, number,
              std::string("has the ") + what + " " + quote(id) + ", which " + why +
                  "; use letters, digits and - _ . : ~ only");
    }
  }

  static std::string member_key(const std::string& topic, std::uint64_t page_id) {
    return topic + "\n" + std::to_string(page_id);
  }

  static std::vector<const CollectionFile*> all_files() {
    std::vector<const CollectionFile*> files;
    for (const auto& file : internal::kDataFiles) files.push_back(&file);
    for (const auto* file : {&internal::kCroissant, &internal::kCard, &internal::kManifest, &internal::kDigests}) {
      files.push_back(file);
    }
    return files;
  }

  static bool is_ours(std::string_view name) {
    const auto files = all_files();
    return std::any_of(files.begin(), files.end(), [&](const CollectionFile* file) { return file->name == name; });
  }

  fs::path directory_;
  ValidationReport report_;
  internal::CollectionLineReader reader_;
  internal::CollectionCounter counter_;
  std::map<std::string, internal::FileEntry> present_;  ///< with size and digest once sha256sums.txt is read
  internal::IdTable topics_, docids_;
  std::vector<std::string> queries_;           ///< by topic
  std::vector<Passage> passages_;              ///< by docid
  std::vector<Qrel> qrels_;                    ///< sorted by numbers once read
  std::set<std::string> changed_;              ///< files whose digest is not the listed one
  std::vector<std::uint64_t> qrel_lines_;      ///< hashes of the BEIR forms, in file order
  std::vector<std::uint64_t> unjudged_lines_;  ///< hashes of the judgments without a grade, in file order
  std::unordered_map<std::string, Member> members_;
  std::optional<internal::Manifest> manifest_;
  bool topics_read_ = false, passages_read_ = false, qrels_read_ = false, members_read_ = false;
  bool judgments_read_ = false, discarded_read_ = false;
};

}  // namespace

ValidationReport validate_collection(const std::filesystem::path& directory) {
  std::error_code error;
  if (!fs::is_directory(directory, error)) {
    throw StorageError("cannot validate " + directory.string() + ": " + (error ? error.message() : "it is no folder") +
                       "; name the directory of a collection");
  }
  return Validator(directory).run();
}

}  // namespace touchstone::formats
