#include "extractors/textbook/book_source.hpp"

#include "common/error.hpp"
#include "common/unicode.hpp"
#include "extractors/html/html_page.hpp"
#include "extractors/html/xml_tree.hpp"

#include <algorithm>
#include <array>
#include <fstream>
#include <limits>
#include <set>
#include <utility>

#include <fmt/format.h>

namespace touchstone::extractors::textbook {
namespace {

constexpr std::size_t kMaxTitleBytes = 512;
constexpr std::size_t kHeadBytes = 1024;

/// Links by the titles of the pages of a book.
class BookLinks : public html::LinkResolver {
 public:
  BookLinks(const std::map<std::string, std::size_t>& pages, const std::vector<std::string>& titles,
            const std::string& from)
      : pages_(pages), titles_(titles), from_(from) {}

  std::optional<Link> resolve(std::string_view href) const override {
    auto found = pages_.find(std::string(href.substr(0, href.find('#'))));  // the id of a module
    if (found == pages_.end()) {
      const auto file = path_within(from_, href);
      if (!file) return std::nullopt;
      found = pages_.find(*file);
    }
    if (found == pages_.end() || found->second >= titles_.size()) return std::nullopt;
    Link link;
    link.target.text = titles_[found->second];
    link.fragment = fragment_of(href);
    return link;
  }

