#include "extractors/dump/dump_reader.hpp"

#include "common/error.hpp"
#include "extractors/dump/grouped_digits.hpp"
#include "extractors/dump/site_info_xml.hpp"

#include <algorithm>
#include <cstring>
#include <limits>
#include <utility>

namespace touchstone::extractors::dump {
using namespace internal;
using site::SiteInfo;
namespace {

constexpr std::size_t kMaxHeadBytes = std::size_t{16} << 20;
constexpr std::size_t kLongestTag = 24;  // enough of a tag to tell it apart
constexpr std::uint64_t kNoOffset = std::numeric_limits<std::uint64_t>::max();

/// `tag` followed by '>', a blank or '/': not the start of a longer name.
bool is_tag(std::string_view rest, std::string_view tag) {
  return rest.starts_with(tag) && rest.size() > tag.size() && std::strchr("> \t\r\n/", rest[tag.size()]) != nullptr;
}

}  // namespace

struct DumpReader::Impl {
  Impl(std::unique_ptr<ByteSource> input, DumpReaderOptions limits) : source(std::move(input)), options(limits) {}

  // The window holds bytes [window_offset, window_offset + window.size()) of the decompressed dump. Bytes before
  // `floor` are done with and are removed when more is read; the page being read starts at `floor`; scanning stands at
  // `at`. Within a page that outgrows the limit, bytes from `shed_from` (counted from floor) on are thrown away.
  std::unique_ptr<ByteSource> source;
  DumpReaderOptions options;
  std::string window;
  std::uint64_t window_offset = 0;
  std::size_t floor = 0, at = 0;
  std::size_t shed_from = 0;
  bool shed = false;
  bool source_ended = false;
  bool open_document = false;  // between <mediawiki> and </mediawiki>
  bool head_read = false;
  bool site_assumed = false, language_assumed = false;
  std::uint64_t zero_at = kNoOffset;  // the first zero byte
  SiteInfo site;
  std::string last_title;  // for messages

  std::uint64_t position() const { return window_offset + at; }
  std::string_view rest() const { return std::string_view(window).substr(at); }

  bool fill() {
    if (source_ended) return false;
    if (floor > 0) {
      window.erase(0, floor);
      window_offset += floor;
      at -= floor;
      floor = 0;
    }
    const std::size_t old_size = window.size();
    window.resize(old_size + options.read_bytes);
    const std::size_t got = source->read(window.data() + old_size, options.read_bytes);
    window.resize(old_size + got);
    source_ended = got == 0;
    if (const void* zero = zero_at == kNoOffset ? std::memchr(window.data() + old_size, 0, got) : nullptr)
      zero_at = window_offset + static_cast<std::uint64_t>(static_cast<const char*>(zero) - window.data());
    return got != 0;
  }

  /// Blocks that a disk or a network lost are often filled with zeros.
  void refuse_zeros() const {
    if (zero_at >= position() || !open_document) return;
    std::string text = source->name() + ": damaged at byte " + grouped_digits(zero_at) + " of its XML";
    if (!last_title.empty()) text += " (after page \"" + last_title + "\")";
    throw FormatError(text +
                      ", which has zero bytes instead of text; compare its size and checksum with the published "
                      "ones and download it again");
  }

  /// Removes window[begin, end) from the middle of a page; positions in the dump stay true for what follows.
  void cut_out(std::size_t begin, std::size_t end) {
    window.erase(begin, end - begin);
    window_offset += end - begin;
    at -= end - begin;
  }

  std::string where() const {
    std::string text =
        source->name() + ": truncated at byte " + grouped_digits(window_offset + window.size()) + " of its XML";
    if (!last_title.empty()) text += " (after page \"" + last_title + "\")";
    return text;
  }

  /// Moves `at` to the next '<' of which at least kLongestTag bytes (or all there are) are in the window.
  bool next_tag() {
    for (;;) {
      const void* found = at < window.size() ? std::memchr(window.data() + at, '<', window.size() - at) : nullptr;
      if (found != nullptr) {
        at = static_cast<std::size_t>(static_cast<const char*>(found) - window.data());
        refuse_zeros();
        if (window.size() - at >= kLongestTag || !fill()) return true;
        continue;
      }
      at = window.size();
      refuse_zeros();
      if (at - floor > options.max_page_bytes) {
        cut_out(floor + shed_from, at);
        shed = true;
      }
      if (!fill()) return false;
    }
  }

  void read_head() {
    if (head_read) return;
    bool have_site = false;
    shed_from = std::string::npos;
    const std::size_t page_limit = std::exchange(options.max_page_bytes, kMaxHeadBytes);
    while (!source_ended || at < window.size()) {
      if (window.size() >= kMaxHeadBytes) break;
      if (at == window.size() && !fill()) break;
      const void* found = std::memchr(window.data() + at, '<', window.size() - at);
      if (found == nullptr) {
        at = window.size();
        continue;
      }
      at = static_cast<std::size_t>(static_cast<const char*>(found) - window.data());
      while (window.size() - at < kLongestTag && fill()) {
      }
      if (is_tag(rest(), "<mediawiki")) open_document = true;
      if (is_tag(rest(), "</siteinfo")) {
        const auto begin = window.find("<siteinfo");
        const auto end = window.find('>', at);
        const auto root = window.find("<mediawiki");
        const auto root_end = root == std::string::npos ? root : window.find('>', root);
        if (begin == std::string::npos || end == std::string::npos || root_end == std::string::npos) break;
        language_assumed = !root_language(std::string_view(window).substr(root, root_end - root));
        site = read_site_info(std::string_view(window).substr(root, root_end - root),
                              std::string_view(window).substr(begin, end + 1 - begin), source->name());
        have_site = true;
        at = end;
        break;
      }
      if (is_tag(rest(), "<page") && open_document) {
        // Excerpts made by hand may lack it: the language of <mediawiki xml:lang="..."> then has to do.
        const auto language = root_language(std::string_view(window).substr(0, at));
        language_assumed = !language;
        site = SiteInfo::make_default(language.value_or("en"));
        site_assumed = have_site = true;
        break;
      }
      if (!(open_document || rest().starts_with("<?") || rest().starts_with("<!"))) break;
      ++at;
    }
    options.max_page_bytes = page_limit;
    if (!have_site) {
      if (open_document && source_ended) {
        throw FormatError(where() + " before the end of its <siteinfo>; download it again");
      }
      // A decompressor may hand out a damaged block before it finds its checksum wrong: let it say so first.
      while (window.size() < 2 * kMaxHeadBytes && fill()) {
      }
      throw FormatError(source->name() + ": not a MediaWiki XML dump (it does not start with <mediawiki>); " +
                        "give a pages-articles, pages-meta-current or history file");
    }
    floor = at;
    shed_from = 0;
    head_read = true;
  }

