#include "retrieval/system.hpp"

#include <array>

namespace touchstone::retrieval {
namespace {

using enum WeightKind;

constexpr std::array<System, 18> kSystems{{
    {"bm25", Method::kWords, Field::kAll, kBm25},
    {"bm25plus-text", Method::kWords, Field::kText, kBm25Plus},
    {"inl2", Method::kWords, Field::kAll, kInL2},
    {"ifb2-text", Method::kWords, Field::kText, kIfB2},
    {"bb2", Method::kWords, Field::kAll, kBB2},
    {"dlh-text", Method::kWords, Field::kText, kDlh},
    {"dph", Method::kWords, Field::kAll, kDph},
    {"pl2-text", Method::kWords, Field::kText, kPL2},
    {"dirichlet", Method::kWords, Field::kAll, kDirichlet},
    {"jelinek-mercer-text", Method::kWords, Field::kText, kJelinekMercer},
    {"bm25-title", Method::kWords, Field::kTitle, kBm25},
    {"dph-lead", Method::kWords, Field::kLead, kDph},
    {"jelinek-mercer-lead", Method::kWords, Field::kLead, kJelinekMercer},
    {"bm25-anchors", Method::kWords, Field::kAnchors, kBm25},
    {"bm25-bo1", Method::kFeedback, Field::kAll, kBm25},
    {"dph-text-bo1", Method::kFeedback, Field::kText, kDph},
    {"bm25-inlinks", Method::kInlinks, Field::kAll, kBm25},
    {"cocitation", Method::kCocitation, Field::kAll, kBm25},
}};

std::string_view describe(Field field) {
  switch (field) {
    case Field::kAll:
      return "title, headings and text, stemmed";
    case Field::kText:
      return "text, words as they are";
    case Field::kTitle:
      return "title and headings, stemmed";
    case Field::kLead:
      return "first words, stemmed";
    case Field::kAnchors:
      return "texts of links to the page, stemmed";
  }
  return "";
}

}  // namespace

std::span<const System> systems() {
  return kSystems;
}

std::string describe(const System& system) {
  std::string text = describe(system.weight) + " on " + std::string(describe(system.field));
  if (system.method == Method::kFeedback) text += ", with Bo1 feedback (3 documents, 10 terms)";
  if (system.method == Method::kInlinks) text += ", first 1000 reordered by links to their pages";
  if (system.method == Method::kCocitation) text = "pages linked together with those of the first 10 of bm25";
  return text;
}

std::string why_left_out(const System& system, const Index& index) {
  if (!index.has(system.field)) {
    return system.field == Field::kAnchors ? "no texts of links are known"
           : system.field == Field::kTitle ? "the documents have no titles"
                                           : "the documents have no words in this field";
  }
  const bool needs_links = system.method == Method::kInlinks || system.method == Method::kCocitation;
  if (needs_links && !index.links().has_links()) return "no links are known (--links names a file of links)";
  return "";
}

}  // namespace touchstone::retrieval
