// This file is long because every step of the grammar works on the same two stacks.
#include "extractors/wikitext/preprocessor/markup_tree.hpp"

#include "extractors/scan/byte_scan.hpp"
#include "extractors/scan/text_scan.hpp"

#include <algorithm>
#include <array>

namespace touchstone::extractors::wikitext::preprocessor {
using namespace internal;
using namespace scan;
namespace {

constexpr std::size_t kNowhere = std::string_view::npos;

// Which bytes stop the search depends on what is open; each has a bit.
enum StopBit : unsigned char {
  kStopOpen = 1,  // [ { < newline
  kStopPipe = 2,
  kStopEquals = 4,
  kStopBrace = 8,     // }
  kStopBracket = 16,  // ]
};

constexpr std::array<unsigned char, 256> make_stops() {
  std::array<unsigned char, 256> stops{};
  for (const char c : {'[', '{', '<', '\n'}) stops[static_cast<unsigned char>(c)] = kStopOpen;
  stops['|'] = kStopPipe;
  stops['='] = kStopEquals;
  stops['}'] = kStopBrace;
  stops[']'] = kStopBracket;
  return stops;
}
constexpr auto kStops = make_stops();

class Builder {
 public:
  Builder(std::string_view source, Inclusion inclusion, std::size_t max_depth, MarkupTree& tree,
          const ArgumentFilter& filter)
      : source_(source),
        tags_(source, inclusion),
        inclusion_(inclusion),
        max_depth_(max_depth),
        tree_(tree),
        filter_(filter),
        pieces_(tree.open_pieces),
        parts_(tree.open_parts) {}

  void run() {
    parts_.emplace_back();
    if (inclusion_ == Inclusion::kTemplate && source_.find("<onlyinclude>") != kNowhere &&
        source_.find("</onlyinclude>") != kNowhere) {
      only_include_ = find_only_include_ = true;
    }
    while (true) {
      if (find_only_include_) {
        const std::size_t start = source_.find("<onlyinclude>", i_);
        if (start == kNowhere) break;
        i_ = start + 13;
        find_only_include_ = false;
      }
      if (fake_line_start_) {
        fake_line_start_ = false;
        on_line_start(true);
        continue;
      }
      const bool in_heading = !pieces_.empty() && pieces_.back().open == '\n';
      const std::size_t begin = i_;
      go_to_stop(in_heading);
      add_text(source_.substr(begin, i_ - begin));
      if (i_ >= source_.size()) {
        if (!in_heading) break;
        on_line_end();
        continue;
      }
      on_stop(in_heading);
    }
    while (!pieces_.empty()) {
      const Piece piece = pieces_.back();
      const NodeList list = pop_as_text(piece);
      tree_.append_list(out(), list);
    }
    tree_.root = parts_.front().out;
    parts_.clear();
  }

 private:
  using Piece = OpenPiece;

  NodeList& out() { return parts_.back().out; }

  void add_text(std::string_view text) {
    if (text.empty()) return;
    NodeList& list = out();
    if (!list.empty()) {
      // Neighbours in the source become one node; '=' of a part stays alone, since the part is cut there.
      Node& last = tree_.nodes[list.last];
      const OpenPart& part = parts_.back();
      if (last.kind == NodeKind::kText && list.last != part.equals &&
          last.text.data() + last.text.size() == text.data()) {
        last.text = std::string_view(last.text.data(), last.text.size() + text.size());
        return;
      }
    }
    tree_.append(list, tree_.add_text(text));
  }

  void push(Piece piece) {
    piece.first_part = parts_.size();
    pieces_.push_back(piece);
    parts_.emplace_back();
  }

  /// The unmatched opening characters and all parts of `piece` (the top one) as plain text; both stacks shrink.
  NodeList pop_as_text(const Piece& piece) {
    NodeList list;
    const auto add_node = [&](std::string_view text) { tree_.append(list, tree_.add_text(text)); };
    if (piece.saved_dash) add_node("-");
    if (piece.open != '\n') add_node(source_.substr(piece.begin, piece.count));
    for (std::size_t i = piece.first_part; i < parts_.size(); ++i) {
      if (i > piece.first_part) add_node("|");
      tree_.append_list(list, parts_[i].out);
    }
    parts_.resize(piece.first_part);
    pieces_.pop_back();
    return list;
  }

