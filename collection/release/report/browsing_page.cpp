#include "collection/release/report/browsing_page.hpp"

#include "collection/release/report/assets.hpp"
#include "collection/release/report/shown_text.hpp"
#include "common/files.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace touchstone::collection::release::report {

using formats::html::element;
using formats::html::Html;
using formats::html::raw;

std::string numbered_page(std::string_view kind, std::uint64_t number) {
  return fmt::format("{}-{}.html", kind, number);
}

bool is_numbered_page(std::string_view name, std::span<const std::string_view> kinds) {
  constexpr std::string_view kEnd = ".html";
  const auto dash = name.rfind('-');
  if (dash == std::string_view::npos || !name.ends_with(kEnd)) return false;
  const auto number = name.substr(dash + 1, name.size() - dash - 1 - kEnd.size());
  return std::find(kinds.begin(), kinds.end(), name.substr(0, dash)) != kinds.end() && !number.empty() &&
         std::all_of(number.begin(), number.end(), [](char c) { return c >= '0' && c <= '9'; });
}

Html page_links(std::string_view report, const PageSequence& place) {
  Html links = element("a", {{"href", "../" + std::string(report)}}, "Report");
  const auto add = [&](std::uint64_t number, const char* relation, const std::string& text) {
    links += Html(" ") + element("a", {{"href", numbered_page(place.kind, number)}, {"rel", relation}}, text);
  };
  if (place.number > 1) add(place.number - 1, "prev", fmt::format("← Previous {}", place.noun));
  if (place.more_follow) add(place.number + 1, "next", fmt::format("Next {} →", place.noun));
  return element("p", {{"class", "links"}}, links);
}

void write_browsing_page(const std::filesystem::path& file, const BrowsingPage& page) {
  const Html script =
      page.script.empty() ? Html() : element("script", {}, raw("\n" + std::string(report_asset(page.script)) + "\n"));
  const std::string text =
      formats::html::fill(report_asset("browsing.html"), {{"style", raw(std::string(report_asset("report.css")))},
                                                          {"own-style", raw(std::string(report_asset("browsing.css")))},
                                                          {"script", script},
                                                          {"collection", shown(page.collection)},
                                                          {"title", page.title},
                                                          {"navigation", page.navigation},
                                                          {"content", page.content}});
  WriteOptions options;
  options.flush_to_disk = false;
  write_file_atomically(file, text, options);
}

}  // namespace touchstone::collection::release::report
