#pragma once

#include "pipeline/automatic/selection/predicate.hpp"

namespace touchstone::pipeline::automatic::selection::internal {

/// What follows a predicate's name.
enum class Argument : std::uint8_t { kNothing, kText, kSet, kFile, kHash, kFold };

struct PredicateName {
  std::string_view name;
  PredicateKind kind;
  Argument argument;
};

inline constexpr PredicateName kPredicateNames[] = {
    {"name-contains", PredicateKind::kNameContains, Argument::kText},
    {"name-has-prefix", PredicateKind::kNameHasPrefix, Argument::kText},
    {"name-has-suffix", PredicateKind::kNameHasSuffix, Argument::kText},
    {"name-in-set", PredicateKind::kNameInSet, Argument::kSet},
    {"name-or-redirect-in-set", PredicateKind::kNameOrRedirectInSet, Argument::kSet},
    {"name-set-from-file", PredicateKind::kNameSetFromFile, Argument::kFile},
    {"category-contains", PredicateKind::kCategoryContains, Argument::kText},
    {"qid-in-set", PredicateKind::kQidInSet, Argument::kSet},
    {"qid-set-from-file", PredicateKind::kQidSetFromFile, Argument::kFile},
    {"has-page-tag", PredicateKind::kHasPageTag, Argument::kSet},
    {"page-hash-mod", PredicateKind::kPageHashMod, Argument::kHash},
    {"train-set", PredicateKind::kTrainSet, Argument::kNothing},
    {"test-set", PredicateKind::kTestSet, Argument::kNothing},
    {"fold", PredicateKind::kFold, Argument::kFold},
    {"is-redirect", PredicateKind::kIsRedirect, Argument::kNothing},
    {"is-disambiguation", PredicateKind::kIsDisambiguation, Argument::kNothing},
    {"is-category", PredicateKind::kIsCategory, Argument::kNothing},
    {"true", PredicateKind::kTrue, Argument::kNothing},
};

}  // namespace touchstone::pipeline::automatic::selection::internal
