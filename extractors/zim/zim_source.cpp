#include "extractors/zim/zim_source.hpp"

#include "common/digest.hpp"
#include "common/error.hpp"
#include "common/unicode.hpp"
#include "extractors/html/html_page.hpp"
#include "extractors/html/xml_tree.hpp"
#include "extractors/site/page_tags.hpp"
#include "extractors/textbook/book_files.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include <fmt/format.h>
#include <unicode/locid.h>

namespace touchstone::extractors::zim {
namespace {

constexpr std::size_t kMaxTitleBytes = 1024;
constexpr std::size_t kBytesOfRecord = 64;  // what a redirect costs, so that batches of them end

/// Links by the paths of the entries of the file.
class ZimLinks : public html::LinkResolver {
 public:
  ZimLinks(const ZimArchive& archive, std::uint32_t page, const std::string& path)
      : archive_(archive), page_(page), path_(path) {}

  std::optional<Link> resolve(std::string_view href) const override {
    if (href.empty() || href.starts_with('#') || href.starts_with("//")) return std::nullopt;
    // Titles may hold colons, and an address of another site is no path of an entry.
    const auto path = href.starts_with('/') ? textbook::path_within("", href.substr(1))
                                            : textbook::path_within(path_, "./" + std::string(href));
    if (!path || path->empty()) return std::nullopt;
    const auto found = archive_.find(*path);
    if (!found || *found == page_) return std::nullopt;
    bool lost = false;
    const auto entry = archive_.entry(*found, lost);
    if (!entry) return std::nullopt;
    Link link;
    link.target.text = archive_.title(*found, *entry);
    link.fragment = textbook::fragment_of(href);
    return link;
  }

