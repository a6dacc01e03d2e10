#pragma once

#include "pipeline/corpus/terms.hpp"
#include "pipeline/judging/lexical/list_words.hpp"

#include <string_view>
#include <vector>

namespace touchstone::pipeline::judging::lexical {

/// Words that take back what follows them: "no lighthouse", "is not an active volcano". Nothing changes an object, so
/// threads may share it.
class Denials {
 public:
  /// \param stemmer  Snowball's name, or empty for none: then nothing is a denial
  explicit Denials(std::string_view stemmer);

  /// For each term, whether it is one of the four words behind a denial in its sentence. A word such as "but", "only"
  /// or "other" ends what is denied: "not a lighthouse but a museum", "no other museum".
  std::vector<bool> denied(const std::vector<corpus::Term>& terms) const;

 private:
  StemSet denials_, ends_;
};

}  // namespace touchstone::pipeline::judging::lexical
