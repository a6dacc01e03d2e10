#pragma once

#include "pipeline/judging/lexical/list_words.hpp"
#include "text/terms.hpp"

#include <string_view>
#include <vector>

namespace touchstone::pipeline::judging::lexical {

/// Words that take back what follows them: "no lighthouse", "is not an active volcano", "if it were a museum". Nothing
/// changes an object, so threads may share it.
class Denials {
 public:
  /// \param stemmer  Snowball's name, or empty for none: then only questions are known
  explicit Denials(std::string_view stemmer);

  /// For each term of the text, whether it is not said to be so:
  /// - one of the six words behind a denial, up to a comma or a like sign, or up to a word such as "but", "only" or
  ///   "other": "not a lighthouse but a museum", "no other museum";
  /// - in a sentence that begins with "if", up to a comma;
  /// - in a question.
  std::vector<bool> denied(const std::vector<text::Term>& terms, std::string_view text) const;

 private:
  StemSet denials_, ends_, conditions_;
};

}  // namespace touchstone::pipeline::judging::lexical