  void refresh_stops() {
    stops_ = kStopOpen;
    if (pieces_.empty()) return;
    const Piece& top = pieces_.back();
    if (top.open == '[') stops_ |= kStopBracket;
    if (top.open != '{' && top.open != '-') return;
    stops_ |= kStopBrace | kStopPipe;
    if (parts_.size() - top.first_part > 1 && parts_.back().equals == kNoNode) stops_ |= kStopEquals;
  }

  /// Moves to the next byte that may mean something. Most line ends and single brackets do not.
  void go_to_stop(bool in_heading) noexcept {
    const std::size_t size = source_.size();
    if (pieces_.empty()) {
      // Outside of all constructs few bytes matter: brackets hide pipes and braces from what is around them only.
      for (; (i_ = find_stop(Stop::kPage, source_, i_)) < size; ++i_) {
        if (source_[i_] != '{' || (i_ + 1 < size && source_[i_ + 1] == '{') || (i_ > 0 && source_[i_ - 1] == '-'))
          return;
      }
      return;
    }
    for (; (i_ = in_heading ? i_ : find_stop(Stop::kCall, source_, i_)) < size; ++i_) {
      const char c = source_[i_];
      if ((kStops[static_cast<unsigned char>(c)] & stops_) == 0) continue;
      const char next = i_ + 1 < size ? source_[i_ + 1] : '\0';
      if (c == '\n' && !in_heading && next != '=') continue;
      if (c == '[') {
        if (next != '[') continue;
        if (skip_link()) {
          --i_;
          continue;
        }
      }
      if (c == '{' && next != '{' && (i_ == 0 || source_[i_ - 1] != '-')) continue;
      return;
    }
  }

  /// At "[[": moves behind the link when nothing in it matters here. It would be text after all.
  bool skip_link() noexcept {
    if (pieces_.size() >= max_depth_ || source_.substr(i_ + 2, 1) == "[") return false;
    const std::size_t stop = find_stop(Stop::kLink, source_, i_ + 2);
    if (stop + 1 >= source_.size() || source_[stop] != ']' || source_[stop + 1] != ']') return false;
    i_ = stop + 2;
    return true;
  }

  /// At '{' with an unused '-' in front of it: takes the '-' out of the text, since "-{" opens language conversion.
  bool take_back_dash() {
    if (i_ == 0 || source_[i_ - 1] != '-' || i_ == dash_used_ || out().empty()) return false;
    Node& last = tree_.nodes[out().last];
    if (last.kind != NodeKind::kText || last.text.empty() || last.text.data() + last.text.size() != source_.data() + i_)
      return false;
    last.text.remove_suffix(1);
    return true;
  }

  /// At a byte that means something.
  void on_stop(bool in_heading) {
    switch (source_[i_]) {
      case '|':
        parts_.emplace_back();
        refresh_stops();
        ++i_;
        break;
      case '=': {
        OpenPart& part = parts_.back();
        part.before_equals = part.out.last;
        part.equals = tree_.add_text(source_.substr(i_, 1));
        tree_.append(part.out, part.equals);
        ++i_;
        refresh_stops();
        break;
      }
      case '<':
        on_angle();
        break;
      case '\n':
        if (in_heading) {
          on_line_end();
        } else {
          on_line_start(false);
        }
        break;
      case '}':
      case ']':
        on_close();
        break;
      case '{':
        if (take_unread_call()) break;
        if (take_back_dash()) --i_;
        on_open();
        break;
      default:
        on_open();
        break;
    }
  }

  void on_angle() {
    if (only_include_ && source_.substr(i_, 14) == "</onlyinclude>") {
      find_only_include_ = true;
      return;
    }
    const MarkupTag tag = tags_.read(i_);
    switch (tag.kind) {
      case MarkupTag::Kind::kText:
        add_text(source_.substr(i_, tag.end - i_));
        break;
      case MarkupTag::Kind::kNothing:
        fake_line_start_ = tag.end > i_ && source_[tag.end - 1] == '\n';
        break;
      case MarkupTag::Kind::kComment:
        if (tag.takes_line) drop_blanks(tag.blanks_before);
        fake_line_start_ = tag.takes_line;
        break;
      case MarkupTag::Kind::kExtension:
        tree_.extensions.push_back(tag.extension);
        append_node(NodeKind::kExtension, tree_.extensions.size() - 1, source_.substr(i_, tag.end - i_));
        break;
    }
    i_ = tag.end;
  }

