#include "extractors/textbook/book_source.hpp"

#include "common/error.hpp"
#include "common/unicode.hpp"
#include "extractors/file_format/file_format.hpp"
#include "extractors/site/page_tags.hpp"
#include "extractors/textbook/book_navigation.hpp"
#include "extractors/textbook/page_reading.hpp"
#include "extractors/textbook/page_survey.hpp"
#include "extractors/textbook/tqa_files.hpp"

#include <algorithm>
#include <limits>
#include <set>
#include <utility>

#include <fmt/format.h>

namespace touchstone::extractors::textbook {
namespace {

constexpr std::size_t kMaxTitleBytes = 512;

/// Links by the titles of the pages of a book.
class BookLinks : public html::LinkResolver {
 public:
  /// \param titles    that pages have in the corpus
  /// \param headings  of pages that are sections there; empty for the others
  BookLinks(const std::map<std::string, std::size_t>& pages, const std::vector<std::string>& titles,
            const std::vector<std::string>& headings, const std::string& from, const std::string& root)
      : pages_(pages), titles_(titles), headings_(headings), from_(from), root_(root) {}

  std::optional<Link> resolve(std::string_view href) const override {
    auto found = pages_.find(std::string(href.substr(0, href.find('#'))));  // the id of a module
    if (found == pages_.end()) {
      const bool from_root = href.starts_with('/') && !href.starts_with("//");
      const auto path = from_root ? path_within(root_, href.substr(1)) : path_within(from_, href);
      if (!path) return std::nullopt;
      found = find_page(*path);
    }
    if (found == pages_.end() || found->second >= titles_.size()) return std::nullopt;
    Link link;
    link.target.text = titles_[found->second];
    link.fragment = fragment_of(href);
    if (link.fragment.empty()) link.fragment = headings_[found->second];
    return link;
  }

 private:
  /// The page of a path, as sites serve it: a file, the index of a folder, or a file without its ending.
  std::map<std::string, std::size_t>::const_iterator find_page(const std::string& path) const {
    auto found = pages_.find(path);
    const std::string folder = path.empty() ? path : path + "/";
    for (const char* index : {"index.html", "index.htm", "index.xhtml", "index.md", "README.md", "_index.md",
                              "index.mdx", "readme.md", "start.txt"}) {
      if (found == pages_.end()) found = pages_.find(folder + index);
    }
    const auto stem = path.ends_with(".html") ? path.substr(0, path.size() - 5) : path;
    for (const char* ending : {".html", ".htm", ".xhtml", ".md", ".mdx", ".markdown", ".txt", ".rst", ".org"}) {
      if (found == pages_.end()) found = pages_.find(stem + ending);
    }
    return found;
  }

