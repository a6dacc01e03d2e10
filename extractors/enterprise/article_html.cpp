#include "extractors/enterprise/article_html.hpp"

#include "common/unicode.hpp"
#include "extractors/html/html_page.hpp"
#include "extractors/html/wiki_page.hpp"
#include "extractors/scan/url_scan.hpp"

#include <algorithm>
#include <string>
#include <utility>

namespace touchstone::extractors::enterprise {
namespace {

constexpr std::string_view kPageOfWiki = "./";

std::string with_blanks(std::string text) {
  std::replace(text.begin(), text.end(), '_', ' ');
  return text;
}

class WikiLinks : public html::LinkResolver {
 public:
  WikiLinks(const site::SiteInfo& site, const Title& page) : site_(site), page_(page) {}

  std::optional<Link> resolve(std::string_view href) const override {
    if (!href.starts_with(kPageOfWiki)) return std::nullopt;
    href.remove_prefix(kPageOfWiki.size());
    const auto hash = std::min(href.find('#'), href.size());
    // A question mark of a title is written as %3F.
    const auto path = href.substr(0, std::min(href.find('?'), hash));
    const auto parsed = site_.parse_title(repair_utf8(scan::decode_percent(path)));
    if (!parsed || !parsed->interwiki.empty() || parsed->title.text.empty()) return std::nullopt;
    if (parsed->title.ns < 0 || parsed->title.ns == kNamespaceFile || parsed->title == page_) return std::nullopt;
    Link link;
    link.target = parsed->title;
    if (hash < href.size()) link.fragment = with_blanks(repair_utf8(scan::decode_percent(href.substr(hash + 1))));
    return link;
  }

 private:
  const site::SiteInfo& site_;
  const Title& page_;
};

/// "File:A_b.jpg" -> "A b.jpg"
std::string file_of(std::string_view resource) {
  auto name = with_blanks(repair_utf8(scan::decode_percent(resource)));
  return name.substr(name.find(':') + 1);
}

}  // namespace

std::optional<Document> read_article_html(const site::SiteInfo& site, const Title& page_title, std::string_view html) {
  html::HtmlReading reading;
  reading.whole_body = true;
  reading.heading_is_title = false;
  reading.image_attribute = "resource";
  reading.is_left_out = html::is_aside_of_wiki;
  auto page = html::read_html(html, WikiLinks(site, page_title), reading);
  if (!page.readable) return std::nullopt;
  for (auto& image : page.document.images) image.file = file_of(image.file);
  return std::move(page.document);
}

}  // namespace touchstone::extractors::enterprise
