#include "formats/car/check.hpp"

#include "common/digest.hpp"
#include "common/error.hpp"
#include "common/files.hpp"
#include "formats/car/ids.hpp"
#include "formats/car/record_file.hpp"
#include "formats/car/records.hpp"
#include "formats/trec/qrels.hpp"

#include <algorithm>
#include <optional>
#include <string_view>
#include <tuple>
#include <unordered_set>

namespace touchstone::formats::car {
namespace {

void add_problem(CheckReport& report, std::string where, std::string what) {
  if (++report.problem_count <= kMaxFindings) report.problems.push_back({std::move(where), std::move(what)});
}

void add_remark(CheckReport& report, std::string where, std::string what) {
  if (++report.remark_count <= kMaxFindings) report.remarks.push_back({std::move(where), std::move(what)});
}

/// Ids that have occurred, as hashes, with the records in which they did.
class SeenIds {
 public:
  void add(std::string_view id, std::uint64_t content, std::uint64_t record) {
    entries_.push_back({xxh3_64(id), content, record});
  }

  /// Calls `twice(first, other, same_content)` for each entry whose id has occurred before, with the numbers of
  /// records.
  template <class Twice>
  void for_each_repeated(Twice twice) {
    std::sort(entries_.begin(), entries_.end(),
              [](const Entry& a, const Entry& b) { return std::tie(a.id, a.record) < std::tie(b.id, b.record); });
    const Entry* first = nullptr;
    for (const auto& entry : entries_) {
      if (first != nullptr && first->id == entry.id) {
        twice(first->record, entry.record, first->content == entry.content);
      } else {
        first = &entry;
      }
    }
  }

 private:
  struct Entry {
    std::uint64_t id, content, record;
  };
  std::vector<Entry> entries_;
};

/// Checks pages, outlines and paragraphs.
class RecordChecker {
 public:
  explicit RecordChecker(CheckReport& report) : report_(report) {}

  void check(const ReadRecord& read, const std::filesystem::path& path) {
    number_ = read.number;
    where_ = report_.kind.form == FileForm::kJsonLines
                 ? "line " + std::to_string(read.offset)
                 : "record " + std::to_string(read.number) + " at byte " + std::to_string(read.offset);
    ++records_;
    if (read.record) check_kind(std::holds_alternative<Paragraph>(*read.record));
    if (!read.record) {
      add_problem(report_, where_, without_file(read.record.error(), path));
    } else if (const auto* page = std::get_if<Page>(&*read.record)) {
      check_page(*page);
    } else {
      check_paragraph(std::get<Paragraph>(*read.record));
    }
  }

  void finish() {
    page_ids_.for_each_repeated([this](std::uint64_t first, std::uint64_t other, bool) {
      add_problem(report_, "record " + std::to_string(other),
                  "has the page id of record " + std::to_string(first) + "; ids must differ");
    });
    const bool is_corpus = report_.kind.type == FileType::kParagraphs;
    paragraph_ids_.for_each_repeated([&](std::uint64_t first, std::uint64_t other, bool same_text) {
      if (same_text && !is_corpus) return;  // pages may share a paragraph
      add_problem(report_, "record " + std::to_string(other),
                  "has the id of a paragraph of record " + std::to_string(first) +
                      (same_text ? " again; a file of paragraphs has each once"
                                 : " for another text; ids must tell paragraphs apart"));
    });
    report_.counts = {{"records", records_},
                      {"pages", pages_},
                      {"redirects", redirects_},
                      {"sections", sections_},
                      {"paragraphs", paragraphs_},
                      {"list_items", list_items_},
                      {"images", images_},
                      {"infoboxes", infoboxes_},
                      {"links", links_},
                      {"links_without_page_id", links_without_id_},
                      {"ids_not_verified", unverified_}};
  }

  // For visit_skeleton.
  void enter(const Section& section, std::size_t) {
    ++sections_;
    headings_.push_back(section.heading_id);
    if (!paths_.insert(section_path_id("", headings_)).second) {
      add_remark(report_, where_,
                 "the section \"" + section_path_id(page_->id, headings_) +
                     "\" occurs twice on its page; the two are one facet in qrels");
    }
  }
  void leave(const Section&) { headings_.pop_back(); }
  void element(const Paragraph& paragraph) {
    has_content_ = true;
    check_paragraph(paragraph);
  }
  void element(const ListItem& item) {
    has_content_ = true;
    ++list_items_;
    count_links(item.paragraph);
    verify(item.paragraph);
  }
  void element(const Image&) {
    has_content_ = true;
    ++images_;
  }
  void element(const Infobox&) {
    has_content_ = true;
    ++infoboxes_;
  }

 private:
  /// The reader's message without file and place, which the finding has.
  static std::string without_file(const std::string& message, const std::filesystem::path& path) {
    std::string_view text = message;
    if (text.starts_with(path.string())) text.remove_prefix(path.string().size());
    const auto start = text.find(": ", 1);
    if (text.starts_with(": record ") && start != std::string_view::npos) text.remove_prefix(start + 2);
    if (text.starts_with(":") && start != std::string_view::npos) text.remove_prefix(start + 2);
    return std::string(text);
  }

