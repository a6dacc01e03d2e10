#pragma once

#include "extractors/page_source.hpp"
#include "extractors/zim/zim_archive.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

/// ZIM files: offline copies of wikis and other sites, as Kiwix reads them.
namespace touchstone::extractors::zim {

struct ZimOptions {
  std::string language;                                 ///< of the site; empty: as the file says
  std::size_t batch_bytes = std::size_t{1} << 20;       ///< a batch ends with the page that reaches this size
  std::size_t max_page_bytes = std::size_t{256} << 20;  ///< of HTML; larger pages are left out and counted
  bool skip_damage = false;                             ///< leave out what is damaged, instead of an error
  PageId before_first;                                  ///< the entry at position n, from 1, is page before_first + n
};

/// The pages of a ZIM file: its articles of HTML and the redirects to them, in the order of their paths. A link to
/// another entry becomes a link to its title. Images, styles and metadata are no pages.
class ZimSource : public PageSource {
 public:
  /// Throws FormatError for a damaged file and for the first part of one that is split.
  ZimSource(const std::filesystem::path& path, ZimOptions options);

  std::optional<site::SiteInfo> site_info() override { return site_; }
  std::string license() const override { return archive_.metadata("License"); }
  std::vector<std::string> warnings() const override { return warnings_; }
  void skip_to(std::uint64_t offset, PageId last_page) override;
  std::optional<RawBatch> next() override;
  SourceBatch read(RawBatch batch) const override;
  const std::string& name() const noexcept override { return name_; }
  std::uint64_t raw_offset() const noexcept override;
  std::string raw_sha256() override;

 private:
  void read_site();
  void prepare();
  void take(std::uint32_t index, RawBatch& batch) const;
  void read_page(const RawBatch::Record& record, std::string_view html, SourceBatch& out) const;

  std::filesystem::path path_;
  std::string name_;
  ZimOptions options_;
  ZimArchive archive_;
  site::SiteInfo site_;
  std::string timestamp_;  ///< of all pages: the date of the file; empty where it is not known
  std::vector<std::string> warnings_;
  bool is_prepared_ = false;
  std::atomic<std::uint32_t> next_{0};
};

}  // namespace touchstone::extractors::zim
