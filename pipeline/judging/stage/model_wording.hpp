#pragma once

#include "pipeline/evidence/evidence_records.hpp"
#include "pipeline/headings/heading_words.hpp"
#include "text/terms.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace touchstone::pipeline::judging::stage {

/// Tells whether what a model wrote can be the query of a topic. Not thread-safe.
class ModelWording {
 public:
  /// \param language  of the texts
  explicit ModelWording(std::string_view language);

  /// Why the words cannot be the query; empty if they can: they are no query at all (markup, a sentence, too long,
  /// something about the query), in another language, they name a member, they lose what tells the list from others, or
  /// they ask for something else than it lists.
  std::string why_not(const evidence::Group& group, const std::string& query);

 private:
  std::string why_other_language(std::string_view structured, std::string_view query) const;
  std::string why_not_this_list(const evidence::Group& group, const std::string& query);
  std::vector<std::string> words_of(std::string_view text);

  std::string language_;
  headings::HeadingWords headings_;
  text::TermSplitter splitter_;
};

}  // namespace touchstone::pipeline::judging::stage
