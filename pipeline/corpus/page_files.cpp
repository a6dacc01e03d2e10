#include "pipeline/corpus/page_files.hpp"

#include "common/error.hpp"
#include "common/log.hpp"
#include "common/unicode.hpp"
#include "extractors/dump/byte_source.hpp"
#include "extractors/dump/multistream_index.hpp"
#include "extractors/enterprise/enterprise_source.hpp"
#include "extractors/file_format/file_format.hpp"
#include "extractors/json_pages/json_pages_source.hpp"
#include "extractors/site/language_data.hpp"
#include "extractors/site/moment.hpp"
#include "extractors/textbook/book_source.hpp"
#include "extractors/textbook/page_reading.hpp"
#include "extractors/wikitext_dump/wikitext_dump_source.hpp"
#include "extractors/zim/zim_checks.hpp"
#include "extractors/zim/zim_source.hpp"

#include <algorithm>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace touchstone::pipeline::corpus {
namespace {

using extractors::PageLoader;
using extractors::PageSource;
using extractors::dump::ByteSource;
using extractors::dump::MultistreamIndex;
using extractors::site::SiteInfo;

/// What is common to all kinds: files with names, opened as bytes.
class NamedFiles : public PageFiles {
 public:
  explicit NamedFiles(PageFileSettings settings) : settings_(std::move(settings)) {}

  std::size_t count() const override { return settings_.files.size(); }
  std::string name(std::size_t file) const override { return settings_.files.at(file).path.filename().string(); }
  std::uint64_t bytes(std::size_t file) const override {
    std::error_code error;
    const auto size = std::filesystem::file_size(settings_.files.at(file).path, error);
    return error ? 0 : size;
  }

 protected:
  const PageFileSettings& settings() const { return settings_; }
  /// \param start  see ByteSourceOptions
  /// \param tar_members  likewise
  std::unique_ptr<ByteSource> open_bytes(std::size_t file, std::uint64_t start = 0,
                                         std::vector<std::string> tar_members = {}) const {
    extractors::dump::ByteSourceOptions options;
    options.start = start;
    options.tar_members = std::move(tar_members);
    options.use_lbzip2 = settings_.ingest.use_lbzip2;
    options.decompress_threads = settings_.threads;
    options.skip_damage = settings_.ingest.on_damage == DamagePolicy::kSkip;
    options.stop = settings_.stop;
    return extractors::dump::open_byte_source(settings_.files.at(file).path, options);
  }

 private:
  PageFileSettings settings_;
};

/// MediaWiki dumps of wikitext.
class WikitextDumps final : public NamedFiles {
 public:
  explicit WikitextDumps(const PageFileSettings& settings) : NamedFiles(settings) {
    const auto& ingest = settings.ingest;
    options_.reader.batch_bytes = static_cast<std::size_t>(ingest.batch_bytes);
    options_.reader.max_page_bytes = static_cast<std::size_t>(ingest.max_page_bytes);
    options_.reader.skip_damage = ingest.on_damage == DamagePolicy::kSkip;
    options_.language = settings.language;
    options_.templates = ingest.templates;
    options_.template_rules.assign(ingest.template_rules.begin(), ingest.template_rules.end());
    options_.wikimedia_rules = ingest.wikimedia_rules;
    options_.disambiguation_templates = ingest.disambiguation_templates;
    options_.now = ingest.now.empty() ? extractors::site::moment_of_dump(settings.files.at(0).path.string())
                                      : extractors::site::read_fixed_moment(ingest.now);
    for (const auto& file : settings.files) {
      if (file.path == "-" && read_twice()) {
        throw ConfigError(
            "ingest.templates = \"expand\" reads the dump twice, which standard input cannot be: name a file");
      }
    }
  }

  bool can_be_cut() const override {
    return std::none_of(settings().files.begin(), settings().files.end(),
                        [](const auto& file) { return file.path == "-"; });
  }
  std::optional<std::int64_t> now() const override { return options_.now; }
  bool read_twice() const override { return options_.templates == extractors::wikitext::TemplateMode::kExpand; }
  std::unique_ptr<PageSource> open(std::size_t file, PageId, const PageLoader& included) const override {
    auto options = options_;
    const auto& dump = settings().files.at(file).path;
    const auto index = MultistreamIndex::beside(dump);
    if (index.empty() || !std::filesystem::is_regular_file(dump)) {
      // Neither pages that are lost nor places of streams are known; a pipe cannot be read at a place.
    } else if (options.reader.skip_damage) {
      options.reader.lost = pages_of(index);
    } else {
      options.reader.open_before = [=, this](PageId page) -> std::unique_ptr<ByteSource> {
        const auto start = MultistreamIndex(extractors::dump::open_byte_source(index)).stream_of(page);
        if (!start) return nullptr;
        log_info("ingest: going on in {} at its stream at byte {}, which its index names", name(file), *start);
        return open_bytes(file, *start);
      };
    }
    return std::make_unique<extractors::wikitext_dump::WikitextDumpSource>(open_bytes(file), options, included);
  }
  SiteInfo fallback_site(std::string_view /*language*/) const override {
    return SiteInfo::make_default(settings().language);
  }
  std::string_view noun() const override { return "dump"; }
  std::string_view remedy() const override { return "download the dump again"; }

 private:
  /// The pages that an index lists between two, as DumpReaderOptions::lost wants them.
  static std::function<std::vector<std::string>(PageId, PageId)> pages_of(const std::filesystem::path& path) {
    const auto index = std::make_shared<std::optional<MultistreamIndex>>();
    return [=](PageId before, PageId next) {
      if (!*index) index->emplace(extractors::dump::open_byte_source(path));
      return (*index)->between(before, next);
    };
  }

