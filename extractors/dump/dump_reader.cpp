#include "extractors/dump/dump_reader.hpp"

#include "common/error.hpp"
#include "common/number_text.hpp"
#include "extractors/dump/raw_file.hpp"
#include "extractors/dump/sax_reader.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include <fmt/format.h>

namespace touchstone::extractors::dump {
using namespace internal;
using site::Namespace;
using site::SiteInfo;
namespace {

constexpr std::size_t kMaxNamespaces = 10'000;

class SiteInfoHandler : public SaxHandler {
 public:
  SiteInfo site;

  void start(std::string_view name, Attributes attributes) override {
    text_.clear();
    if (name != "namespace") return;
    Namespace entry;
    const auto key = to_number<std::int32_t>(attribute_value("key", attributes));
    valid_namespace_ = key.has_value();
    entry.id = key.value_or(0);
    entry.first_letter = attribute_value("case", attributes) != "case-sensitive";
    if (valid_namespace_ && site.namespaces.size() < kMaxNamespaces) site.namespaces.push_back(std::move(entry));
  }
  void text(std::string_view piece) override { text_.append(piece); }
  void end(std::string_view name) override {
    if (name == "sitename") site.site_name = text_;
    if (name == "dbname") site.db_name = text_;
    if (name == "base") site.base_url = text_;
    if (name == "generator") site.generator = text_;
    if (name == "case") site.first_letter = text_ != "case-sensitive";
    if (name == "namespace" && valid_namespace_ && !site.namespaces.empty()) site.namespaces.back().name = text_;
    text_.clear();
  }

