#include "collection/release/report/report_files.hpp"

#include "collection/release/report/assets.hpp"
#include "collection/release/report/shown_text.hpp"
#include "common/files.hpp"
#include "common/stop.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace touchstone::collection::release::report {

namespace {

using formats::html::element;
using formats::html::Html;
using formats::html::raw;

/// Whether a file has the name of a page of one of the kinds.
bool is_page(std::string_view name, const std::vector<std::string_view>& kinds) {
  constexpr std::string_view kEnd = ".html";
  const auto dash = name.rfind('-');
  if (dash == std::string_view::npos || !name.ends_with(kEnd)) return false;
  const auto number = name.substr(dash + 1, name.size() - dash - 1 - kEnd.size());
  return std::find(kinds.begin(), kinds.end(), name.substr(0, dash)) != kinds.end() && !number.empty() &&
         std::all_of(number.begin(), number.end(), [](char c) { return c >= '0' && c <= '9'; });
}

}  // namespace

PageSeries::PageSeries(PageFolder place, std::string kind, std::string noun, std::string script)
    : place_(std::move(place)), kind_(std::move(kind)), noun_(std::move(noun)), script_(std::move(script)) {}

std::string PageSeries::name_of(std::uint64_t number) const {
  return fmt::format("{}-{}.html", kind_, number);
}

void PageSeries::write(const std::string& title, const Html& navigation, const Html& content, bool more_follow,
                       bool links_below) {
  Html links = element("a", {{"href", "../" + place_.report}}, "Report");
  const auto add = [&](std::uint64_t number, const char* relation, const std::string& text) {
    links += Html(" ") + element("a", {{"href", name_of(number)}, {"rel", relation}}, text);
  };
  if (number_ > 1) add(number_ - 1, "prev", fmt::format("← Previous {}", noun_));
  if (more_follow) add(number_ + 1, "next", fmt::format("Next {} →", noun_));
  links = element("p", {{"class", "links"}}, links);
  const Html script =
      script_.empty() ? Html() : element("script", {}, raw("\n" + std::string(report_asset(script_)) + "\n"));
  const std::string text =
      formats::html::fill(report_asset("browsing.html"), {{"style", raw(std::string(report_asset("report.css")))},
                                                          {"own-style", raw(std::string(report_asset("browsing.css")))},
                                                          {"script", script},
                                                          {"collection", shown(place_.collection)},
                                                          {"title", title},
                                                          {"navigation", links + navigation},
                                                          {"content", links_below ? content + links : content}});
  WriteOptions options;
  options.flush_to_disk = false;
  write_file_atomically(place_.folder / name(), text, options);
  ++number_;
}

ReportFiles::ReportFiles(std::filesystem::path page, std::filesystem::path folder, std::vector<std::string_view> kinds)
    : page_(std::move(page)),
      folder_(std::move(folder)),
      layout_{[kinds = std::move(kinds)](std::string_view name) { return is_page(name, kinds); },
              [](std::string_view) { return false; },
              {},
              false},
      staged_(folder_, layout_) {
  staged_.recover();
  staged_.check_replaceable();
  staged_.create_partial();
}

PageFolder ReportFiles::place(const std::string& collection, std::size_t max_file_bytes) const {
  return {staged_.partial(), collection, page_.filename().string(), max_file_bytes};
}

void ReportFiles::finish(std::string_view page_text, const char* kill_point) const {
  sync_files_below(staged_.partial());
  staged_.publish();
  touchstone::kill_point(kill_point);
  write_file_atomically(page_, page_text);
}

}  // namespace touchstone::collection::release::report
