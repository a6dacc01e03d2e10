#include "retrieval/weights.hpp"

#include "common/error.hpp"

#include <xapian.h>

namespace touchstone::retrieval {
namespace {

constexpr double kLogScale = 100'000;
constexpr double kMu = 100;
constexpr double kLambda = .3;

}  // namespace

std::unique_ptr<Xapian::Weight> make_weight(WeightKind kind) {
  using Lm = Xapian::LMWeight;
  switch (kind) {
    case WeightKind::kBm25:
      return std::make_unique<Xapian::BM25Weight>(.9, 0, 1, .4, 0);
    case WeightKind::kBm25Plus:
      return std::make_unique<Xapian::BM25PlusWeight>(1.2, 0, 1, .75, 0, 1);
    case WeightKind::kInL2:
      return std::make_unique<Xapian::InL2Weight>(1.0);
    case WeightKind::kIfB2:
      return std::make_unique<Xapian::IfB2Weight>(1.0);
    case WeightKind::kBB2:
      return std::make_unique<Xapian::BB2Weight>(1.0);
    case WeightKind::kDlh:
      return std::make_unique<Xapian::DLHWeight>();
    case WeightKind::kDph:
      return std::make_unique<Xapian::DPHWeight>();
    case WeightKind::kPL2:
      return std::make_unique<Xapian::PL2Weight>(7.0);
    case WeightKind::kDirichlet:
      return std::make_unique<Lm>(kLogScale, Lm::DIRICHLET_SMOOTHING, kMu, 0);
    case WeightKind::kJelinekMercer:
      return std::make_unique<Lm>(kLogScale, Lm::JELINEK_MERCER_SMOOTHING, kLambda, 0);
  }
  TS_CHECK(false, "every weight is made");
}

std::string describe(WeightKind kind) {
  switch (kind) {
    case WeightKind::kBm25:
      return "BM25 k1=0.9 b=0.4";
    case WeightKind::kBm25Plus:
      return "BM25+ k1=1.2 b=0.75 delta=1";
    case WeightKind::kInL2:
      return "InL2 c=1";
    case WeightKind::kIfB2:
      return "IfB2 c=1";
    case WeightKind::kBB2:
      return "BB2 c=1";
    case WeightKind::kDlh:
      return "DLH";
    case WeightKind::kDph:
      return "DPH";
    case WeightKind::kPL2:
      return "PL2 c=7";
    case WeightKind::kDirichlet:
      return "LM Dirichlet mu=100";
    case WeightKind::kJelinekMercer:
      return "LM Jelinek-Mercer lambda=0.3";
  }
  TS_CHECK(false, "every weight is described");
}

}  // namespace touchstone::retrieval
