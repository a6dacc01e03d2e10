#include "extractors/json_pages/json_pages_source.hpp"

#include "extractors/json_pages/page_line.hpp"

#include <limits>
#include <string_view>
#include <utility>

#include <fmt/format.h>

namespace touchstone::extractors::json_pages {
namespace {

constexpr const char* kModel = "text";  // MediaWiki's name for plain text

}  // namespace

SourceBatch JsonPagesSource::read(RawBatch batch) const {
  SourceBatch out;
  for (const auto line : batch.too_large) {
    out.remarks.push_back({PageIssue::kTooLarge, fmt::format("line {}", line), ""});
  }
  batch.bytes.append(padding(), ' ');
  PageLineReader reader;
  for (const auto& record : batch.records) {
    const auto text = std::string_view(batch.bytes).substr(record.begin, record.size);
    auto page = reader.read(text);
    if (!page) {
      const auto& error = page.error();
      out.remarks.push_back({error.issue, fmt::format("line {}: {}", record.place, error.detail), ""});
      continue;
    }
    if (record.place > std::numeric_limits<std::uint32_t>::max() - before_first_.value) {
      out.remarks.push_back({PageIssue::kBadNumber, fmt::format("line {}", record.place), ""});
      continue;
    }
    SourcePage entry;
    entry.head.id.value = before_first_.value + static_cast<std::uint32_t>(record.place);
    entry.head.title = std::move(page->title);
    entry.head.model = kModel;
    entry.head.qid = std::move(page->qid);
    entry.head.text_bytes = static_cast<std::uint32_t>(record.size);
    entry.head.content_digest = xxh3_128(text);
    entry.document = std::move(page->document);
    out.pages.push_back(std::move(entry));
  }
  return out;
}

}  // namespace touchstone::extractors::json_pages
