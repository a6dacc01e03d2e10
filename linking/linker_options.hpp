#pragma once

#include "common/settings.hpp"

#include <cstdint>
#include <vector>

namespace touchstone {
namespace linking {

/// How one of several meanings of a phrase is chosen.
enum class Disambiguation : std::uint8_t {
  kVoting,  ///< by what the phrases around it mean
  kPrior,   ///< the meaning that most links have: a baseline
};

/// Which phrases of a text become links, and to what. docs/entity-linking.md shows what other values give on three
/// wikis.
struct LinkerOptions {
  Disambiguation disambiguation = Disambiguation::kVoting;
  double min_link_probability = 0.1;
  double min_commonness = 0.02;
  std::int64_t max_meanings = 6;
  std::int64_t voters = 7;
  double near_best = 0.3;
  double min_score = 0.25;

  static std::vector<Option<LinkerOptions>> options();
};

}  // namespace linking

template <>
struct Choices<linking::Disambiguation> {
  static constexpr Choice<linking::Disambiguation> table[] = {{"voting", linking::Disambiguation::kVoting},
                                                              {"prior", linking::Disambiguation::kPrior}};
};

}  // namespace touchstone
