#include "extractors/wikitext_dump/wikitext_dump_source.hpp"

#include "common/digest.hpp"
#include "common/unicode.hpp"
#include "extractors/site/site_info.hpp"

#include <algorithm>
#include <iterator>
#include <string_view>
#include <utility>

#include <fmt/format.h>

namespace touchstone::extractors::wikitext_dump {
namespace {

using dump::RawPage;

constexpr std::size_t kSha1Digits = 31;  // base 36; other lengths are no SHA-1
constexpr std::string_view kWikitextModel = "wikitext";

std::string at_byte(std::uint64_t offset) {
  return fmt::format("at byte {}", offset);
}

/// White space as a title has it: single blanks, none at the ends. MediaWiki's titles have no tabs and line ends.
std::string folded(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const bool blank = c == ' ' || c == '\t' || c == '\n' || c == '\r';
    if (!blank) {
      out.push_back(c);
    } else if (!out.empty() && out.back() != ' ') {
      out.push_back(' ');
    }
  }
  if (out.ends_with(' ')) out.pop_back();
  return out;
}

/// Of a page that is not an article only its redirect is of interest; nothing when it is not a redirect.
std::optional<Document> redirect_of(Document&& document) {
  if (!document.redirect) return std::nullopt;
  Document redirect;
  redirect.redirect = std::move(document.redirect);
  redirect.redirect_fragment = std::move(document.redirect_fragment);
  redirect.sections.resize(1);
  return redirect;
}

/// Where a page redirects to. What the dump says comes first: MediaWiki wrote it when the page was saved.
void set_redirect(const site::SiteInfo& site, const RawPage& raw, const std::optional<Document>& document,
                  PageHead& head) {
  if (raw.redirect_title.empty()) {
    if (!document || !document->redirect) return;
    head.is_redirect = true;
    head.redirect = *document->redirect;
    head.redirect_fragment = document->redirect_fragment;
    return;
  }
  head.is_redirect = true;
  const auto parsed = site.parse_title(raw.redirect_title);
  if (parsed && parsed->interwiki.empty()) head.redirect = parsed->title;
  if (document && document->redirect && *document->redirect == (parsed ? parsed->title : Title{})) {
    head.redirect_fragment = document->redirect_fragment;
  } else if (parsed) {
    head.redirect_fragment = parsed->fragment;
  }
}

/// Notes what it gives, for one page.
class NotingLoader : public PageLoader {
 public:
  explicit NotingLoader(const PageLoader& pages) : pages_(pages) {}

  std::optional<std::string> load(const Title& title) const override {
    auto text = pages_.load(title);
    noted_.push_back({title, false, digest_of_inclusion(text)});
    return text;
  }
  bool exists(const Title& title) const override {
    const bool exists = pages_.exists(title);
    noted_.push_back({title, true, digest_of_existence(exists)});
    return exists;
  }
  std::vector<ReadingInputs::Inclusion> take() const {
    std::sort(noted_.begin(), noted_.end());
    noted_.erase(std::unique(noted_.begin(), noted_.end()), noted_.end());
    return std::move(noted_);
  }

 private:
  const PageLoader& pages_;
  mutable std::vector<ReadingInputs::Inclusion> noted_;
};

}  // namespace

Title title_of(const RawPage& raw) {
  const std::string whole = folded(raw.title);
  std::string_view text = whole;
  if (raw.ns != kNamespaceMain) {
    const auto colon = text.find(':');
    if (colon != std::string_view::npos) text.remove_prefix(colon + 1);
    if (text.starts_with(' ')) text.remove_prefix(1);
  }
  return {raw.ns, nfc(repair_utf8(text))};
}

WikitextDumpSource::WikitextDumpSource(std::unique_ptr<dump::ByteSource> source, const WikitextDumpOptions& options,
                                       const PageLoader& included)
    : reader_(std::move(source), options.reader),
      site_(reader_.site_info()),
      site_assumed_(reader_.site_info_assumed()),
      language_assumed_(options.language.empty() && reader_.language_assumed()) {
  if (!options.language.empty()) {
    site_.language = options.language;
    site_.finish();
  }
  const auto scope = scope_of(options.wikimedia_rules, site_);
  rules_ = wikitext::TemplateRules::load(site_.language, options.template_rules, scope);
  tags_.emplace(site_.language,
                scope == wikitext::RuleScope::kWikimedia ? site::WikiKind::kWikimedia : site::WikiKind::kOther,
                options.disambiguation_templates);
  options_.templates = options.templates;
  options_.loader = &included;
  options_.now = options.now;
}

