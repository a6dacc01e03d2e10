#pragma once

#include "common/digest.hpp"
#include "common/ids.hpp"
#include "pipeline/corpus/results_before.hpp"
#include "pipeline/passages/boilerplate.hpp"
#include "pipeline/passages/passage.hpp"
#include "pipeline/passages/passage_rules.hpp"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace touchstone::pipeline::passages {

/// Texts that are not passages for one reason.
struct LeftOutTexts {
  PassageReject reason{};
  std::uint64_t count = 0;
  std::vector<std::string> samples;

  template <class Fields>
  void fields(Fields& field) {
    field("reason", reason)("count", count)("samples", samples);
  }
};

/// How the passages of an article were composed: a record of the artifact `kComposedFolder`, whose files have the
/// articles of those in `kPassagesFolder`, in the same order.
struct ComposedPage {
  PageId page;
  Digest128 inputs{};                    ///< see corpus::PageInputs
  std::vector<std::uint64_t> sentences;  ///< hashes of those that were looked up among the boilerplate
  std::vector<LeftOutTexts> left_out;    ///< one a reason

  template <class Fields>
  void fields(Fields& field) {
    field("page_id", page)("inputs", inputs)("sentences", sentences)("left_out", left_out);
  }
};

/// Articles as the stage passages composed them for the dump before. What an article became depends on the inputs of
/// its page, and on which of its sentences are boilerplate. Thread-safe.
class ComposedBefore {
 public:
  /// \param work         a work directory whose stage passages is done
  /// \param boilerplate  that of this dump; outlives this object
  ComposedBefore(const std::filesystem::path& work, const Boilerplate& boilerplate);

  /// Looks for articles in ascending order. Not thread-safe.
  class Walk {
   public:
    explicit Walk(const ComposedBefore& before)
        : before_(before), composed_(before.composed_), passages_(before.passages_) {}
    /// Nothing if the article has to be composed. Its links may lead to other pages now.
    /// \param inputs  of the page now
    std::optional<std::pair<ComposedPage, PagePassages>> find(PageId page, const Digest128& inputs);

   private:
    const ComposedBefore& before_;
    corpus::ResultsBefore<ComposedPage>::Walk composed_;
    corpus::ResultsBefore<PagePassages>::Walk passages_;
  };

 private:
  corpus::ResultsBefore<ComposedPage> composed_;
  corpus::ResultsBefore<PagePassages> passages_;
  bool looked_up_;       ///< sentences were looked up for both dumps, or for none
  Boilerplate changed_;  ///< sentences that are boilerplate in one of the two dumps only
};

}  // namespace touchstone::pipeline::passages
