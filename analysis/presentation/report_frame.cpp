#include "analysis/presentation/report_frame.hpp"

#include "analysis/presentation/source_text.hpp"
#include "common/error.hpp"

#include <algorithm>

namespace touchstone::analysis::presentation::internal {
namespace {

std::string frame_file(std::string_view name) {
  const auto files = frame_files();
  const auto found = std::find_if(files.begin(), files.end(), [&](const FrameFile& file) { return file.name == name; });
  TS_CHECK(found != files.end(), "a file of the table");
  return std::string(found->text);
}

}  // namespace

std::string report_page(std::string_view kind, std::string_view title, const formats::html::Html& content) {
  namespace html = formats::html;
  return html::fill(frame_file("browsing.html"),
                    {{"style", html::raw(frame_file("report.css"))},
                     {"own-style", html::raw(frame_file("studies.css"))},
                     {"title", std::string(title)},
                     {"collection", std::string(kind)},
                     {"navigation", html::Html()},
                     {"content", content + html::element("p", {{"class", "note"}}, program_and_version())},
                     {"script", html::Html()}});
}

}  // namespace touchstone::analysis::presentation::internal
