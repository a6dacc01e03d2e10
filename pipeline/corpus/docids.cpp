#include "pipeline/corpus/docids.hpp"

#include "common/error.hpp"

#include <cctype>
#include <charconv>

#include <fmt/format.h>

namespace touchstone::pipeline::corpus {

std::string wiki_name(const NameOptions& options, const extractors::site::SiteInfo& site) {
  if (!options.name.empty()) return options.name;
  std::string name;
  for (const char c : site.db_name.empty() ? site.site_name : site.db_name) {
    if (std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.') name.push_back(c);
  }
  return name.empty() ? "wiki" : name;
}

std::string make_docid(std::string_view wiki, PageId page, std::uint32_t ordinal) {
  return fmt::format("{}-{}-{}", wiki, page.value, ordinal);
}

PageId page_of_docid(std::string_view docid) {
  const auto last = docid.rfind('-');
  const auto before = last == std::string_view::npos || last == 0 ? std::string_view::npos : docid.rfind('-', last - 1);
  PageId page;
  if (before != std::string_view::npos) {
    const std::string_view number = docid.substr(before + 1, last - before - 1);
    const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), page.value);
    if (error == std::errc{} && end == number.data() + number.size() && !number.empty()) return page;
  }
  throw FormatError("\"" + std::string(docid) +
                    "\" is no docid of the form wiki-page-ordinal; run the stage that wrote it again");
}

}  // namespace touchstone::pipeline::corpus
