#include "extractors/site/link_target.hpp"

#include "extractors/scan/entities.hpp"
#include "extractors/scan/text_scan.hpp"
#include "extractors/scan/url_scan.hpp"
#include "extractors/site/language_data.hpp"
#include "extractors/site/title_text.hpp"

#include <algorithm>
#include <utility>

namespace touchstone::extractors::site {
using namespace internal;
using namespace scan;
namespace {

std::string_view without_trailing_slashes(std::string_view text) {
  while (!text.empty() && text.back() == '/') text.remove_suffix(1);
  return text;
}

/// `[[/x]]` and `[[../x]]` as full titles. True when `target` was one of these.
bool resolve_subpage(const SiteInfo& site, const Title& from, std::string& target, std::string& shown,
                     bool fill_shown) {
  const std::string_view whole = target;
  const std::size_t hash = whole.find('#');
  const std::string suffix(hash == std::string_view::npos ? std::string_view() : whole.substr(hash));
  std::string_view path = trim(whole.substr(0, hash));
  const std::string page = site.prefixed(from);
  if (!path.empty() && path.front() == '/') {
    const std::string_view inner = without_trailing_slashes(path.substr(1));
    if (fill_shown) shown = (path.back() == '/' && path.size() > 1 ? std::string(inner) : std::string(path)) + suffix;
    target = page + "/" + std::string(trim(inner)) + suffix;
    return true;
  }
  std::size_t levels = 0;
  while (starts_with(path, "../")) {
    ++levels;
    path.remove_prefix(3);
  }
  if (levels == 0) return false;
  std::string parent = page;
  for (std::size_t i = 0; i < levels; ++i) {
    const std::size_t slash = parent.rfind('/');
    if (slash == std::string::npos) return false;  // above the top page
    parent.resize(slash);
  }
  const bool short_form = !path.empty() && path.back() == '/';
  const std::string inner(trim(without_trailing_slashes(path)));
  std::string full = parent + (inner.empty() ? "" : "/" + inner) + suffix;
  if (fill_shown) shown = short_form ? inner + suffix : full;
  target = std::move(full);
  return true;
}

}  // namespace

bool read_link_target(const SiteInfo& site, const Title& page, std::string_view written, bool shown,
                      LinkTarget& target) {
  while (!written.empty() && written.front() == ' ') written.remove_prefix(1);
  std::string changed;
  std::string_view text = written;
  const TitleBytes bytes = bytes_of_title(written);
  const bool has_percent = (bytes & kTitlePercent) != 0;
  const bool has_ampersand = (bytes & kTitleAmpersand) != 0;
  const bool has_colon = (bytes & kTitleColon) != 0;
  if (has_percent) {
    changed = decode_percent(text);
    while (!changed.empty() && changed.front() == ' ') changed.erase(0, 1);
    if (shown && changed != written) target.shown = changed.substr(!changed.empty() && changed.front() == ':' ? 1 : 0);
    text = changed;
  }
  if ((has_colon || (!text.empty() && text.front() == '/')) && has_protocol(text)) return false;
  if (!text.empty() && (text.front() == '/' || text.front() == '.') && site.has_subpages(page.ns)) {
    std::string full(text);
    if (resolve_subpage(site, page, full, target.shown, shown)) {
      changed = std::move(full);
      text = changed;
    }
  }
  std::string decoded;
  if ((has_percent || has_ampersand) && text.find('&') != std::string_view::npos) {
    decoded = decode_references(text);
    text = decoded;
  }
  return !site.read_title(text, kNamespaceMain, target.parsed);
}

bool names_language_edition(const SiteInfo& site, const LinkTarget& target, std::string_view written) {
  if (target.parsed.leading_colon || !target.parsed.interwiki.empty()) return false;
  if (target.parsed.title.text.empty() || target.parsed.title.ns < 0) return false;
  if (!target.parsed.local_interwiki && written.find('_') == std::string_view::npos) return false;
  if (site.is_language_edition()) return false;
  if (target.parsed.local_interwiki) return true;
  std::string prefix(trim(written.substr(0, written.find(':'))));
  if (target.parsed.title.ns != kNamespaceMain || prefix.size() == written.size() ||
      prefix.find('_') == std::string::npos)
    return false;
  std::replace(prefix.begin(), prefix.end(), '_', '-');
  return is_language_code(prefix);
}

}  // namespace touchstone::extractors::site
