#include "extractors/dump/site_info_xml.hpp"

#include "common/error.hpp"
#include "extractors/dump/sax_reader.hpp"

#include <charconv>
#include <utility>

namespace touchstone::extractors::dump::internal {
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
    const auto key = attribute_value("key", attributes);
    const auto [end, error] = std::from_chars(key.data(), key.data() + key.size(), entry.id);
    valid_namespace_ = error == std::errc{} && end == key.data() + key.size();
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

}  // namespace

std::optional<std::string> root_language(std::string_view head) {
  constexpr std::string_view kAttribute = "xml:lang=";
  const auto found = head.find(kAttribute);
  if (found == std::string_view::npos) return std::nullopt;
  const std::string_view value = head.substr(found + kAttribute.size());
  if (value.size() < 2 || (value.front() != '"' && value.front() != '\'')) return std::nullopt;
  std::string language(value.substr(1, value.find(value.front(), 1) - 1));
  return language.empty() ? std::nullopt : std::optional(std::move(language));
}

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

}  // namespace touchstone::extractors::dump::internal
