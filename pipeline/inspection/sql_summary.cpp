#include "pipeline/inspection/sql_summary.hpp"

#include "common/records/sorter.hpp"
#include "extractors/sql/wiki_tables.hpp"
#include "pipeline/corpus/links/title_join.hpp"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

namespace touchstone::pipeline::inspection {
namespace {

using corpus::links::title_hash;
using extractors::sql::PageLinkColumns;
using extractors::sql::SqlDumpReader;
using extractors::sql::SqlRow;
using extractors::sql::WikiTable;

constexpr std::size_t kSortMemoryBytes = std::size_t{64} << 20;
constexpr std::uint64_t kRowsBetweenStops = 4096;

/// A title by its number, as a hash.
struct NumberedTitle {
  std::uint64_t number, title;
  friend auto operator<=>(const NumberedTitle&, const NumberedTitle&) = default;
};

/// Compares the titles of pagelinks with those that linktarget has under its numbers.
class TitlesAndNumbers {
 public:
  explicit TitlesAndNumbers(const std::filesystem::path& folder)
      : links_(folder, kSortMemoryBytes), targets_(folder, kSortMemoryBytes) {}

  void add_link(std::uint64_t number, std::int32_t ns, std::string_view title) {
    links_.add({number, title_hash(ns, title)});
    have_links_ = true;
  }
  void add_target(std::uint64_t number, std::int32_t ns, std::string_view title) {
    targets_.add({number, title_hash(ns, title)});
    have_targets_ = true;
  }

  /// Nothing if one of the files was not there.
  std::optional<std::string> comparison() {
    if (!have_links_ || !have_targets_) return std::nullopt;
    std::uint64_t equal = 0, different = 0;
    auto target = targets_.next();
    while (const auto link = links_.next()) {
      while (target && target->number < link->number) target = targets_.next();
      const bool same = target && target->number == link->number && target->title == link->title;
      ++(same ? equal : different);
    }
    if (different == 0) return fmt::format("titles and linktarget agree on all {} rows", equal);
    return fmt::format("titles and linktarget agree on {} rows and differ on {}", equal, different);
  }

 private:
  records::Sorter<NumberedTitle> links_, targets_;
  bool have_links_ = false, have_targets_ = false;
};

/// Counts what is worth knowing of a table.
class TableFacts {
 public:
  TableFacts(WikiTable table, const SqlDumpReader& reader, TitlesAndNumbers& titles)
      : table_(table), reader_(reader), titles_(titles) {
    if (table == WikiTable::kPagelinks) links_.emplace(reader.table());
  }

  void take(const SqlRow& row) {
    if (table_ == WikiTable::kPage) {
      articles_ += text(row, "page_namespace") == "0" ? 1 : 0;
      redirects_ += text(row, "page_is_redirect") == "1" ? 1 : 0;
    } else if (table_ == WikiTable::kRedirect) {
      elsewhere_ += reader_.table().column("rd_interwiki") && !text(row, "rd_interwiki").empty() ? 1 : 0;
    } else if (table_ == WikiTable::kPageProps) {
      items_ += text(row, "pp_propname") == "wikibase_item" ? 1 : 0;
    } else if (table_ == WikiTable::kLinktarget) {
      titles_.add_target(row_number(row, column("lt_id"), reader_),
                         namespace_number(row, column("lt_namespace"), reader_), text(row, "lt_title"));
    } else if (table_ == WikiTable::kPagelinks && links_->has_titles() && links_->has_numbers()) {
      const auto link = links_->read(row, reader_);
      titles_.add_link(link.target_number, link.ns, link.title);
    }
  }

  std::vector<std::string> facts() const {
    switch (table_) {
      case WikiTable::kPage:
        return {fmt::format("{} in the namespace of articles", articles_), fmt::format("{} redirects", redirects_)};
      case WikiTable::kRedirect:
        return {fmt::format("{} to other wikis", elsewhere_)};
      case WikiTable::kPageProps:
        return {fmt::format("{} with a Wikidata item", items_)};
      case WikiTable::kPagelinks:
        return {links_->has_titles()
                    ? (links_->has_numbers() ? "targets as titles and as numbers of linktarget" : "targets as titles")
                    : "targets as numbers of linktarget"};
      default:
        return {};
    }
  }

 private:
  std::size_t column(std::string_view name) const { return reader_.table().column(name).value(); }
  std::string_view text(const SqlRow& row, std::string_view name) const { return row[column(name)].text; }

  WikiTable table_;
  const SqlDumpReader& reader_;
  TitlesAndNumbers& titles_;
  std::optional<PageLinkColumns> links_;
  std::uint64_t articles_ = 0, redirects_ = 0, elsewhere_ = 0, items_ = 0;
};

}  // namespace

std::vector<SqlSummary> summarize_sql_dumps(const std::vector<std::string>& files, const std::filesystem::path& folder,
                                            const StopFlag& stop) {
  std::vector<SqlSummary> summaries;
  TitlesAndNumbers titles(folder);
  std::optional<std::size_t> links;
  for (const auto& file : files) {
    extractors::dump::ByteSourceOptions options;
    options.stop = &stop;
    SqlDumpReader reader(extractors::dump::open_byte_source(file, options));
    const auto table = wiki_table_of(reader);
    TableFacts facts(table, reader, titles);
    SqlRow row;
    while (reader.next(row)) {
      if (reader.rows() % kRowsBetweenStops == 0) stop.check();
      facts.take(row);
    }
    if (table == WikiTable::kPagelinks) links = summaries.size();
    const auto& found = reader.table();
    summaries.push_back(
        {file, found.name, found.database, found.columns, reader.rows(), reader.offset(), facts.facts()});
  }
  if (const auto comparison = titles.comparison(); comparison && links) summaries[*links].facts.push_back(*comparison);
  return summaries;
}

}  // namespace touchstone::pipeline::inspection
