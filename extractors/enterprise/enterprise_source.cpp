#include "extractors/enterprise/enterprise_source.hpp"

#include "common/error.hpp"
#include "common/unicode.hpp"
#include "extractors/enterprise/article_html.hpp"

#include <algorithm>
#include <iterator>
#include <limits>
#include <utility>

#include <fmt/format.h>
#include <simdjson.h>

namespace touchstone::extractors::enterprise {
namespace {

using simdjson::dom::array;
using simdjson::dom::element;
using simdjson::dom::object;

constexpr std::size_t kHeadBytes = std::size_t{64} << 10;
constexpr std::size_t kMaxQidBytes = 20;
constexpr std::size_t kTimestampBytes = 20;  // 2021-01-09T20:35:08Z

/// What a line says of a page. Views are of the parser's memory.
struct Article {
  std::uint64_t id = 0, revision = 0;
  std::string_view name, timestamp, qid, html;
  std::optional<std::int64_t> ns;
  std::vector<std::string_view> categories, templates, redirects;
};

object object_in(object fields, std::string_view name, bool& found) {
  object inner;
  found = fields.at_key(name).get(inner) == simdjson::SUCCESS;
  return inner;
}

/// The text of `name` in `fields`; empty if it is missing or of another type.
std::string_view text_in(object fields, std::string_view name) {
  std::string_view text;
  return fields.at_key(name).get(text) == simdjson::SUCCESS ? text : std::string_view();
}

std::string_view text_in(object fields, std::string_view outer, std::string_view name) {
  bool found = false;
  const auto inner = object_in(fields, outer, found);
  return found ? text_in(inner, name) : std::string_view();
}

std::uint64_t number_in(object fields, std::string_view name) {
  std::uint64_t number = 0;
  return fields.at_key(name).get(number) == simdjson::SUCCESS ? number : 0;
}

/// The texts `name` of the objects of a list.
std::vector<std::string_view> texts_in(object fields, std::string_view list_name, std::string_view name) {
  std::vector<std::string_view> texts;
  array list;
  if (fields.at_key(list_name).get(list) != simdjson::SUCCESS) return texts;
  for (const auto entry : list) {
    object inner;
    if (entry.get(inner) == simdjson::SUCCESS) texts.push_back(text_in(inner, name));
  }
  return texts;
}

Article read_fields(object fields) {
  Article article;
  article.name = text_in(fields, "name");
  article.id = number_in(fields, "identifier");
  article.timestamp = text_in(fields, "date_modified");
  article.qid = text_in(fields, "main_entity", "identifier");
  article.html = text_in(fields, "article_body", "html");
  bool found = false;
  if (const auto version = object_in(fields, "version", found); found) {
    article.revision = number_in(version, "identifier");
  }
  if (const auto space = object_in(fields, "namespace", found); found) {
    std::int64_t ns = 0;
    if (space.at_key("identifier").get(ns) == simdjson::SUCCESS) article.ns = ns;
  }
  article.categories = texts_in(fields, "categories", "name");
  article.templates = texts_in(fields, "templates", "name");
  article.redirects = texts_in(fields, "redirects", "name");
  return article;
}

/// How many objects the list "redirects" of a line may hold, at least as many as it does. Inside of texts quotation
/// marks are escaped, so that the name can only be that of a field; titles hold no brackets.
std::uint64_t most_redirects(std::string_view line) {
  constexpr std::string_view kName = "\"redirects\"";
  std::uint64_t most = 0;
  for (auto at = line.find(kName); at != std::string_view::npos; at = line.find(kName, at + kName.size())) {
    const auto list = line.substr(at, line.find(']', at) - at);
    most += static_cast<std::uint64_t>(std::count(list.begin(), list.end(), '{'));
  }
  return most;
}

bool is_qid(std::string_view text) {
  return text.size() > 1 && text.size() <= kMaxQidBytes && text[0] == 'Q' && text[1] != '0' &&
         std::all_of(text.begin() + 1, text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

/// The title of a page whose namespace is known or not.
std::optional<Title> title_of(const site::SiteInfo& site, std::string_view name, std::optional<std::int64_t> ns) {
  const auto parsed = site.parse_title(name);
  const bool is_title = parsed && parsed->interwiki.empty() && !parsed->title.text.empty();
  if (is_title && (!ns || *ns == parsed->title.ns)) return parsed->title;
  if (!ns) return std::nullopt;
  if (*ns < std::numeric_limits<std::int32_t>::min() || *ns > std::numeric_limits<std::int32_t>::max()) {
    return std::nullopt;
  }
  if (*ns != kNamespaceMain) name.remove_prefix(std::min(name.find(':') + 1, name.size()));
  // The wiki has a page of this name, though its prefix looks like that of another namespace or wiki.
  const auto rest = site.parse_title(":" + std::string(name));
  Title title{static_cast<std::int32_t>(*ns), nfc(repair_utf8(name))};
  if (title.text.empty() || (!parsed && !rest)) return std::nullopt;
  return title;
}

/// Titles of one namespace, ascending, without duplicates.
std::vector<Title> titles_of(const site::SiteInfo& site, const std::vector<std::string_view>& names, std::int32_t ns) {
  std::vector<Title> titles;
  for (const auto name : names) {
    const auto parsed = site.parse_title(name, ns);
    if (parsed && parsed->interwiki.empty() && parsed->title.ns == ns) titles.push_back(parsed->title);
  }
  std::sort(titles.begin(), titles.end());
  titles.erase(std::unique(titles.begin(), titles.end()), titles.end());
  return titles;
}

/// Reads the lines of a batch.
class BatchReader {
 public:
  BatchReader(const site::SiteInfo& site, const site::PageTags& tags, SourceBatch& out)
      : site_(site), tags_(tags), out_(out) {}

  /// \param text      followed by json_pages::padding() readable bytes
  /// \param redirect  number of the first redirect \param most  how many numbers there are for redirects
  void line(std::string_view text, std::uint64_t number, std::uint64_t redirect, std::uint64_t most) {
    where_ = fmt::format("line {}", number);
    element root;
    if (const auto error = parser_.parse(text.data(), text.size(), false).get(root)) {
      return leave_out(PageIssue::kMalformedJson, simdjson::error_message(error));
    }
    object fields;
    if (root.get(fields) != simdjson::SUCCESS) return leave_out(PageIssue::kMalformedJson, "not an object");
    const auto article = read_fields(fields);
    SourcePage page;
    if (!read_head(article, page.head)) return;
    if (!read_body(article, page)) return;
    const auto title = page.head.title;
    out_.pages.push_back(std::move(page));
    for (const auto name : article.redirects) {
      if (most-- == 0) break;
      add_redirect(name, title, redirect++);
    }
  }

 private:
  void leave_out(PageIssue issue, std::string_view what) {
    out_.remarks.push_back({issue, fmt::format("{}: {}", where_, what), ""});
  }

  /// False if the line is not a page; a remark says why.
  bool read_head(const Article& article, PageHead& head) {
    if (article.name.empty() || article.id == 0) {
      return leave_out(PageIssue::kMissingField, "\"name\" or \"identifier\" is missing"), false;
    }
    if (article.id >= kFirstRedirect) {
      return leave_out(PageIssue::kBadNumber, fmt::format("\"identifier\" is above {}", kFirstRedirect - 1)), false;
    }
    const auto title = title_of(site_, article.name, article.ns);
    if (!title) return leave_out(PageIssue::kBadTitle, "\"name\" is not a title"), false;
    if (!article.qid.empty() && !is_qid(article.qid)) {
      return leave_out(PageIssue::kBadQid, "\"main_entity\" is not a Wikidata id such as \"Q42\""), false;
    }
    head.title = *title;
    head.id.value = static_cast<std::uint32_t>(article.id);
    head.revision.value = article.revision;
    if (article.timestamp.size() == kTimestampBytes) head.timestamp = article.timestamp;
    head.qid = article.qid;
    head.text_bytes = static_cast<std::uint32_t>(article.html.size());
    head.content_digest = xxh3_128(article.html);
    return true;
  }

  /// Reads the text of an article; of other pages the title is enough. False if it has none.
  bool read_body(const Article& article, SourcePage& page) {
    if (page.head.title.ns != kNamespaceMain && !site::is_list_namespace(site_, page.head.title.ns)) return true;
    const auto named = fmt::format("{} (\"{}\")", where_, article.name);
    auto document = read_article_html(site_, page.head.title, article.html);
    if (!document) {
      out_.remarks.push_back({article.html.empty() ? PageIssue::kNoText : PageIssue::kTooLarge, named, ""});
      return false;
    }
    document->categories = titles_of(site_, article.categories, kNamespaceCategory);
    for (auto& title : titles_of(site_, article.templates, kNamespaceTemplate)) {
      document->templates_used.push_back(std::move(title.text));
    }
    page.head.page_tags = tags_.tags_of(document->templates_used);
    // The wiki itself says which pages are disambiguation pages, whatever their templates are called.
    const bool marked = article.html.find("mw:PageProp/disambiguation") != std::string_view::npos;
    auto& tags = page.head.page_tags;
    const auto place = std::lower_bound(tags.begin(), tags.end(), site::kDisambiguationTag);
    page.head.is_disambiguation = place != tags.end() && *place == site::kDisambiguationTag;
    if (marked && !page.head.is_disambiguation) {
      tags.insert(place, std::string(site::kDisambiguationTag));
      page.head.is_disambiguation = true;
    }
    if (document->counters.limits_hit > 0) out_.remarks.push_back({PageIssue::kLimitsHit, named, ""});
    page.document = std::move(document);
    return true;
  }

  void add_redirect(std::string_view name, const Title& target, std::uint64_t number) {
    const auto parsed = site_.parse_title(name);
    if (!parsed || !parsed->interwiki.empty() || parsed->title.text.empty()) {
      return leave_out(PageIssue::kBadTitle, "the name of a redirect is not a title");
    }
    if (number > std::numeric_limits<std::uint32_t>::max()) {
      return leave_out(PageIssue::kBadNumber, "there are too many redirects");
    }
    if (parsed->title == target) return;
    SourcePage page;
    page.head.id.value = static_cast<std::uint32_t>(number);
    page.head.title = parsed->title;
    page.head.is_redirect = true;
    page.head.redirect = target;
    page.head.content_digest = xxh3_128(name);
    page.document.emplace();
    page.document->redirect = target;
    page.document->sections.resize(1);
    out_.pages.push_back(std::move(page));
  }

  const site::SiteInfo& site_;
  const site::PageTags& tags_;
  SourceBatch& out_;
  simdjson::dom::parser parser_;
  std::string where_;
};

/// "https://cr.wikipedia.org/wiki/A" -> "https://cr.wikipedia.org/wiki/"; empty for other addresses.
std::string base_of(std::string_view url) {
  constexpr std::string_view kPages = "/wiki/";
  const auto at = url.find(kPages);
  return at == std::string_view::npos ? std::string() : std::string(url.substr(0, at + kPages.size()));
}

}  // namespace

EnterpriseSource::EnterpriseSource(std::unique_ptr<dump::ByteSource> source, EnterpriseOptions options)
    : options_(std::move(options)), last_redirect_(std::max(kFirstRedirect - 1, options_.before_first.value)) {
  // All of the first line, which may be long.
  auto most = kHeadBytes;
  auto head = dump::peek(source, most);
  while (head.size() == most && head.find('\n') == std::string::npos && most < options_.lines.max_line_bytes) {
    most *= 4;
    head = dump::peek(source, most);
  }
  read_site(std::move(head));
  tags_.emplace(site_.language, site_.is_wikimedia() ? site::WikiKind::kWikimedia : site::WikiKind::kOther,
                options_.disambiguation_templates);
  lines_.emplace(std::move(source), options_.lines);
}

void EnterpriseSource::read_site(std::string head) {
  const auto size = head.size();
  head.append(json_pages::padding(), ' ');
  simdjson::dom::parser parser;
  std::string name, db_name, language, base;
  for (std::size_t at = 0; at < size && db_name.empty();) {
    const auto end = std::min(head.find('\n', at), size);
    element root;
    object fields;
    if (parser.parse(head.data() + at, end - at, false).get(root) == simdjson::SUCCESS &&
        root.get(fields) == simdjson::SUCCESS) {
      name = text_in(fields, "is_part_of", "name");
      db_name = text_in(fields, "is_part_of", "identifier");
      language = text_in(fields, "in_language", "identifier");
      base = base_of(text_in(fields, "url"));
      for (const auto license : texts_in(fields, "license", "identifier")) {
        if (!license.empty() && license_.empty()) license_ = license;
      }
    }
    at = end + 1;
  }
  if (!options_.language.empty()) language = options_.language;
  site_ = site::SiteInfo::make_default(language.empty() ? "en" : language);
  site_.site_name = name;
  site_.db_name = db_name;
  site_.base_url = base;
  site_.finish();
}

void EnterpriseSource::skip_to(std::uint64_t offset, PageId last_page) {
  lines_->skip_to(offset);
  last_redirect_ = std::max<std::uint64_t>(last_redirect_, last_page.value);
}

std::optional<RawBatch> EnterpriseSource::next() {
  auto batch = lines_->next();
  if (!batch) return batch;
  for (const auto& record : batch->records) {
    last_redirect_ += most_redirects(std::string_view(batch->bytes).substr(record.begin, record.size));
  }
  constexpr std::uint64_t kHighest = std::numeric_limits<std::uint32_t>::max();
  last_redirect_ = std::min(last_redirect_, kHighest);
  batch->last_page.value = static_cast<std::uint32_t>(last_redirect_);
  return batch;
}

SourceBatch EnterpriseSource::read(RawBatch batch) const {
  SourceBatch out;
  for (const auto line : batch.too_large) {
    out.remarks.push_back({PageIssue::kTooLarge, fmt::format("line {}", line), ""});
  }
  std::vector<std::uint64_t> counts;
  std::uint64_t redirects = 0;
  for (const auto& record : batch.records) {
    counts.push_back(most_redirects(std::string_view(batch.bytes).substr(record.begin, record.size)));
    redirects += counts.back();
  }
  // The numbers of a batch end with `last_page`.
  auto redirect = std::uint64_t{batch.last_page.value} + 1 - std::min<std::uint64_t>(redirects, batch.last_page.value);
  batch.bytes.append(json_pages::padding(), ' ');
  BatchReader reader(site_, *tags_, out);
  for (std::size_t i = 0; i < batch.records.size(); ++i) {
    const auto& record = batch.records[i];
    const auto text = std::string_view(batch.bytes).substr(record.begin, record.size);
    reader.line(text, record.place, redirect, counts[i]);
    redirect += counts[i];
  }
  return out;
}

}  // namespace touchstone::extractors::enterprise