  const std::map<std::string, std::size_t>& pages_;
  const std::vector<std::string>&titles_, &headings_;
  const std::string &from_, &root_;
};

std::string shortened(std::string title) {
  if (title.size() > kMaxTitleBytes) {
    std::size_t end = kMaxTitleBytes;
    while (end > 0 && (static_cast<unsigned char>(title[end]) & 0xC0) == 0x80) --end;
    title.resize(end);
    while (title.ends_with(' ')) title.pop_back();
  }
  return title;
}

/// What a page without a title is called: its file, or the folder whose index it is.
std::string stem_of(const std::string& file) {
  const auto path = std::filesystem::path(repair_utf8(file));
  if (is_index(file) && path.has_parent_path()) return path.parent_path().filename().string();
  return path.stem().string();
}

/// The path that the slug of a page gives it.
std::optional<std::string> path_of_slug(const BookPage& page, const std::string& root) {
  if (page.slug.empty()) return std::nullopt;
  return page.slug.starts_with('/') ? path_within(root, page.slug.substr(1)) : path_within(page.file, page.slug);
}

/// The id of the module that a file of a collection holds: the folder around it.
std::string module_id(const std::string& file) {
  return std::filesystem::path(file).parent_path().filename().string();
}

/// The parts of the book around a unit.
std::vector<std::string> parts_around(const Unit& unit) {
  auto parts = unit.parts;
  if (!unit.title.empty() && !parts.empty()) parts.pop_back();
  return parts;
}

[[noreturn]] void throw_no_pages(const std::string& name, const Book& book, const BookFiles& files) {
  if (!files.warnings().empty()) throw FormatError(files.warnings().front() + "; no pages were found in what is left");
  if (book.unread.empty()) {
    throw FormatError(fmt::format("{}: no pages were found; {}", name, file_format::kFormatsRead));
  }
  throw FormatError(fmt::format("{}: no pages were found among {} files of other formats: {}", name, book.unread.size(),
                                book.unread.front()));
}

}  // namespace

BookSource::BookSource(std::unique_ptr<BookFiles> files, Book book, std::string name, const BookSourceOptions& options)
    : files_(std::move(files)), book_(std::move(book)), name_(std::move(name)), options_(options) {
  warnings_ = files_->warnings();
  warnings_.insert(warnings_.end(), book_.warnings.begin(), book_.warnings.end());
  survey_pages();
  cut_into_units();
}

void BookSource::survey_pages() {
  std::map<std::string_view, std::uint64_t> left_out;
  std::vector<SurveyedPage> surveyed;
  std::map<std::string, std::size_t> languages;
  for (auto& page : book_.pages) {
    SurveyedPage one;
    one.title = page.label;
    if (const auto bytes = files_->read(page.file)) {
      const BookLinks none(pages_, titles_, headings_, page.file, book_.root);
      auto read = read_page(*bytes, page, book_, none, options_.cnxml);
      for (const auto& [what, count] : read.left_out) left_out[what] += count;
      if (one.title.empty()) one.title = std::move(read.title);
      one.index = std::move(read.index);
      if (!read.language.empty()) ++languages[read.language];
      for (const auto& block : read.document.blocks) one.text_bytes += block.content.text.size();
      for (const auto& section : read.document.sections) one.headings.insert(heading_digest(section.heading.text));
    }
    if (is_invisible(one.title)) one.title = stem_of(page.file);
    one.title = shortened(nfc(one.title));
    one.page = std::move(page);
    surveyed.push_back(std::move(one));
  }
  if (book_.language.empty() && !languages.empty()) {
    book_.language = std::max_element(languages.begin(), languages.end(), [](const auto& a, const auto& b) {
                       return a.second < b.second;
                     })->first;
  }
  remove_site_names(surveyed);
  for (auto& one : surveyed) one.number = number_of(one.title);
  for (const auto& file : take_whole_books(surveyed)) {
    warnings_.push_back(
        fmt::format("{}: {} was left out, since its sections are the other pages of its folder", name_, file));
  }
  use_numbers(surveyed, book_.in_order);
  for (const auto& [what, count] : left_out) {
    warnings_.push_back(fmt::format("{}: {} {} were left out", name_, count, what));
  }
  book_.pages.clear();
  for (auto& one : surveyed) {
    const auto i = book_.pages.size();
    pages_.emplace(one.page.file, i);
    if (one.page.markup == PageMarkup::kCnxml) pages_.emplace(module_id(one.page.file), i);
    if (const auto path = path_of_slug(one.page, book_.root)) pages_.emplace(*path, i);
    if (!one.index.empty()) indexes_.emplace(i, std::move(one.index));
    page_titles_.push_back(std::move(one.title));
    numbers_.push_back(std::move(one.number));
    book_.pages.push_back(std::move(one.page));
  }
}

void BookSource::cut_into_units() {
  for (std::size_t i = 0; i + 1 < book_.pages.size(); ++i) {
    auto& page = book_.pages[i];
    const auto& next = book_.pages[i + 1].chapters;
    if (page.opens.empty() && next.size() == page.chapters.size() + 1 && next.back() == page.label &&
        std::equal(page.chapters.begin(), page.chapters.end(), next.begin())) {
      page.opens = page.label;
    }
  }
  const auto whole = BookSource::title().empty() ? stem_of(std::filesystem::path(name_).lexically_normal().string())
                                                 : BookSource::title();
  units_ = units_of(book_, book_.pages.size() == 1 ? BookUnit::kModule : options_.unit, whole);
  std::map<std::string, std::size_t> uses;
  std::vector<std::string> own;
  for (const auto& unit : units_) {
    own.push_back(unit.title.empty() ? page_titles_[unit.pages.front()] : shortened(nfc(unit.title)));
    ++uses[own.back()];
  }
  std::set<std::string> taken;
  std::size_t renamed = 0;
  titles_.resize(book_.pages.size());
  headings_.resize(book_.pages.size());
  unit_of_.resize(book_.pages.size());
  for (std::size_t i = 0; i < units_.size(); ++i) {
    std::string name = own[i];
    const auto around = parts_around(units_[i]);
    if (uses[name] > 1 && !around.empty()) name = shortened(fmt::format("{} ({})", name, nfc(around.back())));
    const auto first = name;
    for (int number = 2; !taken.insert(name).second; ++number) name = fmt::format("{} ({})", first, number);
    renamed += name != own[i] ? 1 : 0;
    for (const auto page : units_[i].pages) {
      titles_[page] = name;
      unit_of_[page] = i;
      if (!units_[i].title.empty()) headings_[page] = page_titles_[page];
    }
  }
  for (const auto& [page, index] : indexes_) note_terms(page, index);
  if (renamed > 0) {
    warnings_.push_back(fmt::format(
        "{}: {} pages have the title of another one; their part of the book or a number was added", name_, renamed));
  }
}

void BookSource::note_terms(std::size_t page, const std::vector<html::IndexEntry>& index) {
  const BookLinks links(pages_, titles_, headings_, book_.pages[page].file, book_.root);
  for (const auto& entry : index) {
    const auto place = links.resolve(entry.href);
    if (place && place->target.text != titles_[page]) terms_[place->target.text].insert(entry.term);
  }
}

std::string BookSource::title() const {
  if (!book_.title.empty() || files_->names().size() < 2) return book_.title;
  auto path = std::filesystem::path(name_);
  if (!path.has_filename()) path = path.parent_path();
  const auto file = path.filename().string();
  return file.substr(0, file.find('.', 1));
}

void BookSource::skip_to(std::uint64_t offset, PageId /*last_page*/) {
  if (offset > units_.size()) {
    throw FormatError(fmt::format("{}: has {} pages, but the last run had read {}; was it replaced while in use?",
                                  name_, units_.size(), offset));
  }
  next_ = static_cast<std::size_t>(offset);
}

std::optional<RawBatch> BookSource::next() {
  if (next_ == units_.size()) return std::nullopt;
  RawBatch batch;
  if (next_ == 0) {
    for (const auto& sentence : book_.unread) batch.remarks.push_back({PageIssue::kOtherFormat, sentence, ""});
  }
  while (next_ < units_.size() && batch.bytes.size() < options_.batch_bytes) {
    for (const auto page : units_[next_].pages) {
      auto bytes = files_->read(book_.pages[page].file);
      if (bytes) {
        read_bytes_ += bytes->size();
        batch.records.push_back({batch.bytes.size(), bytes->size(), page});
        batch.bytes += *bytes;
      } else {
        batch.too_large.push_back(page);
      }
    }
    ++next_;
  }
  batch.end_offset = next_;
  return batch;
}

SourceBatch BookSource::read(RawBatch batch) const {
  SourceBatch out;
  out.remarks = std::move(batch.remarks);
  for (const auto page : batch.too_large) {
    out.remarks.push_back({PageIssue::kTooLarge, book_.pages[page].file, ""});
  }
  auto record = batch.records.begin();
  while (record != batch.records.end()) {
    const auto number = unit_of_[record->place];
    auto end = record;
    while (end != batch.records.end() && unit_of_[end->place] == number) ++end;
    read_unit(number, std::string_view(batch.bytes), {record, end}, out);
    record = end;
  }
  return out;
}

void BookSource::read_unit(std::size_t number, std::string_view bytes, std::span<const RawBatch::Record> records,
                           SourceBatch& out) const {
  const auto& unit = units_[number];
  UnitWriter writer(unit);
  std::size_t read_pages = 0, text_bytes = 0;
  auto part = html::PagePart::kText;  // of the last page
  for (const auto& record : records) {
    const auto& written = book_.pages[record.place];
    const auto& file = written.file;
    const BookLinks links(pages_, titles_, headings_, file, book_.root);
    auto page = read_page(bytes.substr(record.begin, record.size), written, book_, links, options_.cnxml);
    if (page.problem) {
      out.remarks.push_back({page.problem->issue, fmt::format("{}: {}", file, page.problem->why), ""});
      continue;
    }
    if (page.document.counters.limits_hit > 0) out.remarks.push_back({PageIssue::kLimitsHit, file, ""});
    remove_numbers(page.document, numbers_[record.place]);
    writer.add(written, page_titles_[record.place], std::move(page.document));
    ++read_pages;
    text_bytes += record.size;
    part = page.part;
  }
  if (read_pages == 0) return;
  const auto id = std::uint64_t{options_.before_first.value} + number + 1;
  if (id > std::numeric_limits<std::uint32_t>::max()) {
    out.remarks.push_back(
        {PageIssue::kBadNumber, fmt::format("{}: there are too many pages", titles_[unit.pages[0]]), ""});
    return;
  }
  const auto begin = records.front().begin, end = records.back().begin + records.back().size;
  SourcePage entry;
  entry.head.id.value = static_cast<std::uint32_t>(id);
  entry.head.title.text = titles_[unit.pages.front()];
  entry.head.model = model_of(book_.pages[unit.pages.front()].markup);
  entry.head.text_bytes = static_cast<std::uint32_t>(text_bytes);
  entry.head.content_digest = xxh3_128(bytes.substr(begin, end - begin));
  entry.head.book = title();
  entry.head.chapters = parts_around(unit);
  entry.head.license = book_.licence;
  if (unit.pages.size() == 1 && part != html::PagePart::kText)
    entry.head.page_tags.emplace_back(part == html::PagePart::kGlossary ? site::kGlossaryTag : site::kIndexTag);
  entry.document = std::move(writer).take();
  if (const auto terms = terms_.find(entry.head.title.text); terms != terms_.end()) {
    for (const auto& term : terms->second) {
      Link link;
      link.target.text = term;
      entry.document->other_links.push_back(std::move(link));
    }
  }
  out.pages.push_back(std::move(entry));
}

namespace {

/// Opens one file that is a page, or a file of lessons.
std::unique_ptr<BookSource> open_document(const std::filesystem::path& path, const file_format::Format& format,
                                          const BookSourceOptions& options) {
  Book book;
  if (format.reading == file_format::Reading::kTqa) {
    auto lessons = open_tqa(path, book);
    return std::make_unique<BookSource>(std::move(lessons), std::move(book), path.string(), options);
  }
  auto page = page_of(path.filename().string(), format);
  if (!page) throw FormatError(file_format::refusal(path.string(), format));
  book.pages.push_back(std::move(*page));
  return std::make_unique<BookSource>(open_book_files(path, BookForm::kSingleFile, options.limits), std::move(book),
                                      path.string(), options);
}

}  // namespace

std::unique_ptr<BookSource> open_book(const std::filesystem::path& path, const BookSourceOptions& options) {
  std::error_code error;
  // A pipe can be read once only, and JSON lines may come through one.
  if (!std::filesystem::is_directory(path, error) && !std::filesystem::is_regular_file(path, error)) return nullptr;
  const auto head = head_of(path, file_format::kHeadBytes);
  const auto name = path.filename().string();
  const auto* format = head.bytes.empty() ? nullptr : file_format::format_of(name, head.bytes);
  if (format != nullptr && format->reading == file_format::Reading::kEnterprise) return nullptr;
  if (head.form == BookForm::kSingleFile) {
    if (format == nullptr || format->reading == file_format::Reading::kJsonLines) return nullptr;
    return open_document(path, *format, options);
  }
  auto files = open_book_files(path, head.form, options.limits);
  if (const auto* document = file_format::format_of_archive(files->names()); document != nullptr) {
    return open_document(path, *document, options);
  }
  auto book = read_epub(*files, path.string());
  if (!book) book = read_collection(*files, path.string());
  if (!book) {
    files = with_lessons(std::move(files), path, options.limits);
    book = read_folder(*files, path.string());
  }
  if (book->pages.empty()) throw_no_pages(path.string(), *book, *files);
  return std::make_unique<BookSource>(std::move(files), std::move(*book), path.string(), options);
}

}  // namespace touchstone::extractors::textbook
