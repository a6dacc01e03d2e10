#pragma once

#include "extractors/dump/byte_source.hpp"
#include "extractors/json_pages/json_pages_source.hpp"
#include "extractors/page_source.hpp"
#include "extractors/site/page_tags.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// Dumps of Wikimedia Enterprise: an article a line, as a JSON object with the article's HTML.
namespace touchstone::extractors::enterprise {

/// Redirects are listed with the page that they lead to, without numbers of their own. They get numbers from here on,
/// in the order of the file; pages have lower ones.
inline constexpr std::uint32_t kFirstRedirect = std::uint32_t{1} << 31;

struct EnterpriseOptions {
  json_pages::LineReaderOptions lines;
  std::string language;                               ///< of the wiki; empty: as the dump says
  std::vector<std::string> disambiguation_templates;  ///< empty: those known for the language
  PageId before_first;                                ///< highest number that files in front of this one have used
};

/// The pages and redirects of a dump of Wikimedia Enterprise. Articles are read; pages of other namespaces are known by
/// title. Source: the data dictionary of Wikimedia Enterprise (enterprise.wikimedia.com/docs).
class EnterpriseSource : public PageSource {
 public:
  /// Reads the first lines for what they say of the wiki.
  EnterpriseSource(std::unique_ptr<dump::ByteSource> source, EnterpriseOptions options);

  std::optional<site::SiteInfo> site_info() override { return site_; }
  std::string license() const override { return license_; }
  /// \param last_page  RawBatch::last_page, the number of the last redirect
  void skip_to(std::uint64_t offset, PageId last_page) override;
  std::optional<RawBatch> next() override;
  SourceBatch read(RawBatch batch) const override;
  const std::string& name() const noexcept override { return lines_->source().name(); }
  std::uint64_t raw_offset() const noexcept override { return lines_->source().raw_offset(); }
  std::string raw_sha256() override { return lines_->source().raw_sha256(); }

 private:
  void read_site(std::string head);

  EnterpriseOptions options_;
  site::SiteInfo site_;
  std::string license_;
  std::optional<site::PageTags> tags_;           ///< never absent
  std::optional<json_pages::LineReader> lines_;  ///< never absent
  std::uint64_t last_redirect_;                  ///< number of the last redirect in front of the next batch
};

}  // namespace touchstone::extractors::enterprise