 private:
  const std::map<std::string, std::size_t>& pages_;
  const std::vector<std::string>& titles_;
  const std::string& from_;
};

/// One page, whatever its markup.
struct ReadPage {
  std::string title;
  Document document;
  std::string problem;
  std::uint64_t left_out = 0;
};

ReadPage read_page(std::string_view bytes, PageMarkup markup, const html::LinkResolver& links,
                   const CnxmlOptions& options) {
  if (markup == PageMarkup::kCnxml) {
    auto module = read_cnxml(bytes, links, options);
    return {std::move(module.title), std::move(module.document), std::move(module.problem), module.counts.left_out};
  }
  if (bytes.size() > html::kMaxTreeBytes) {
    return {"", {}, fmt::format("a page may have {} bytes", html::kMaxTreeBytes), 0};
  }
  auto page = html::read_html(bytes, links);
  return {std::move(page.title), std::move(page.document), page.readable ? "" : "it holds no element",
          page.navigation_left_out};
}

std::string shortened(std::string title) {
  if (title.size() > kMaxTitleBytes) {
    std::size_t end = kMaxTitleBytes;
    while (end > 0 && (static_cast<unsigned char>(title[end]) & 0xC0) == 0x80) --end;
    title.resize(end);
    while (title.ends_with(' ')) title.pop_back();
  }
  return title;
}

std::string stem_of(const std::string& file) {
  const auto path = std::filesystem::path(repair_utf8(file));
  return path.stem().string();
}

/// The id of the module that a file of a collection holds: the folder around it.
std::string module_id(const std::string& file) {
  return std::filesystem::path(file).parent_path().filename().string();
}

bool looks_like_html(const std::filesystem::path& path) {
  std::array<char, kHeadBytes> head{};
  std::ifstream file(path, std::ios::binary);
  file.read(head.data(), head.size());
  std::string text(head.data(), static_cast<std::size_t>(file.gcount()));
  text.erase(std::remove(text.begin(), text.end(), '\0'), text.end());  // UTF-16
  text = lower_case(repair_utf8(text));
  const auto start = text.find_first_not_of(" \t\r\n\f\uFEFF");
  if (start == std::string::npos || text[start] != '<') return false;
  if (text.find("<mediawiki") != std::string::npos) return false;
  return text.find("<!doctype html") != std::string::npos || text.find("<html") != std::string::npos ||
         text.find("<body") != std::string::npos || text.find("<h1") != std::string::npos;
}

}  // namespace

BookSource::BookSource(std::unique_ptr<BookFiles> files, Book book, std::string name, const BookSourceOptions& options)
    : files_(std::move(files)), book_(std::move(book)), name_(std::move(name)), options_(options) {
  warnings_ = files_->warnings();
  warnings_.insert(warnings_.end(), book_.warnings.begin(), book_.warnings.end());
  name_pages();
}

void BookSource::name_pages() {
  std::uint64_t left_out = 0;
  std::vector<std::string> own(book_.pages.size());
  std::map<std::string, std::size_t> uses;
  for (std::size_t i = 0; i < own.size(); ++i) {
    const auto& page = book_.pages[i];
    pages_.emplace(page.file, i);
    if (book_.markup == PageMarkup::kCnxml) pages_.emplace(module_id(page.file), i);
    std::string title = page.label;
    if (const auto bytes = files_->read(page.file)) {
      const BookLinks none(pages_, titles_, page.file);
      auto read = read_page(*bytes, book_.markup, none, options_.cnxml);
      left_out += read.left_out;
      if (title.empty()) title = std::move(read.title);
    }
    if (is_invisible(title)) title = stem_of(page.file);
    own[i] = shortened(nfc(title));
    ++uses[own[i]];
  }
  std::set<std::string> taken;
  std::size_t renamed = 0;
  for (std::size_t i = 0; i < own.size(); ++i) {
    std::string title = own[i];
    const auto& chapter = book_.pages[i].chapter;
    if (uses[title] > 1 && !chapter.empty()) title = shortened(fmt::format("{} ({})", title, nfc(chapter)));
    const auto first = title;
    for (int number = 2; !taken.insert(title).second; ++number) title = fmt::format("{} ({})", first, number);
    renamed += title != own[i] ? 1 : 0;
    titles_.push_back(std::move(title));
  }
  if (renamed > 0) {
    warnings_.push_back(fmt::format(
        "{}: {} pages have the title of another one; their part of the book or a number was added", name_, renamed));
  }
  if (left_out > 0) {
    warnings_.push_back(book_.markup == PageMarkup::kCnxml
                            ? fmt::format("{}: {} exercises, solutions and summaries were left out", name_, left_out)
                            : fmt::format("{}: {} menus, headers, footers and forms were left out", name_, left_out));
  }
}

void BookSource::skip_to(std::uint64_t offset, PageId /*last_page*/) {
  if (offset > book_.pages.size()) {
    throw FormatError(fmt::format("{}: has {} pages, but the last run had read {}; was it replaced while in use?",
                                  name_, book_.pages.size(), offset));
  }
  next_ = static_cast<std::size_t>(offset);
}

std::optional<RawBatch> BookSource::next() {
  if (next_ == book_.pages.size()) return std::nullopt;
  RawBatch batch;
  while (next_ < book_.pages.size() && batch.bytes.size() < options_.batch_bytes) {
    auto bytes = files_->read(book_.pages[next_].file);
    if (bytes) {
      read_bytes_ += bytes->size();
      batch.records.push_back({batch.bytes.size(), bytes->size(), next_});
      batch.bytes += *bytes;
    } else {
      batch.too_large.push_back(next_);
    }
    ++next_;
  }
  batch.end_offset = next_;
  return batch;
}

SourceBatch BookSource::read(RawBatch batch) const {
  SourceBatch out;
  for (const auto page : batch.too_large) {
    out.remarks.push_back({PageIssue::kTooLarge, book_.pages[page].file, ""});
  }
  for (const auto& record : batch.records) {
    const auto& file = book_.pages[record.place].file;
    const auto text = std::string_view(batch.bytes).substr(record.begin, record.size);
    auto page = read_page(text, book_.markup, BookLinks(pages_, titles_, file), options_.cnxml);
    const auto number = std::uint64_t{options_.before_first.value} + record.place + 1;
    if (!page.problem.empty() || number > std::numeric_limits<std::uint32_t>::max()) {
      const auto issue = page.problem.empty()                ? PageIssue::kBadNumber
                         : record.size > html::kMaxTreeBytes ? PageIssue::kTooLarge
                                                             : PageIssue::kMalformedXml;
      out.remarks.push_back({issue, fmt::format("{}: {}", file, page.problem), ""});
      continue;
    }
    if (page.document.counters.limits_hit > 0) out.remarks.push_back({PageIssue::kLimitsHit, file, ""});
    SourcePage entry;
    entry.head.id.value = static_cast<std::uint32_t>(number);
    entry.head.title.text = titles_[record.place];
    entry.head.model = book_.markup == PageMarkup::kCnxml ? "cnxml" : "html";
    entry.head.text_bytes = static_cast<std::uint32_t>(record.size);
    entry.head.content_digest = xxh3_128(text);
    entry.document = std::move(page.document);
    out.pages.push_back(std::move(entry));
  }
  return out;
}

std::unique_ptr<BookSource> open_book(const std::filesystem::path& path, const BookSourceOptions& options) {
  std::error_code error;
  const bool folder = std::filesystem::is_directory(path, error);
  // A pipe can be read once only, and JSON lines may come through one.
  if (!folder && !std::filesystem::is_regular_file(path, error)) return nullptr;
  auto files = open_book_files(path, options.limits);
  const bool single = !folder && files->names().size() == 1 && files->names().front() == path.filename().string();
  if (single && !looks_like_html(path)) return nullptr;
  auto book = single ? std::nullopt : read_epub(*files, path.string());
  if (!book && !single) book = read_collection(*files, path.string());
  if (!book) book = read_html_folder(*files, single);
  if (book->pages.empty()) {
    throw FormatError(fmt::format(
        "{}: no pages were found; --pages reads OpenStax collections, EPUB, HTML (a file or a folder) and JSON lines",
        path.string()));
  }
  return std::make_unique<BookSource>(std::move(files), std::move(*book), path.string(), options);
}

}  // namespace touchstone::extractors::textbook