 private:
  const ZimArchive& archive_;
  std::uint32_t page_;
  const std::string& path_;
};

/// "eng" or "eng,fra" -> "en". Source: ISO 639-3, which ICU maps to the shorter codes that wikis have.
std::string language_code(std::string_view codes) {
  const auto first = std::string(codes.substr(0, codes.find_first_of(",;")));
  return icu::Locale(first.c_str()).getLanguage();
}

/// "en.wikipedia.org" or an address of a page there -> "https://en.wikipedia.org"; empty for other texts.
std::string origin_of(std::string_view source) {
  std::string_view scheme = "https://";
  for (const std::string_view written : {"https://", "http://"}) {
    if (source.starts_with(written)) scheme = written, source.remove_prefix(written.size());
  }
  const auto host = source.substr(0, source.find('/'));
  const bool is_host = host.find('.') != std::string_view::npos && host.find_first_of(" ,;@") == std::string_view::npos;
  return is_host ? fmt::format("{}{}", scheme, host) : std::string();
}

bool is_date(std::string_view text) {
  constexpr std::string_view kForm = "0000-00-00";
  return text.size() == kForm.size() && std::equal(text.begin(), text.end(), kForm.begin(), [](char c, char form) {
           return form == '-' ? c == '-' : c >= '0' && c <= '9';
         });
}

bool is_disambiguation(std::string_view html) {
  return html.find("mw:PageProp/disambiguation") != std::string_view::npos ||
         html.find("id=\"disambigbox\"") != std::string_view::npos;
}

/// The first part of a file that is split is named NAME.zimaa.
const std::filesystem::path& whole_file(const std::filesystem::path& path) {
  if (path.extension() != ".zimaa") return path;
  throw FormatError(
      fmt::format("{0}: is the first part of a split ZIM file; join the parts in the order of their "
                  "names (cat {1}?? > {1}) and give the result",
                  path.string(), std::filesystem::path(path).replace_extension(".zim").string()));
}

}  // namespace

ZimSource::ZimSource(const std::filesystem::path& path, ZimOptions options)
    : path_(path),
      name_(path.string()),
      options_(std::move(options)),
      archive_(whole_file(path), !options_.skip_damage) {
  read_site();
}

void ZimSource::read_site() {
  const auto language = options_.language.empty() ? language_code(archive_.metadata("Language")) : options_.language;
  site_ = site::SiteInfo::make_default(language.empty() ? "en" : language);
  site_.site_name = archive_.metadata("Title");
  if (site_.site_name.empty()) site_.site_name = archive_.metadata("Creator");
  site_.db_name = archive_.metadata("Name");
  site_.generator = archive_.metadata("Scraper");
  site_.start_page = archive_.main_title();
  site_.base_url = origin_of(archive_.metadata("Source"));
  // Of other sites it is not known what the address of a title is.
  if (!site_.base_url.empty() && site_.is_wikimedia()) site_.base_url += "/wiki/";
  // Titles are told apart by every letter.
  site_.first_letter = false;
  for (auto& space : site_.namespaces) space.first_letter = false;
  site_.finish();
  if (const auto date = archive_.metadata("Date"); is_date(date)) timestamp_ = date + "T00:00:00Z";
}

void ZimSource::prepare() {
  if (std::exchange(is_prepared_, true)) return;
  archive_.number_titles();
}

void ZimSource::skip_to(std::uint64_t offset, PageId /*last_page*/) {
  if (offset > archive_.count()) {
    throw FormatError(fmt::format("{}: has {} entries, but the last run had read {}; was it replaced while in use?",
                                  name_, archive_.count(), offset));
  }
  next_ = static_cast<std::uint32_t>(offset);
}

std::optional<RawBatch> ZimSource::next() {
  prepare();
  if (next_ == archive_.count()) return std::nullopt;
  RawBatch batch;
  while (next_ < archive_.count() &&
         batch.bytes.size() + batch.records.size() * kBytesOfRecord < options_.batch_bytes) {
    const auto index = next_++;
    try {
      take(index, batch);
    } catch (const FormatError& error) {
      if (!options_.skip_damage) throw;
      batch.remarks.push_back({PageIssue::kLostToDamage, fmt::format("entry {}: {}", index, error.what()), ""});
    }
  }
  batch.end_offset = next_;
  return batch;
}

void ZimSource::take(std::uint32_t index, RawBatch& batch) const {
  bool lost = false;
  const auto entry = archive_.entry(index, lost);
  if (lost) batch.remarks.push_back({PageIssue::kBadLink, fmt::format("entry {}: redirects to itself", index), ""});
  if (!entry) return;
  RawBatch::Record record{batch.bytes.size(), 0, index};
  if (!entry->target) {
    if (archive_.size(index) > options_.max_page_bytes) {
      batch.remarks.push_back({PageIssue::kTooLarge, fmt::format("\"{}\"", entry->path), ""});
      return;
    }
    batch.bytes += archive_.html(index);
    record.size = batch.bytes.size() - record.begin;
  }
  batch.records.push_back(record);
}

SourceBatch ZimSource::read(RawBatch batch) const {
  SourceBatch out;
  out.remarks = std::move(batch.remarks);
  for (const auto& record : batch.records) {
    read_page(record, std::string_view(batch.bytes).substr(record.begin, record.size), out);
  }
  return out;
}

void ZimSource::read_page(const RawBatch::Record& record, std::string_view html, SourceBatch& out) const {
  const auto index = static_cast<std::uint32_t>(record.place);
  bool lost = false;
  const auto entry = archive_.entry(index, lost);
  if (!entry) return;
  const auto leave_out = [&](PageIssue issue, std::string_view why) {
    out.remarks.push_back({issue, fmt::format("\"{}\": {}", entry->path, why), ""});
  };
  SourcePage page;
  auto& head = page.head;
  const auto number = std::uint64_t{options_.before_first.value} + index + 1;
  if (number > std::numeric_limits<std::uint32_t>::max()) {
    return leave_out(PageIssue::kBadNumber, "there are too many pages");
  }
  head.id.value = static_cast<std::uint32_t>(number);
  head.title.text = archive_.title(index, *entry);
  if (is_invisible(head.title.text) || head.title.text.size() > kMaxTitleBytes) {
    return leave_out(PageIssue::kBadTitle, fmt::format("a title has 1 to {} bytes", kMaxTitleBytes));
  }
  head.timestamp = timestamp_;
  head.model = "html";
  head.text_bytes = static_cast<std::uint32_t>(html.size());
  page.document.emplace();
  if (entry->target) {
    const auto target = archive_.entry(*entry->target, lost);
    if (!target) return;
    head.is_redirect = true;
    head.redirect.text = archive_.title(*entry->target, *target);
    head.content_digest = xxh3_128(head.redirect.text);
    page.document->redirect = head.redirect;
    page.document->sections.resize(1);
  } else {
    auto read = html::read_html(html, ZimLinks(archive_, index, entry->path));
    if (html.size() > html::kMaxTreeBytes) return leave_out(PageIssue::kTooLarge, "it is too large a tree of HTML");
    if (!read.readable) return leave_out(PageIssue::kNoText, "it holds no element of HTML");
    head.content_digest = xxh3_128(html);
    head.is_disambiguation = is_disambiguation(html);
    if (head.is_disambiguation) head.page_tags.emplace_back(site::kDisambiguationTag);
    page.document = std::move(read.document);
    if (page.document->counters.limits_hit > 0) {
      out.remarks.push_back({PageIssue::kLimitsHit, fmt::format("\"{}\"", entry->path), ""});
    }
  }
  out.pages.push_back(std::move(page));
}

std::uint64_t ZimSource::raw_offset() const noexcept {
  std::error_code error;
  const auto size = std::filesystem::file_size(path_, error);
  return error || archive_.count() == 0 ? 0 : size * next_.load(std::memory_order_relaxed) / archive_.count();
}

std::string ZimSource::raw_sha256() {
  return sha256_file(path_);
}

}  // namespace touchstone::extractors::zim