  /// Takes the blanks right in front of here out of the text.
  void drop_blanks(std::size_t count) {
    if (out().empty()) return;
    Node& last = tree_.nodes[out().last];
    if (last.kind == NodeKind::kText && last.text.size() >= count &&
        last.text.data() + last.text.size() == source_.data() + i_)
      last.text.remove_suffix(count);
  }

  void on_line_start(bool fake) {
    if (!fake) {
      add_text(source_.substr(i_, 1));
      ++i_;
    }
    std::size_t count = 0;
    while (count < 6 && i_ + count < source_.size() && source_[i_ + count] == '=') ++count;
    if (count == 0 || (count == 1 && (stops_ & kStopEquals) != 0)) return;
    Piece piece;
    piece.open = '\n';
    piece.count = static_cast<std::uint32_t>(count);
    piece.begin = i_;
    push(piece);
    add_text(source_.substr(i_, count));
    i_ += count;
    refresh_stops();
  }

  /// A line that began with '=' ends: whether it is a heading is seen later, from the expanded text; here it only ends
  /// the stretch in which pipes and braces of what is around do not count.
  void on_line_end() {
    const Piece piece = pieces_.back();
    const NodeList list = pop_as_text(piece);
    if (list.first != list.last) keep_level(list);
    tree_.append_list(out(), list);
    refresh_stops();
  }

  /// A heading that was written as one keeps its level when its calls turn out to be nothing: an empty extension is
  /// in it, as MediaWiki's own mark does. `==` left over from such a line would be a heading of another level.
  void keep_level(const NodeList& line) {
    const auto is_blank_text = [](std::string_view text) { return text.find_first_not_of(" \t=") == kNowhere; };
    const Node& first = tree_.nodes[line.first];
    const Node& last = tree_.nodes[line.last];
    if (last.kind != NodeKind::kText || !is_blank_text(first.text) || !is_blank_text(last.text) ||
        last.text.find('=') == kNowhere)
      return;
    tree_.extensions.push_back({ExtensionKind::kNowiki, {}, {}});
    const auto number = static_cast<std::uint32_t>(tree_.extensions.size() - 1);
    const std::uint32_t behind = first.next;
    tree_.nodes[line.first].next = static_cast<std::uint32_t>(tree_.nodes.size());
    tree_.add({{}, behind, number, NodeKind::kExtension});
  }

  void on_open() {
    char c = source_[i_];
    const std::size_t begin = i_;
    std::size_t count = 0;
    while (i_ + count < source_.size() && source_[i_ + count] == c) ++count;
    Piece piece;
    piece.at_line_start = i_ > 0 && source_[i_ - 1] == '\n';
    if (c == '-') {
      count = 1;
      while (begin + count < source_.size() && source_[begin + count] == '{') ++count;
      if (count > 2) {  // "-{{": the braces win
        piece.saved_dash = true;
        c = '{';
        ++i_;
        --count;
      }
    }
    if (count >= 2 && pieces_.size() < max_depth_) {
      piece.open = c;
      piece.count = static_cast<std::uint32_t>(std::min<std::size_t>(count, 0xFFFFFFFF));
      piece.begin = i_;
      push(piece);
      refresh_stops();
    } else {
      if (count >= 2) ++tree_.limits_hit;
      add_text(source_.substr(begin, i_ + count - begin));
    }
    i_ += count;
  }

  void on_close() {
    const Piece piece = pieces_.back();
    if (piece.open == '-') {
      if (source_.substr(i_, 2) != "}-") {
        add_text(source_.substr(i_, 1));
        ++i_;
        return;
      }
      NodeList list = pop_as_text(piece);
      tree_.append_list(out(), list);
      add_text(source_.substr(i_, 2));
      i_ += 2;
      dash_used_ = i_;
      refresh_stops();
      return;
    }
    const char c = source_[i_];
    const std::uint32_t most = piece.open == '{' ? 3 : 2;
    std::uint32_t count = 0;
    while (count < std::min(piece.count, most) && i_ + count < source_.size() && source_[i_ + count] == c) ++count;
    const std::uint32_t matching = count;
    if (matching < 2) {
      add_text(source_.substr(i_, count));
      i_ += count;
      return;
    }
    if (piece.open == '{') {
      close_call(piece, matching);
      i_ += matching;
    } else {
      Piece rest = piece;
      Piece matched = piece;
      matched.begin += piece.count - matching;
      matched.count = matching;
      NodeList list = pop_as_text(matched);
      rest.count -= matching;
      if (rest.count >= 2) {
        push(rest);
      } else if (rest.count == 1) {
        add_text(source_.substr(rest.begin, 1));
      }
      tree_.append_list(out(), list);
      add_text(source_.substr(i_, matching));
      i_ += matching;
    }
    refresh_stops();
  }

