#include "collection/evidence/reader_lines.hpp"

#include "common/json_writer.hpp"
#include "formats/fields/one_line.hpp"

namespace touchstone::collection::evidence {

using formats::fields::one_line;

std::string pyserini_line(const PassageRecord& passage) {
  JsonWriter json({.escapes = JsonEscapes::kLineBreaks});
  return json.begin_object()
      .field("id", passage.docid)
      .field("contents", one_line(passage.title) + "\n" + one_line(passage.text))
      .end_object()
      .take_line();
}

std::string docs_tsv_line(const PassageRecord& passage) {
  return passage.docid + "\t" + one_line(passage.title) + ". " + one_line(passage.text) + "\n";
}

}  // namespace touchstone::collection::evidence
