#pragma once

#include "extractors/dump/dump_reader.hpp"
#include "extractors/page_loader.hpp"
#include "extractors/page_source.hpp"
#include "extractors/site/page_tags.hpp"
#include "extractors/wikitext/wikitext_parser.hpp"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace touchstone::extractors::wikitext_dump {

struct WikitextDumpOptions {
  dump::DumpReaderOptions reader;
  std::string language;  ///< of the wiki; empty: as the dump says
  wikitext::TemplateMode templates = wikitext::TemplateMode::kRules;
  std::vector<std::filesystem::path> template_rules;  ///< files with more rules, read after the built-in ones
  wikitext::WikimediaRules wikimedia_rules = wikitext::WikimediaRules::kAuto;
  std::vector<std::string> disambiguation_templates;  ///< empty: those known for the language
  std::optional<std::int64_t> now;                    ///< see WikitextOptions::now
};

/// The pages of a MediaWiki XML dump whose text is wikitext. Articles and redirects are read; all other pages are known
/// by title.
class WikitextDumpSource : public PageSource {
 public:
  /// Reads the head of the dump. Throws FormatError when the file is not a dump, ConfigError for a bad rule file.
  /// \param included  the pages that others include, for TemplateMode::kExpand; outlives this object
  WikitextDumpSource(std::unique_ptr<dump::ByteSource> source, const WikitextDumpOptions& options,
                     const PageLoader& included);

  std::optional<site::SiteInfo> site_info() override { return site_; }
  std::vector<std::string> warnings() const override;
  void skip_to(std::uint64_t offset, PageId last_page) override { reader_.skip_to(offset, last_page); }
  std::optional<RawBatch> next() override { return reader_.next(); }
  SourceBatch read(RawBatch batch) const override;
  void use(const KnownPages& known) override { known_ = &known; }
  void read_heads_only() override { heads_only_ = true; }
  std::vector<IncludedPage> included_pages(const RawBatch& batch) const override;
  const std::string& name() const noexcept override { return reader_.source().name(); }
  std::uint64_t raw_offset() const noexcept override { return reader_.source().raw_offset(); }
  std::string raw_sha256() override { return reader_.source().raw_sha256(); }

 private:
  SourcePage read_page(const dump::RawPage& raw) const;
  std::optional<Document> read_text(const dump::RawPage& raw, const Title& title, ReadingInputs& inputs) const;

  dump::DumpReader reader_;
  site::SiteInfo site_;
  bool site_assumed_ = false, language_assumed_ = false;
  wikitext::TemplateRules rules_;
  wikitext::WikitextOptions options_;
  std::optional<site::PageTags> tags_;  ///< never absent
  const KnownPages* known_ = nullptr;
  bool heads_only_ = false;
};

/// Title of a dump's `<title>` and `<ns>`: the number of the namespace is taken from the dump, and the prefix is cut
/// off.
Title title_of(const dump::RawPage& raw);

}  // namespace touchstone::extractors::wikitext_dump