  /// All records are pages, or all are paragraphs.
  void check_kind(bool is_paragraph) {
    if (!first_is_paragraph_) first_is_paragraph_ = is_paragraph;
    if (*first_is_paragraph_ == is_paragraph) return;
    add_problem(report_, where_,
                is_paragraph ? "there is a paragraph among pages" : "there is a page among paragraphs");
  }

  void check_page(const Page& page) {
    ++pages_;
    if (page.type == PageType::kRedirect) ++redirects_;
    if (page.id.empty()) add_problem(report_, where_, "the page \"" + page.name + "\" has an empty id");
    page_ids_.add(page.id, 0, number_);
    page_ = &page;
    has_content_ = false;
    headings_.clear();
    paths_.clear();
    visit_skeleton(page.skeleton, *this);
    if (has_content_ && report_.kind.has_header && report_.kind.type == FileType::kOutlines) {
      add_problem(report_, where_,
                  "the outline of \"" + page.name + "\" has more than sections, so it gives answers away");
    }
  }

  void check_paragraph(const Paragraph& paragraph) {
    ++paragraphs_;
    count_links(paragraph);
    if (paragraph.id.empty()) {
      add_problem(report_, where_, "a paragraph has an empty id");
      return;
    }
    const auto text = paragraph_text(paragraph);
    paragraph_ids_.add(paragraph.id, xxh3_64(text), number_);
    verify(paragraph);
  }

  void count_links(const Paragraph& paragraph) {
    for (const auto& body : paragraph.bodies) {
      const auto* link = std::get_if<Link>(&body);
      if (link == nullptr) continue;
      ++links_;
      if (link->page_id.empty()) ++links_without_id_;
    }
  }

  void verify(const Paragraph& paragraph) {
    const auto expected = paragraph_id(paragraph.bodies);
    if (paragraph.id == expected) return;
    ++unverified_;
    add_remark(report_, where_, "the paragraph id \"" + paragraph.id + "\" is not the SHA-1 of its text, " + expected);
  }

  CheckReport& report_;
  SeenIds page_ids_, paragraph_ids_;
  std::optional<bool> first_is_paragraph_;
  std::uint64_t number_ = 0;
  std::string where_;
  const Page* page_ = nullptr;
  bool has_content_ = false;
  std::vector<std::string> headings_;
  std::unordered_set<std::string> paths_;
  std::uint64_t records_ = 0, pages_ = 0, redirects_ = 0, sections_ = 0, paragraphs_ = 0, list_items_ = 0, images_ = 0,
                infoboxes_ = 0, links_ = 0, links_without_id_ = 0, unverified_ = 0;
};

void check_records(const std::filesystem::path& path, CheckReport& report) {
  RecordChecker checker(report);
  try {
    for_each_record(path, [&](const ReadRecord& read) {
      checker.check(read, path);
      return true;
    });
  } catch (const FormatError& error) {
    add_problem(report, "", error.what());
  }
  checker.finish();
}

bool has_control(std::string_view id) {
  return std::any_of(id.begin(), id.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; });
}

void check_qrels(const std::filesystem::path& path, CheckReport& report) {
  std::unordered_set<std::uint64_t> topics, pages, pairs;
  std::uint64_t judgments = 0;
  const auto check_line = [&](std::string_view line, std::uint64_t number) {
    if (line.find_first_not_of(" \t") == std::string_view::npos || line.starts_with('#')) return true;
    const auto where = "line " + std::to_string(number);
    const auto qrel = trec::parse_qrel(line);
    if (!qrel) {
      add_problem(report, where, qrel.error());
      return true;
    }
    if (has_control(qrel->topic) || has_control(qrel->docid))
      add_problem(report, where, "has a control character in an id; readers may cut the id there");
    ++judgments;
    topics.insert(xxh3_64(qrel->topic));
    pages.insert(xxh3_64(std::string_view(qrel->topic).substr(0, qrel->topic.find('/'))));
    if (!pairs.insert(xxh3_64(qrel->docid, xxh3_64(qrel->topic))).second)
      add_problem(report, where, "judges \"" + qrel->docid + "\" for \"" + qrel->topic + "\" a second time");
    return true;
  };
  try {
    for_each_line(path, check_line, trec::kMaxQrelLineBytes);
  } catch (const FormatError& error) {
    add_problem(report, "", error.what());
  }
  report.counts = {{"judgments", judgments}, {"topics", topics.size()}, {"pages", pages.size()}};
}

}  // namespace

CheckReport check_file(const std::filesystem::path& path) {
  CheckReport report;
  report.kind = detect_file(path);
  if (report.kind.form == FileForm::kQrels) {
    check_qrels(path, report);
  } else {
    check_records(path, report);
  }
  return report;
}

}  // namespace touchstone::formats::car
