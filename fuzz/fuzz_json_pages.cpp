// Any bytes as JSON lines of pages, ours and those of Wikimedia Enterprise: every line becomes a page or a remark, the
// same ones however the bytes are cut into pieces and batches, and reading on from the end of a batch gives the rest.
#include "common/unicode.hpp"
#include "extractors/enterprise/enterprise_source.hpp"
#include "extractors/json_pages/json_pages_source.hpp"
#include "tests/support/memory_source.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace {

using namespace touchstone;
using namespace touchstone::extractors;
using namespace touchstone::extractors::json_pages;

void require(bool condition) {
  if (!condition) std::abort();
}

/// What can be told of a file: for each page its number, title and texts, and all remarks.
struct Reading {
  std::vector<std::pair<std::uint32_t, std::string>> pages;
  std::vector<std::string> remarks;
  std::vector<std::uint64_t> batch_ends;
  std::vector<PageId> last_pages;         ///< of the batch with the same number
  std::vector<std::size_t> pages_before;  ///< the end of the batch with the same number
};

void check(const Document& document) {
  require(!document.sections.empty() && document.sections.front().level == 0);
  for (std::size_t i = 1; i < document.sections.size(); ++i) {
    const auto& section = document.sections[i];
    require(section.level > 0 && section.parent < i && document.sections[section.parent].level < section.level);
  }
  for (const auto& block : document.blocks) {
    require(block.section < document.sections.size());
    require(is_valid_utf8(block.content.text));
    std::uint32_t begin = 0;
    for (const auto& link : block.content.links) {
      require(begin <= link.begin && link.begin <= link.end && !link.target.text.empty());
      require(link.end <= count_code_points(block.content.text));
      begin = link.begin;
    }
  }
}

template <class Source, class Options>
Reading read(const std::string& bytes, std::vector<std::size_t> pieces, std::size_t batch_bytes, std::uint64_t from = 0,
             PageId last_page = {}) {
  Options options;
  options.lines.batch_bytes = batch_bytes;
  options.lines.max_line_bytes = 2000;
  options.lines.read_bytes = 4096;
  Source source(std::make_unique<touchstone::testing::MemorySource>(bytes, std::move(pieces)), options);
  source.skip_to(from, last_page);
  Reading reading;
  while (auto batch = source.next()) {
    require(batch->end_offset <= bytes.size());
    reading.batch_ends.push_back(batch->end_offset);
    reading.last_pages.push_back(batch->last_page);
    const auto found = source.read(std::move(*batch));
    for (const auto& page : found.pages) {
      std::string text = page.head.title.text;
      require(!text.empty() && is_valid_utf8(text));
      if (page.document) check(*page.document);
      for (const auto& block : page.document ? page.document->blocks : std::vector<Block>())
        text += "\n" + block.content.text;
      reading.pages.emplace_back(page.head.id.value, text);
    }
    for (const auto& remark : found.remarks) {
      reading.remarks.push_back(std::string(describe(remark.issue).text) + remark.where);
    }
    reading.pages_before.push_back(reading.pages.size());
  }
  return reading;
}

template <class Source, class Options>
void check_readings(const std::string& bytes, const std::uint8_t* data) {
  const Reading whole = read<Source, Options>(bytes, {}, std::size_t{1} << 20);
  const std::vector<std::size_t> pieces = {1 + std::size_t{4} * data[0], std::size_t{1} + data[1] % 64};
  const Reading cut = read<Source, Options>(bytes, pieces, std::size_t{1} + data[2]);
  require(cut.pages == whole.pages);
  require(cut.remarks.size() == whole.remarks.size());
  if (cut.batch_ends.empty()) return;
  const std::size_t stop = data[0] % cut.batch_ends.size();
  auto rest =
      read<Source, Options>(bytes, pieces, std::size_t{1} + data[2], cut.batch_ends[stop], cut.last_pages[stop]);
  rest.pages.insert(rest.pages.begin(), cut.pages.begin(),
                    cut.pages.begin() + static_cast<std::ptrdiff_t>(cut.pages_before[stop]));
  require(rest.pages == whole.pages);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 4) return 0;
  const std::string bytes(reinterpret_cast<const char*>(data) + 3, size - 3);
  check_readings<JsonPagesSource, JsonPagesOptions>(bytes, data);
  check_readings<enterprise::EnterpriseSource, enterprise::EnterpriseOptions>(bytes, data);
  return 0;
}
