// Any bytes as the wikitext of a page: the reader must come back, with a document that keeps its own promises.
#include "common/unicode.hpp"
#include "extractors/document_json.hpp"
#include "extractors/wikitext/wikitext_parser.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>

namespace {

using namespace touchstone::extractors;
using touchstone::extractors::PageLoader;
using touchstone::extractors::site::SiteInfo;
using touchstone::extractors::wikitext::parse_wikitext;
using touchstone::extractors::wikitext::TemplateMode;
using touchstone::extractors::wikitext::TemplateRules;
using touchstone::extractors::wikitext::WikitextOptions;

void require(bool condition) {
  if (!condition) std::abort();
}

void check(const RichText& text) {
  require(touchstone::is_valid_utf8(text.text));
  const std::size_t length = touchstone::count_code_points(text.text);
  std::uint32_t last = 0;
  for (const Link& link : text.links) {
    require(link.begin >= last && link.begin <= link.end && link.end <= length);
    require(!link.target.text.empty());
    last = link.begin;
  }
}

void check(const Document& document) {
  require(!document.sections.empty() && document.sections[0].level == 0);
  for (std::size_t i = 1; i < document.sections.size(); ++i) {
    require(document.sections[i].parent < i);
    check(document.sections[i].heading);
  }
  for (const Block& block : document.blocks) {
    require(block.section < document.sections.size() && !block.content.text.empty());
    check(block.content);
  }
  for (const Table& table : document.tables) {
    require(table.section < document.sections.size());
    check(table.caption);
    for (const auto& row : table.cells) {
      require(row.size() == table.column_count());
      for (const Cell& cell : row) check(cell.content);
    }
  }
}

/// Has the text itself as every template, so that templates call each other and themselves.
class OwnText final : public PageLoader {
 public:
  explicit OwnText(std::string_view text) : text_(text) {}
  std::optional<std::string> load(const touchstone::Title& title) const override {
    if (title.text.size() > 3) return std::nullopt;
    return std::string(text_.substr(text_.size() / 4 * title.text.size()));
  }

 private:
  std::string_view text_;
};

/// A wiki whose forms for several scripts ("-{zh:a}-") are resolved, where the text may have some.
const SiteInfo& wiki_for(std::string_view text) {
  static const SiteInfo english = SiteInfo::make_default("en");
  static const SiteInfo chinese = SiteInfo::make_default("zh"), serbian = SiteInfo::make_default("sr");
  if (text.find("-{") == std::string_view::npos) return english;
  return text.find("zh") != std::string_view::npos ? chinese : serbian;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const TemplateRules rules = TemplateRules::built_in("en");
  static const touchstone::Title page{touchstone::kNamespaceUser, "Fuzz/Sub"};
  constexpr TemplateMode kModes[] = {TemplateMode::kRules, TemplateMode::kDrop, TemplateMode::kExpand};
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const OwnText loader(text);
  const SiteInfo& site = wiki_for(text);
  WikitextOptions options;
  options.collect_text = true;
  options.templates = kModes[size % 3];
  options.loader = &loader;
  const Document document = parse_wikitext(site, rules, page, text, options);
  check(document);
  document_to_json(document, site);
  return 0;
}