 private:
  std::string text_;
  bool valid_namespace_ = false;
};

/// Language code of the `<mediawiki ... xml:lang="..">` in `head`; nothing if it names none.
std::optional<std::string> root_language(std::string_view head) {
  constexpr std::string_view kAttribute = "xml:lang=";
  const auto found = head.find(kAttribute);
  if (found == std::string_view::npos) return std::nullopt;
  const std::string_view value = head.substr(found + kAttribute.size());
  if (value.size() < 2 || (value.front() != '"' && value.front() != '\'')) return std::nullopt;
  std::string language(value.substr(1, value.find(value.front(), 1) - 1));
  return language.empty() ? std::nullopt : std::optional(std::move(language));
}

/// Reads `<siteinfo>...</siteinfo>`; `root_tag` is the `<mediawiki ...` start tag, for xml:lang. Throws FormatError.
SiteInfo read_site_info(std::string_view root_tag, std::string_view siteinfo, const std::string& file_name) {
  SiteInfoHandler handler;
  if (!read_xml(siteinfo, handler)) {
    throw FormatError(file_name + ": its <siteinfo> is not well-formed XML; download the dump again");
  }
  if (handler.site.namespaces.empty()) {
    throw FormatError(file_name + ": its <siteinfo> lists no namespaces, so links cannot be told apart; " +
                      "use a dump made by Special:Export, dumpBackup.php or the dump servers");
  }
  handler.site.language = root_language(root_tag).value_or("en");
  handler.site.finish();
  return std::move(handler.site);
}

/// A stream of a multistream dump has 100 pages.
constexpr std::size_t kMostPagesBefore = 10'000;
constexpr std::size_t kMaxHeadBytes = std::size_t{16} << 20;
constexpr std::size_t kLongestTag = 24;  // enough of a tag to tell it apart

/// `tag` followed by '>', a blank or '/': not the start of a longer name.
bool is_tag(std::string_view rest, std::string_view tag) {
  constexpr std::string_view kBehind = "> \t\r\n/";
  return rest.starts_with(tag) && rest.size() > tag.size() && kBehind.find(rest[tag.size()]) != std::string_view::npos;
}

}  // namespace

bool DumpReader::fill() {
  if (source_ended_) return false;
  if (floor_ > 0) {
    window_.erase(0, floor_);
    window_offset_ += floor_;
    at_ -= floor_;
    floor_ = 0;
  }
  const std::size_t old_size = window_.size();
  window_.resize(old_size + options_.read_bytes);
  const std::size_t got = source_->read(window_.data() + old_size, options_.read_bytes);
  window_.resize(old_size + got);
  source_ended_ = got == 0;
  if (zero_at_ == kNoOffset) find_zero(old_size);
  return got != 0;
}

void DumpReader::find_zero(std::size_t from) {
  const auto found = window_.find('\0', from);
  zero_at_ = found == std::string::npos ? kNoOffset : window_offset_ + found;
}

/// Blocks that a disk or a network lost are often filled with zeros.
void DumpReader::look_for_zeros() {
  if (zero_at_ >= position() || !open_document_) return;
  if (options_.skip_damage) {
    damaged_ = true;
    find_zero(at_);
    return;
  }
  std::string text = source_->name() + ": damaged at byte " + grouped_digits(zero_at_) + " of its XML";
  if (!last_title_.empty()) text += " (after page \"" + last_title_ + "\")";
  throw FormatError(text +
                    ", which has zero bytes instead of text; compare its size and checksum with the published "
                    "ones and download it again, or pass over the damage with --set ingest.on_damage=skip");
}

void DumpReader::miss_end(const std::string& what) {
  if (!options_.skip_damage) throw FormatError(where() + what);
  in_gap_ = true;
  open_document_ = false;
}

/// Ends a gap in front of a page, or at the end of the dump (0).
void DumpReader::close_gap(PageId next, RawBatch& batch) {
  if (!std::exchange(in_gap_, false)) return;
  auto lost = options_.lost ? options_.lost(last_page_, next) : std::vector<std::string>();
  for (auto& text : lost) batch.remarks.push_back({PageIssue::kLostToDamage, std::move(text), ""});
  if (!lost.empty()) return;
  auto text = next.value == 0 ? std::string("at the end") : fmt::format("in front of page {}", next.value);
  if (!last_title_.empty()) text += ", behind \"" + last_title_ + "\"";
  batch.remarks.push_back({PageIssue::kLostAtPlace, std::move(text), ""});
}

/// Removes the bytes [begin, end) of the window from the middle of a page; positions in the dump stay true for what
/// follows.
void DumpReader::cut_out(std::size_t begin, std::size_t end) {
  window_.erase(begin, end - begin);
  window_offset_ += end - begin;
  at_ -= end - begin;
}

std::string DumpReader::where() const {
  std::string text =
      source_->name() + ": truncated at byte " + grouped_digits(window_offset_ + window_.size()) + " of its XML";
  if (!last_title_.empty()) text += " (after page \"" + last_title_ + "\")";
  return text;
}

/// Moves `at_` to the next '<' of which at least kLongestTag bytes (or all there are) are in the window.
bool DumpReader::next_tag() {
  for (;;) {
    const void* found = at_ < window_.size() ? std::memchr(window_.data() + at_, '<', window_.size() - at_) : nullptr;
    if (found != nullptr) {
      at_ = static_cast<std::size_t>(static_cast<const char*>(found) - window_.data());
      look_for_zeros();
      if (window_.size() - at_ >= kLongestTag || !fill()) return true;
      continue;
    }
    at_ = window_.size();
    look_for_zeros();
    if (at_ - floor_ > options_.max_page_bytes) {
      cut_out(floor_ + shed_from_, at_);
      shed_ = true;
    }
    if (!fill()) return false;
  }
}

void DumpReader::read_head() {
  if (head_read_) return;
  bool have_site = false;
  shed_from_ = std::string::npos;
  const std::size_t page_limit = std::exchange(options_.max_page_bytes, kMaxHeadBytes);
  while (!source_ended_ || at_ < window_.size()) {
    if (window_.size() >= kMaxHeadBytes) break;
    if (at_ == window_.size() && !fill()) break;
    const void* found = std::memchr(window_.data() + at_, '<', window_.size() - at_);
    if (found == nullptr) {
      at_ = window_.size();
      continue;
    }
    at_ = static_cast<std::size_t>(static_cast<const char*>(found) - window_.data());
    while (window_.size() - at_ < kLongestTag && fill()) {
    }
    if (is_tag(rest(), "<mediawiki")) open_document_ = true;
    if (is_tag(rest(), "</siteinfo")) {
      const auto begin = window_.find("<siteinfo");
      const auto end = window_.find('>', at_);
      const auto root = window_.find("<mediawiki");
      const auto root_end = root == std::string::npos ? root : window_.find('>', root);
      if (begin == std::string::npos || end == std::string::npos || root_end == std::string::npos) break;
      language_assumed_ = !root_language(std::string_view(window_).substr(root, root_end - root));
      site_ = read_site_info(std::string_view(window_).substr(root, root_end - root),
                             std::string_view(window_).substr(begin, end + 1 - begin), source_->name());
      have_site = true;
      at_ = end;
      break;
    }
    if (is_tag(rest(), "<page") && open_document_) {
      // Excerpts made by hand may lack it: the language of <mediawiki xml:lang="..."> then has to do.
      const auto language = root_language(std::string_view(window_).substr(0, at_));
      language_assumed_ = !language;
      site_ = SiteInfo::make_default(language.value_or("en"));
      site_assumed_ = have_site = true;
      break;
    }
    if (!(open_document_ || rest().starts_with("<?") || rest().starts_with("<!"))) break;
    ++at_;
  }
  options_.max_page_bytes = page_limit;
  if (!have_site) {
    if (open_document_ && source_ended_) {
      throw FormatError(where() + " before the end of its <siteinfo>; download it again");
    }
    // A decompressor may hand out a damaged block before it finds its checksum wrong: let it say so first.
    while (window_.size() < 2 * kMaxHeadBytes && fill()) {
    }
    throw FormatError(source_->name() + ": not a MediaWiki XML dump (it does not start with <mediawiki>); " +
                      "give a pages-articles, pages-meta-current or history file");
  }
  floor_ = at_;
  shed_from_ = 0;
  head_read_ = true;
}

/// Finds the next whole page and appends it to `bytes` (unless it is too large); `offset` is that of its `<page>`.
DumpReader::Found DumpReader::next_page(std::string& bytes, std::uint64_t& offset) {
  shed_from_ = 0;
  for (;;) {
    floor_ = at_;
    if (!next_tag()) {
      if (open_document_) miss_end(": the closing </mediawiki> is missing; download the dump again");
      in_gap_ |= std::exchange(damaged_, false);
      return Found::kEnd;
    }
    if (is_tag(rest(), "<page")) break;
    if (is_tag(rest(), "</mediawiki")) open_document_ = false;
    if (is_tag(rest(), "<mediawiki")) open_document_ = true;
    ++at_;
  }
  floor_ = at_;
  shed_ = false;
  in_gap_ |= std::exchange(damaged_, false);
  offset = position();

  // Everything up to the first revision is the page's head; of the revisions only the last is kept.
  bool have_revision = false, head_too_large = false;
  const auto outgrown = [&] { return head_too_large || shed_ || at_ - floor_ > options_.max_page_bytes; };
  ++at_;
  for (;;) {
    if (!next_tag()) {
      miss_end(" within a page; download the dump again");
      damaged_ = false;
      return Found::kEnd;
    }
    const std::string_view tag = rest();
    const bool closes = is_tag(tag, "</page");
    // A damaged closing tag: hand over what there is, so that it is counted as malformed with its place.
    if (closes || is_tag(tag, "<page") || is_tag(tag, "</mediawiki")) {
      shed_ = outgrown();
      if (closes) at_ = std::min(window_.size(), at_ + std::string_view("</page>").size());
      break;
    }
    if (is_tag(tag, "<revision")) {
      if (!have_revision) {
        have_revision = true;
        head_too_large = outgrown();
        shed_from_ = at_ - floor_;
      } else {
        cut_out(floor_ + shed_from_, at_);
        shed_ = false;
      }
    }
    if (at_ - floor_ > options_.max_page_bytes) {
      cut_out(floor_ + shed_from_, at_);
      shed_ = true;
    }
    ++at_;
  }
  if (std::exchange(damaged_, false)) {
    in_gap_ = true;
    return Found::kDamaged;
  }
  if (!shed_) {
    bytes.append(window_, floor_, at_ - floor_);
    remember_title(std::string_view(window_).substr(floor_, std::min<std::size_t>(at_ - floor_, 1024)));
  }
  return shed_ ? Found::kTooLarge : Found::kPage;
}

void DumpReader::remember_title(std::string_view head) {
  const auto begin = head.find("<title>");
  const auto end = begin == std::string_view::npos ? begin : head.find("</title>", begin);
  if (end != std::string_view::npos) last_title_.assign(head.substr(begin + 7, end - begin - 7));
}

DumpReader::DumpReader(std::unique_ptr<ByteSource> source, DumpReaderOptions options)
    : source_(std::move(source)), options_(std::move(options)) {}

/// Goes on behind a page that ends at `offset`, in a source that begins shortly before it. False if it is not there.
bool DumpReader::seek_behind(PageId last_page, std::uint64_t offset) {
  if (last_page.value == 0 || offset == 0 || options_.open_before == nullptr) return false;
  try {
    auto source = options_.open_before(last_page);
    if (source == nullptr) return false;
    DumpReader near(std::move(source), options_);
    near.head_read_ = near.open_document_ = true;
    std::string bytes;
    std::uint64_t begin = 0;
    for (std::size_t pages = 0; pages < kMostPagesBefore; ++pages, bytes.clear()) {
      if (near.next_page(bytes, begin) == Found::kEnd) return false;
      if (page_number(bytes) != last_page) continue;
      near.window_.erase(0, near.at_);
      near.window_offset_ = offset;
      near.floor_ = near.at_ = 0;
      near.find_zero(0);
      near.site_ = std::move(site_);
      near.site_assumed_ = site_assumed_;
      near.language_assumed_ = language_assumed_;
      *this = std::move(near);
      return true;
    }
  } catch (const FormatError&) {  // reading from the beginning tells what is wrong
  }
  return false;
}

void DumpReader::skip_to(std::uint64_t offset, PageId last_page) {
  read_head();
  if (seek_behind(last_page, offset)) return;
  if (options_.skip_damage) {  // the page in front of the next damage must be known
    std::string bytes;
    std::uint64_t begin = 0;
    for (auto found = Found::kPage; position() < offset && found != Found::kEnd; bytes.clear()) {
      found = next_page(bytes, begin);
      if (found != Found::kPage) continue;
      last_page_ = page_number(bytes);
      in_gap_ = false;
    }
  }
  while (position() < offset) {
    if (at_ == window_.size()) {
      floor_ = at_;
      if (!fill()) {
        throw FormatError(source_->name() + ": shorter than at the last run, which had read " + grouped_digits(offset) +
                          " bytes of its XML; was it replaced while in use?");
      }
    }
    at_ += static_cast<std::size_t>(std::min<std::uint64_t>(window_.size() - at_, offset - position()));
  }
}

std::optional<RawBatch> DumpReader::next() {
  read_head();
  RawBatch batch;
  batch.bytes.reserve(options_.batch_bytes + options_.batch_bytes / 4);
  while (batch.bytes.size() < options_.batch_bytes) {
    std::uint64_t offset = 0;
    const std::size_t begin = batch.bytes.size();
    const auto found = next_page(batch.bytes, offset);
    if (found == Found::kEnd) {
      close_gap(PageId{0}, batch);
      if (!batch.remarks.empty()) batch.end_offset = position();
      break;
    }
    if (found == Found::kTooLarge) {
      batch.too_large.push_back(offset);
    } else if (found == Found::kPage) {
      batch.records.push_back({begin, batch.bytes.size() - begin, offset});
      if (options_.skip_damage) {
        const auto page = page_number(std::string_view(batch.bytes).substr(begin));
        close_gap(page, batch);
        last_page_ = page;
      }
    }
    if (!in_gap_) batch.end_offset = position();
  }
  if (batch.records.empty() && batch.too_large.empty() && batch.remarks.empty()) return std::nullopt;
  const auto last = batch.records.empty() ? RawBatch::Record{} : batch.records.back();
  if (batch.too_large.empty() || batch.too_large.back() < last.place)
    batch.last_page = page_number(std::string_view(batch.bytes).substr(last.begin));
  return batch;
}

}  // namespace touchstone::extractors::dump
