#include "retrieval/system.hpp"

#include <array>
#include <cstddef>

#include <xapian.h>

namespace touchstone::retrieval {
namespace {

using enum WeightKind;
using Made = std::unique_ptr<Xapian::Weight>;
using Lm = Xapian::LMWeight;

constexpr double kLogScale = 100'000;

struct WeightInfo {
  const char* description;
  Made (*make)();
};

/// In the order of WeightKind.
constexpr WeightInfo kWeights[] = {
    {"BM25 k1=0.9 b=0.4", []() -> Made { return std::make_unique<Xapian::BM25Weight>(.9, 0, 1, .4, 0); }},
    {"BM25+ k1=1.2 b=0.75 delta=1",
     []() -> Made { return std::make_unique<Xapian::BM25PlusWeight>(1.2, 0, 1, .75, 0, 1); }},
    {"InL2 c=1", []() -> Made { return std::make_unique<Xapian::InL2Weight>(1.0); }},
    {"IfB2 c=1", []() -> Made { return std::make_unique<Xapian::IfB2Weight>(1.0); }},
    {"BB2 c=1", []() -> Made { return std::make_unique<Xapian::BB2Weight>(1.0); }},
    {"DLH", []() -> Made { return std::make_unique<Xapian::DLHWeight>(); }},
    {"DPH", []() -> Made { return std::make_unique<Xapian::DPHWeight>(); }},
    {"PL2 c=7", []() -> Made { return std::make_unique<Xapian::PL2Weight>(7.0); }},
    {"LM Dirichlet mu=100", []() -> Made { return std::make_unique<Lm>(kLogScale, Lm::DIRICHLET_SMOOTHING, 100, 0); }},
    {"LM Jelinek-Mercer lambda=0.3",
     []() -> Made { return std::make_unique<Lm>(kLogScale, Lm::JELINEK_MERCER_SMOOTHING, .3, 0); }},
};

const WeightInfo& weight_info(WeightKind kind) {
  return kWeights[static_cast<std::size_t>(kind)];
}

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

}  // namespace

std::span<const System> systems() {
  return kSystems;
}

std::unique_ptr<Xapian::Weight> make_weight(WeightKind kind) {
  return weight_info(kind).make();
}

std::string describe(const System& system) {
  std::string text =
      std::string(weight_info(system.weight).description) + " on " + std::string(info_of(system.field).description);
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
  if (needs_links(system) && !index.links().has_links()) return "no links are known (--links names a file of links)";
  return "";
}

}  // namespace touchstone::retrieval