  extractors::wikitext_dump::WikitextDumpOptions options_;
};

/// Books, manuals, dumps of Wikimedia Enterprise and files of JSON lines. Which of them a file is, its content tells.
class JsonPages : public NamedFiles {
 public:
  using NamedFiles::NamedFiles;

  std::unique_ptr<PageSource> open(std::size_t file, PageId before_first, const PageLoader&) const override {
    if (auto site = open_zim(file, before_first)) return site;
    if (auto book = open_book(file, before_first)) return book;
    extractors::json_pages::LineReaderOptions lines;
    lines.batch_bytes = static_cast<std::size_t>(settings().ingest.batch_bytes);
    lines.max_line_bytes = static_cast<std::size_t>(settings().ingest.max_page_bytes);
    auto bytes = open_bytes(file, 0, {".json", ".jsonl", ".ndjson"});
    if (reading_of_lines(bytes) == Reading::kEnterprise) {
      return std::make_unique<extractors::enterprise::EnterpriseSource>(
          std::move(bytes), extractors::enterprise::EnterpriseOptions{
                                lines, settings().language, settings().ingest.disambiguation_templates, before_first});
    }
    return std::make_unique<extractors::json_pages::JsonPagesSource>(
        std::move(bytes), extractors::json_pages::JsonPagesOptions{lines, before_first});
  }
  SiteInfo fallback_site(std::string_view language) const override {
    auto site = SiteInfo::make_default(!settings().language.empty() ? settings().language : known_language(language));
    site.site_name.clear();
    site.base_url.clear();
    // Titles are told apart by every letter.
    site.first_letter = false;
    for (auto& space : site.namespaces) space.first_letter = false;
    site.finish();
    return site;
  }
  std::string_view noun() const override { return "file of pages"; }
  std::string_view remedy() const override { return "mend its lines or pages"; }

 private:
  using Reading = extractors::file_format::Reading;

  /// The language of a declared code, or of its part in front of the region ("de" of "de-DE"); English if nothing is
  /// known of either.
  static std::string known_language(std::string_view declared) {
    const auto code = lower_case(declared);
    const auto primary = code.substr(0, code.find_first_of("-_"));
    for (const auto& known : {code, primary}) {
      if (!known.empty() && extractors::site::is_known_language(known)) return known;
    }
    return "en";
  }

  /// Which kind of lines the bytes hold. Throws FormatError if they are something else, such as a book from standard
  /// input.
  static Reading reading_of_lines(std::unique_ptr<ByteSource>& bytes) {
    using namespace extractors::file_format;
    const auto* format = format_of(bytes->name(), extractors::dump::peek(bytes, kHeadBytes));
    if (format == nullptr) {
      throw FormatError(fmt::format("{}: begins like no format that is known; {}", bytes->name(), kFormatsRead));
    }
    if (format->reading == Reading::kJsonLines || format->reading == Reading::kEnterprise) return format->reading;
    if (format->reading == Reading::kNotRead || format->reading == Reading::kAside ||
        format->reading == Reading::kZim) {
      throw FormatError(refusal(bytes->name(), *format));
    }
    throw FormatError(
        fmt::format("{}: is {}, of which only files and folders are read, which may be compressed with "
                    "gzip, bzip2, xz or zstd; give the name of a file",
                    bytes->name(), format->name));
  }

  /// Nothing for other files, and standard input.
  std::unique_ptr<PageSource> open_zim(std::size_t file, PageId before_first) const {
    const auto& path = settings().files.at(file).path;
    if (!extractors::zim::is_zim(path)) return nullptr;
    extractors::zim::ZimOptions options;
    options.language = settings().language;
    options.batch_bytes = static_cast<std::size_t>(settings().ingest.batch_bytes);
    options.max_page_bytes = static_cast<std::size_t>(settings().ingest.max_page_bytes);
    options.skip_damage = settings().ingest.on_damage == DamagePolicy::kSkip;
    options.before_first = before_first;
    return std::make_unique<extractors::zim::ZimSource>(path, options);
  }

  /// Nothing for files of JSON lines, plain or compressed, and standard input.
  std::unique_ptr<PageSource> open_book(std::size_t file, PageId before_first) const {
    const auto& path = settings().files.at(file).path;
    if (path == "-") return nullptr;
    extractors::textbook::BookSourceOptions options;
    options.limits.max_file_bytes =
        std::min(options.limits.max_file_bytes, static_cast<std::size_t>(settings().ingest.max_page_bytes));
    options.batch_bytes = static_cast<std::size_t>(settings().ingest.batch_bytes);
    options.before_first = before_first;
    options.unit = settings().ingest.book_unit;
    return extractors::textbook::open_book(path, options);
  }
};

template <class Files>
std::unique_ptr<PageFiles> make(const PageFileSettings& settings) {
  return std::make_unique<Files>(settings);
}

constexpr PageFileKind kKinds[] = {
    {"dump", "--dump", "MediaWiki XML dumps, one or more; - reads standard input", make<WikitextDumps>},
    {"pages", "--pages", "Books or JSON lines instead of dumps (docs/textbooks.md)", make<JsonPages>,
     extractors::textbook::reader_beside},
};

}  // namespace

std::span<const PageFileKind> page_file_kinds() {
  return kKinds;
}

const PageFileKind& page_file_kind(std::string_view name) {
  for (const auto& kind : kKinds) {
    if (kind.name == name) return kind;
  }
  throw StorageError("the store names a kind of source that this version does not know: " + std::string(name));
}

}  // namespace touchstone::pipeline::corpus
