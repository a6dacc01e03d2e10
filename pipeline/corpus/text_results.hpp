#pragma once

#include "common/digest.hpp"
#include "common/version.hpp"
#include "pipeline/corpus/results_before.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace touchstone::pipeline::corpus {

/// What follows from each of some texts of a page.
template <class Value>
struct PageTexts {
  PageId page;
  Digest128 inputs{};                                   ///< of what the values depend on besides the texts
  std::vector<std::pair<std::uint64_t, Value>> values;  ///< by the hash of the text, in the order of the texts

  template <class Fields>
  void fields(Fields& field) {
    field("page_id", page)("inputs", inputs)("values", values);
  }
};

/// Values that follow from single texts of pages. Those of the dump before are taken over, and all are written for the
/// next one. Pages ascend. Not thread-safe. Throws as records::RecordFile does.
template <class Value>
class TextResults {
 public:
  using Before = ResultsBefore<PageTexts<Value>>;

  /// \param before  outlives this object
  /// \param file    that is written; may be empty
  /// \param rest    what the values depend on besides the texts and the version of the program
  TextResults(const Before& before, const std::filesystem::path& file, std::string_view rest)
      : before_(before), inputs_(xxh3_128(std::string(program_version()).append("\n").append(rest))) {
    if (!file.empty()) file_.emplace(file);
  }

  /// \param make  computes the value of the text. What is returned is valid until the next call.
  template <class Make>
  const Value& of(PageId page, std::string_view text, const Make& make) {
    if (page != now_.page) go_to(page);
    const auto hash = xxh3_64(text);
    auto& known = known_.values;
    std::size_t at = now_.values.size();
    if (at >= known.size() || known[at].first != hash)
      at = static_cast<std::size_t>(
          std::find_if(known.begin(), known.end(), [&](const auto& value) { return value.first == hash; }) -
          known.begin());
    return now_.values.emplace_back(hash, at < known.size() ? known[at].second : make()).second;
  }

  /// Call once, last.
  void finish() {
    write();
    if (file_) file_->finish();
  }

 private:
  void go_to(PageId page) {
    write();
    now_ = {page, inputs_, {}};
    auto found = before_.find(page);
    known_ = found && found->inputs == inputs_ ? std::move(*found) : PageTexts<Value>();
  }
  void write() {
    if (file_ && !now_.values.empty()) file_->add(now_);
  }

  typename Before::Walk before_;
  Digest128 inputs_;
  std::optional<typename records::RecordFile<PageTexts<Value>>::Writer> file_;
  PageTexts<Value> known_, now_;  ///< of the page, in the dump before and in this one
};

}  // namespace touchstone::pipeline::corpus
