#pragma once

#include "linking/dictionary.hpp"
#include "linking/linker_options.hpp"
#include "linking/relatedness.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace touchstone::linking {

/// A phrase of a text that names an entity.
struct Annotation {
  std::uint32_t text = 0;            ///< number of the text
  std::uint32_t begin = 0, end = 0;  ///< code points
  std::uint32_t entity = 0;
  double link_probability = 0;  ///< of the phrase
  double commonness = 0;        ///< of the meaning
  double coherence = 0;         ///< mean relatedness to the entities around; 0 where there are none
  double score = 0;             ///< mean of link probability and coherence; with kPrior the link probability
};

/// Finds the entities of the pages that it is given, in the manner of TagMe (Ferragina and Scaiella, CIKM 2010). One
/// object for one thread; what it finds does not depend on what it was asked before.
class Linker {
 public:
  Linker(const Dictionary& dictionary, const LinkerOptions& options)
      : dictionary_(dictionary), options_(options), relatedness_(dictionary) {}

  /// The entities of one page, in order. They do not overlap.
  /// \param texts  its paragraphs, each UTF-8, in order
  std::vector<Annotation> link(const std::vector<std::string>& texts);

 private:
  /// A place of a text where a phrase of the dictionary is.
  struct Spot {
    std::uint32_t text = 0;            ///< number of the text
    std::uint32_t begin = 0, end = 0;  ///< code points
    Anchor anchor;
  };
  struct Choice {
    Spot spot;
    std::vector<Meaning> meanings;    ///< that are considered
    std::vector<double> commonness;   ///< of each: share of the phrase's links that lead to it
    std::vector<std::size_t> voters;  ///< numbers of other choices
    std::size_t chosen = 0;           ///< index into `meanings`
  };

  /// Appends the phrases of a text that are links on at least `min_link_probability` of their pages: whole words, the
  /// leftmost first, of those the longest, so that no two overlap.
  void find_spots(std::string_view text, std::uint32_t number, std::vector<Spot>& spots) const;
  std::vector<Choice> choices_of(const std::vector<std::string>& texts) const;
  void find_voters(std::vector<Choice>& choices) const;
  double vote(const Choice& voter, std::uint32_t entity);
  void choose(Choice& choice, const std::vector<Choice>& choices);
  double coherence(const Choice& choice, const std::vector<Choice>& choices);

  const Dictionary& dictionary_;
  LinkerOptions options_;
  Relatedness relatedness_;
};

}  // namespace touchstone::linking