std::vector<std::string> WikitextDumpSource::warnings() const {
  std::vector<std::string> warnings;
  if (site_assumed_) {
    warnings.push_back(fmt::format("{} has no <siteinfo>: MediaWiki's own namespaces for language \"{}\" are assumed",
                                   name(), site_.language));
  }
  if (language_assumed_) {
    warnings.push_back(fmt::format("{} does not name its language: \"{}\" is assumed; name it with --set wiki.language",
                                   name(), site_.language));
  }
  return warnings;
}

SourceBatch WikitextDumpSource::read(RawBatch batch) const {
  SourceBatch out;
  out.remarks = std::move(batch.remarks);
  for (const auto offset : batch.too_large) out.remarks.push_back({PageIssue::kTooLarge, at_byte(offset), ""});
  for (const auto& record : batch.records) {
    const auto xml = std::string_view(batch.bytes).substr(record.begin, record.size);
    const auto digest = xxh3_128(xml);
    if (known_ != nullptr) {
      const auto id = dump::page_number(xml);
      if (auto remarks = known_->find(id, digest)) {
        out.pages.emplace_back().head.id = id;
        out.pages.back().is_known = true;
        std::ranges::move(*remarks, std::back_inserter(out.remarks));
        continue;
      }
    }
    const auto raw = dump::parse_page(xml);
    if (!raw) {
      out.remarks.push_back({raw.error(), at_byte(record.place), ""});
      continue;
    }
    auto page = read_page(*raw);
    page.record_digest = digest;
    std::ranges::copy(page.remarks, std::back_inserter(out.remarks));
    out.pages.push_back(std::move(page));
  }
  return out;
}

SourcePage WikitextDumpSource::read_page(const RawPage& raw) const {
  SourcePage page;
  auto& remarks = page.remarks;
  // A text that is not what the wiki saved was damaged on its way; MediaWiki's own checksum tells.
  if (raw.sha1.size() == kSha1Digits && sha1_base36(raw.text) != raw.sha1) {
    remarks.push_back({PageIssue::kChecksumMismatch, fmt::format("page {} \"{}\"", raw.id.value, raw.title), ""});
  }
  if (raw.unescaped_markup) {
    remarks.push_back({PageIssue::kUnescapedMarkup, fmt::format("page {} \"{}\"", raw.id.value, raw.title), ""});
  }
  PageHead& head = page.head;
  head.id = raw.id;
  head.title = title_of(raw);
  head.revision = raw.revision;
  head.timestamp = raw.timestamp;
  head.text_bytes = static_cast<std::uint32_t>(raw.text.size());
  head.content_digest = xxh3_128(raw.text);
  if (raw.model == kWikitextModel) {
    if (!heads_only_) page.document = read_text(raw, head.title, page.inputs);
  } else {
    head.model = raw.model;
  }
  set_redirect(site_, raw, page.document, head);
  if (page.document) {
    head.page_tags = tags_->tags_of(page.document->templates_used);
    head.is_disambiguation = std::ranges::count(head.page_tags, site::kDisambiguationTag) > 0;
    if (page.document->counters.limits_hit > 0) remarks.push_back({PageIssue::kLimitsHit, raw.title, ""});
  } else if (!head.model.empty()) {
    remarks.push_back({PageIssue::kOtherModel, raw.title, head.model});
  }
  return page;
}

std::optional<Document> WikitextDumpSource::read_text(const RawPage& raw, const Title& title,
                                                      ReadingInputs& inputs) const {
  const bool article = raw.ns == kNamespaceMain || site::is_list_namespace(site_, raw.ns);
  const bool maybe_redirect = !raw.redirect_title.empty() || raw.text.starts_with('#');
  if (!article && !maybe_redirect) return std::nullopt;
  auto options = options_;
  options.asks_now = &inputs.date;
  const NotingLoader loader(*options_.loader);
  options.loader = &loader;
  auto document = wikitext::parse_wikitext(site_, rules_, title, raw.text, options);
  inputs.inclusions = loader.take();
  return article ? std::optional(std::move(document)) : redirect_of(std::move(document));
}

std::vector<IncludedPage> WikitextDumpSource::included_pages(const RawBatch& batch) const {
  std::vector<IncludedPage> pages;
  for (const auto& record : batch.records) {
    auto raw = dump::parse_page(std::string_view(batch.bytes).substr(record.begin, record.size));
    if (!raw) continue;
    IncludedPage page{title_of(*raw), std::nullopt};
    if (page.title.ns == kNamespaceTemplate && raw->model == kWikitextModel) page.text = std::move(raw->text);
    pages.push_back(std::move(page));
  }
  return pages;
}

}  // namespace touchstone::extractors::wikitext_dump
