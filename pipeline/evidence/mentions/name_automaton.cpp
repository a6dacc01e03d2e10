#include "pipeline/evidence/mentions/name_automaton.hpp"

#include "common/error.hpp"

#include <algorithm>
#include <utility>

namespace touchstone::pipeline::evidence::mentions {

NameAutomaton::NameAutomaton(const std::vector<std::u32string_view>& names) {
  for (std::size_t i = 0; i < names.size(); ++i) {
    TS_CHECK(!names[i].empty() && (i == 0 || names[i - 1] < names[i]), "names are not empty, distinct and ascending");
    name_lengths_.push_back(static_cast<std::uint32_t>(names[i].size()));
  }
  build_states(names);
  build_failures();
}

void NameAutomaton::build_states(const std::vector<std::u32string_view>& names) {
  // State by state in order of depth; each holds the names that begin with its letters, which follow each other.
  struct Range {
    std::size_t begin, end;
    std::size_t depth;
  };
  std::vector<Range> level = {{0, names.size(), 0}};
  labels_.push_back(0);
  while (!level.empty()) {
    std::vector<Range> next;
    for (auto [begin, end, depth] : level) {
      const bool ends = depth > 0 && begin < end && names[begin].size() == depth;
      name_.push_back(ends ? static_cast<std::uint32_t>(begin) : kNone);
      if (ends) ++begin;
      first_child_.push_back(static_cast<std::uint32_t>(labels_.size()));
      while (begin < end) {
        const char32_t letter = names[begin][depth];
        const std::size_t first = begin;
        while (begin < end && names[begin][depth] == letter) ++begin;
        labels_.push_back(letter);
        next.push_back({first, begin, depth + 1});
      }
    }
    level = std::move(next);
  }
  first_child_.push_back(static_cast<std::uint32_t>(labels_.size()));
  from_root_.assign(kDirectLetters, kRoot);
  for (std::uint32_t state = first_child_[0]; state < first_child_[1]; ++state) {
    if (labels_[state] < kDirectLetters) from_root_[labels_[state]] = state;
  }
}

void NameAutomaton::build_failures() {
  failure_.assign(labels_.size(), kRoot);
  shorter_.assign(labels_.size(), kNone);
  for (std::uint32_t parent = 0; parent < labels_.size(); ++parent) {
    for (std::uint32_t state = first_child_[parent]; state < first_child_[parent + 1]; ++state) {
      if (parent != kRoot) failure_[state] = step(failure_[parent], labels_[state]);
      const auto end = failure_[state];
      shorter_[state] = name_[end] != kNone ? end : shorter_[end];
    }
  }
}

/// kRoot if there is no such step.
std::uint32_t NameAutomaton::child(std::uint32_t state, char32_t letter) const noexcept {
  if (state == kRoot && letter < kDirectLetters) return from_root_[letter];
  const auto begin = labels_.begin() + first_child_[state], end = labels_.begin() + first_child_[state + 1];
  const auto at = std::lower_bound(begin, end, letter);
  return at != end && *at == letter ? static_cast<std::uint32_t>(at - labels_.begin()) : kRoot;
}

std::uint32_t NameAutomaton::step(std::uint32_t state, char32_t letter) const noexcept {
  for (;; state = failure_[state]) {
    if (const auto next = child(state, letter); next != kRoot || state == kRoot) return next;
  }
}

void NameAutomaton::find(std::u32string_view text, const std::function<void(const Match&)>& use) const {
  std::uint32_t state = kRoot;
  for (std::uint32_t i = 0; i < text.size(); ++i) {
    state = step(state, text[i]);
    for (auto at = name_[state] != kNone ? state : shorter_[state]; at != kNone; at = shorter_[at]) {
      use({name_[at], i + 1 - name_lengths_[name_[at]], i + 1});
    }
  }
}

}  // namespace touchstone::pipeline::evidence::mentions
