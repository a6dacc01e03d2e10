#pragma once

#include "extractors/wikitext/preprocessor/markers.hpp"
#include "extractors/wikitext/preprocessor/markup_tags.hpp"

#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

namespace touchstone::extractors::wikitext::preprocessor {

inline constexpr std::uint32_t kNoNode = 0xFFFFFFFF;

enum class NodeKind : std::uint8_t { kText, kTemplate, kParameter, kExtension };

struct Node {
  std::string_view text;         ///< kText: the text
  std::uint32_t next = kNoNode;  ///< next node of the list this one was appended to
  std::uint32_t payload = 0;     ///< index of the call or extension
  NodeKind kind = NodeKind::kText;
};

/// Nodes from `first` to `last` by their `next` links.
struct NodeList {
  std::uint32_t first = kNoNode;
  std::uint32_t last = kNoNode;
  bool empty() const noexcept { return first == kNoNode; }
};

/// One `|...` of a call.
struct CallPart {
  NodeList name;  ///< text before the first '='; only when `named`
  NodeList value;
  bool named = false;
};

/// `{{title|part|part}}` or `{{{title|part}}}`.
struct Call {
  NodeList title;
  std::uint32_t first_part = 0;  ///< index into MarkupTree::parts
  std::uint32_t part_count = 0;
  std::string_view source;  ///< as written, with its braces
  bool at_line_start = false;
  bool unread = false;  ///< its arguments were not read: see ArgumentFilter
};

/// A part of an open construct: what was read of it so far.
struct OpenPart {
  NodeList out;
  std::uint32_t before_equals = kNoNode, equals = kNoNode;
};

/// Opening characters that were not closed yet.
struct OpenPiece {
  char open = 0;  ///< '{', '[', '-' (for -{) or '\n' (for a heading)
  bool at_line_start = false;
  bool saved_dash = false;  ///< "-{{": the dash in front belongs to nobody yet
  std::uint32_t count = 0;  ///< opening characters not matched yet; "-{" counts 2
  std::size_t begin = 0;    ///< of the opening characters still unmatched
  std::size_t first_part = 0;
};

/// The outer structure of wikitext, which is found first: calls of templates, parameters and extension tags. Comments
/// and inclusion tags are removed. Views point into the source text.
struct MarkupTree {
  std::vector<Node> nodes;
  std::vector<Call> calls;
  std::vector<CallPart> parts;
  std::vector<Extension> extensions;
  NodeList root;
  std::uint32_t limits_hit = 0;

  // Memory of the builder; empty when it is done.
  std::vector<OpenPiece> open_pieces;
  std::vector<OpenPart> open_parts;

  void clear() {
    nodes.clear();
    calls.clear();
    parts.clear();
    extensions.clear();
    open_pieces.clear();
    open_parts.clear();
    root = {};
    limits_hit = 0;
  }

  /// Gives the number of the node.
  std::uint32_t add(const Node& node) {
    nodes.push_back(node);
    return static_cast<std::uint32_t>(nodes.size() - 1);
  }
  std::uint32_t add_text(std::string_view text) { return add({text, kNoNode, 0, NodeKind::kText}); }

  void append(NodeList& list, std::uint32_t node) { append_list(list, {node, node}); }
  void append_list(NodeList& list, const NodeList& tail) {
    if (tail.empty()) return;
    (list.empty() ? list.first : nodes[list.last].next) = tail.first;
    list.last = tail.last;
  }
};

/// Whether the arguments of a call with this name are needed if they contain no markup. Most calls are of templates
/// that show nothing, such as citations; splitting them into arguments would double the work.
using ArgumentFilter = std::function<bool(std::string_view name)>;

/// Builds the tree of `source` into `tree` (its memory is used again). Linear in the length of the source, never fails.
///
/// \param max_depth  deeper nested braces are read as text
/// \param filter     if given, calls whose arguments contain no markup and are not needed have none in the tree
/// Source: mediawiki.org Preprocessor ABNF (read 2025-01), checked against MediaWiki 1.39.
void build_markup_tree(std::string_view source, internal::Inclusion inclusion, std::size_t max_depth, MarkupTree& tree,
                       const ArgumentFilter& filter = {});

}  // namespace touchstone::extractors::wikitext::preprocessor