  enum class Found { kPage, kTooLarge, kEnd };

  /// Finds the next whole page and appends it to `bytes` (unless it is too large); `offset` is that of its `<page>`.
  Found next_page(std::string& bytes, std::uint64_t& offset) {
    shed_from = 0;
    for (;;) {
      floor = at;
      if (!next_tag()) {
        if (open_document)
          throw FormatError(where() + ": the closing </mediawiki> is missing; download the dump again");
        return Found::kEnd;
      }
      if (is_tag(rest(), "<page")) break;
      if (is_tag(rest(), "</mediawiki")) open_document = false;
      if (is_tag(rest(), "<mediawiki")) open_document = true;
      ++at;
    }
    floor = at;
    shed = false;
    offset = position();

    // Everything up to the first revision is the page's head; of the revisions only the last is kept.
    bool have_revision = false, head_too_large = false;
    const auto outgrown = [&] { return head_too_large || shed || at - floor > options.max_page_bytes; };
    ++at;
    for (;;) {
      if (!next_tag()) throw FormatError(where() + " within a page; download the dump again");
      const std::string_view tag = rest();
      const bool closes = is_tag(tag, "</page");
      // A damaged closing tag: hand over what there is, so that it is counted as malformed with its place.
      if (closes || is_tag(tag, "<page") || is_tag(tag, "</mediawiki")) {
        shed = outgrown();
        if (closes) at = std::min(window.size(), at + std::string_view("</page>").size());
        break;
      }
      if (is_tag(tag, "<revision")) {
        if (!have_revision) {
          have_revision = true;
          head_too_large = outgrown();
          shed_from = at - floor;
        } else {
          cut_out(floor + shed_from, at);
          shed = false;
        }
      }
      if (at - floor > options.max_page_bytes) {
        cut_out(floor + shed_from, at);
        shed = true;
      }
      ++at;
    }
    if (!shed) {
      bytes.append(window, floor, at - floor);
      remember_title(std::string_view(window).substr(floor, std::min<std::size_t>(at - floor, 1024)));
    }
    return shed ? Found::kTooLarge : Found::kPage;
  }

  void remember_title(std::string_view head) {
    const auto begin = head.find("<title>");
    const auto end = begin == std::string_view::npos ? begin : head.find("</title>", begin);
    if (end != std::string_view::npos) last_title.assign(head.substr(begin + 7, end - begin - 7));
  }
};

DumpReader::DumpReader(std::unique_ptr<ByteSource> source, DumpReaderOptions options)
    : impl_(std::make_unique<Impl>(std::move(source), options)) {}
DumpReader::~DumpReader() = default;

const SiteInfo& DumpReader::site_info() {
  impl_->read_head();
  return impl_->site;
}

bool DumpReader::site_info_assumed() {
  impl_->read_head();
  return impl_->site_assumed;
}

bool DumpReader::language_assumed() {
  impl_->read_head();
  return impl_->language_assumed;
}

ByteSource& DumpReader::source() {
  return *impl_->source;
}
const ByteSource& DumpReader::source() const {
  return *impl_->source;
}

void DumpReader::skip_to(std::uint64_t offset) {
  Impl& self = *impl_;
  self.read_head();
  while (self.position() < offset) {
    if (self.at == self.window.size()) {
      self.floor = self.at;
      if (!self.fill()) {
        throw FormatError(self.source->name() + ": shorter than at the last run, which had read " +
                          grouped_digits(offset) + " bytes of its XML; was it replaced while in use?");
      }
    }
    self.at +=
        static_cast<std::size_t>(std::min<std::uint64_t>(self.window.size() - self.at, offset - self.position()));
  }
}

std::optional<RawBatch> DumpReader::next() {
  Impl& self = *impl_;
  self.read_head();
  RawBatch batch;
  batch.bytes.reserve(self.options.batch_bytes + self.options.batch_bytes / 4);
  while (batch.bytes.size() < self.options.batch_bytes) {
    std::uint64_t offset = 0;
    const std::size_t begin = batch.bytes.size();
    const auto found = self.next_page(batch.bytes, offset);
    if (found == Impl::Found::kEnd) break;
    if (found == Impl::Found::kTooLarge) {
      batch.too_large.push_back(offset);
    } else {
      batch.records.push_back({begin, batch.bytes.size() - begin, offset});
    }
    batch.end_offset = self.position();
  }
  if (batch.records.empty() && batch.too_large.empty()) return std::nullopt;
  return batch;
}

}  // namespace touchstone::extractors::dump