  void close_call(Piece piece, std::uint32_t matching) {
    Call call;
    call.at_line_start = piece.at_line_start && matching == piece.count;
    call.title = parts_[piece.first_part].out;
    call.first_part = static_cast<std::uint32_t>(tree_.parts.size());
    for (std::size_t i = piece.first_part + 1; i < parts_.size(); ++i) {
      const OpenPart& open = parts_[i];
      CallPart part;
      part.value = open.out;
      if (open.equals != kNoNode) {
        part.named = true;
        if (open.before_equals != kNoNode) part.name = {open.out.first, open.before_equals};
        part.value = {};
        if (open.equals != open.out.last) part.value = {tree_.nodes[open.equals].next, open.out.last};
      }
      tree_.parts.push_back(part);
    }
    call.part_count = static_cast<std::uint32_t>(parts_.size() - piece.first_part - 1);
    const std::size_t begin = piece.begin + piece.count - matching;
    call.source = source_.substr(begin, i_ + matching - begin);
    parts_.resize(piece.first_part);
    pieces_.pop_back();
    tree_.calls.push_back(call);

    const NodeKind kind = matching == 3 ? NodeKind::kParameter : NodeKind::kTemplate;
    const std::uint32_t id =
        tree_.add({call.source, kNoNode, static_cast<std::uint32_t>(tree_.calls.size() - 1), kind});

    piece.count -= matching;
    if (piece.count >= 2) {
      push(piece);
    } else if (piece.count == 1 && piece.saved_dash) {
      piece.saved_dash = false;
      piece.open = '-';
      piece.begin -= 1;
      piece.count = 2;
      push(piece);
    } else {
      if (piece.saved_dash) add_text("-");
      if (piece.count == 1) add_text(source_.substr(piece.begin, 1));
    }
    tree_.append(out(), id);
  }

  /// Appends what is not text: the last call or extension.
  void append_node(NodeKind kind, std::size_t payload, std::string_view text) {
    tree_.append(out(), tree_.add({text, kNoNode, static_cast<std::uint32_t>(payload), kind}));
  }

  /// At "{{": takes a call whose arguments hold no markup and that nobody asks for, as a whole.
  bool take_unread_call() {
    if (!filter_ || pieces_.size() >= max_depth_ || source_.substr(i_ + 1, 1) != "{") return false;
    std::size_t close = find_stop(Stop::kFlat, source_, i_ + 2);
    while (close < source_.size() && source_[close] == '}' && source_.substr(close + 1, 1) != "}")
      close = find_stop(Stop::kFlat, source_, close + 1);
    if (close >= source_.size() || source_[close] != '}') return false;
    const std::string_view inside = source_.substr(i_ + 2, close - i_ - 2);
    const std::size_t bar = inside.find('|');
    if (bar == kNowhere || filter_(trim(inside.substr(0, bar)))) return false;
    Call call;
    call.source = source_.substr(i_, close + 2 - i_);
    call.unread = true;
    call.title.first = call.title.last = tree_.add_text(inside.substr(0, bar));
    tree_.calls.push_back(call);
    append_node(NodeKind::kTemplate, tree_.calls.size() - 1, call.source);
    i_ = close + 2;
    return true;
  }

  std::string_view source_;
  MarkupTags tags_;
  Inclusion inclusion_;
  std::size_t max_depth_;
  MarkupTree& tree_;
  const ArgumentFilter& filter_;
  std::size_t i_ = 0;
  std::vector<Piece>& pieces_;
  std::vector<OpenPart>& parts_;  // of the root (first) and of all pieces; the last is read into
  unsigned char stops_ = kStopOpen;
  std::size_t dash_used_ = 0;  // a '-' in front of this byte closed something
  bool fake_line_start_ = true;
  bool only_include_ = false;
  bool find_only_include_ = false;
};

}  // namespace

void build_markup_tree(std::string_view source, Inclusion inclusion, std::size_t max_depth, MarkupTree& tree,
                       const ArgumentFilter& filter) {
  tree.clear();
  Builder(source, inclusion, max_depth, tree, filter).run();
}

}  // namespace touchstone::extractors::wikitext::preprocessor
