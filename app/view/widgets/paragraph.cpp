#include "app/view/widgets/paragraph.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <numeric>
#include <span>
#include <utility>

#include "app/base/text_direction.h"
#include "app/figure/text/line_breaks.h"

namespace lab::view {
namespace {

constexpr std::string_view kBetweenWords = " \n\r\v\f";

constexpr std::size_t kLongestLine = 4096;  // bytes: no window is so wide

bool is_blank(char c) { return kBetweenWords.find(c) != kBetweenWords.npos; }

bool is_whole(const TextRun& run) {
  return run.look == RunLook::kCode || run.look == RunLook::kNumber;
}

// What stands together, without the blanks around it: bytes of the paragraph's text. A line may end
// behind it, and must where it `ends_line`.
struct Word {
  std::size_t begin = 0, end = 0;
  bool ends_line = false;
};

Word stripped(std::string_view text, Word word) {
  while (word.begin < word.end && is_blank(text[word.begin])) ++word.begin;
  while (word.end > word.begin && is_blank(text[word.end - 1])) --word.end;
  return word;
}

// A part of a word, as it stands in one line. The pieces are at their places in it; `width` is that
// of all of them.
struct Fragment {
  std::vector<TextLines::Piece> pieces;
  float width = 0;
  std::size_t end = 0;
};

// A paragraph's text, and where its lines may end.
class Paragraph {
 public:
  Paragraph(const Ui& ui, std::span<const TextRun> runs, float space)
      : ui_(ui), runs_(runs), space_(space) {
    for (const TextRun& run : runs) {
      starts_.push_back(text_.size());
      text_ += run.text;
    }
    breaks_ = figure::line_breaks(text_);
  }

  std::vector<Word> words() const {
    std::vector<Word> words;
    std::size_t begin = 0;
    for (const std::size_t end : breaks_.words) {
      const bool forced = std::ranges::binary_search(breaks_.forced, end);
      const bool ends_word = (forced || is_blank(text_[end - 1])) && may_break(end, false);
      if (!ends_word && end < text_.size()) continue;
      const Word word = stripped(text_, {begin, end, forced});
      if (word.begin < word.end || forced) words.push_back(word);
      begin = end;
    }
    return words;
  }

  // As much of `word` from byte `from` on as `fits`; nothing where a line cannot be broken so
  // early. On a line of its own that is one letter at least.
  template <typename Fits>
  Fragment fragment(const Word& word, std::size_t from, Fits&& fits, bool own_line) const {
    if (word.end - from <= kLongestLine) {
      Fragment rest = measured(from, word.end, false);
      if (fits(rest.width)) return rest;
    }
    const std::size_t to = std::min(word.end, from + kLongestLine);
    const auto fits_to = [&](std::size_t end) { return fits(measured(from, end, true).width); };
    figure::LineBreaks breaks{open_breaks(breaks_.words, from, to, own_line), {}, {}};
    if (!own_line)
      return measured(from, figure::last_that_fits(breaks.words, from, to, fits_to), true);
    breaks.letters = open_breaks(breaks_.letters, from, to, true);
    return measured(from, figure::line_end(breaks, from, word.end, fits_to), true);
  }

 private:
  std::size_t run_at(std::size_t at) const {
    const auto after = std::ranges::upper_bound(starts_, at);
    return static_cast<std::size_t>(after - starts_.begin()) - 1;
  }

  // Whether a break that Unicode permits is one for us. Those within code and numbers are for what
  // is longer than a line.
  bool may_break(std::size_t at, bool own_line) const {
    const std::size_t run = run_at(at);
    if (starts_[run] == at) return true;  // between two looks
    if (runs_[run].look == RunLook::kFormula) return is_blank(text_[at - 1]);
    return own_line || !is_whole(runs_[run]);
  }

  // Those of `positions` between `from` and `to` at which a line may end.
  std::vector<std::size_t> open_breaks(const std::vector<std::size_t>& positions, std::size_t from,
                                       std::size_t to, bool own_line) const {
    std::vector<std::size_t> open;
    std::copy_if(std::ranges::upper_bound(positions, from), std::ranges::lower_bound(positions, to),
                 std::back_inserter(open), [&](std::size_t at) { return may_break(at, own_line); });
    return open;
  }

  Fragment measured(std::size_t from, std::size_t end, bool at_break) const {
    Fragment fragment;
    fragment.end = end;
    for (std::size_t run = run_at(from); run < runs_.size() && starts_[run] < end; ++run) {
      const std::size_t begin = std::max(from, starts_[run]);
      const std::size_t stop = std::min(end, starts_[run] + runs_[run].text.size());
      if (begin < stop) add_pieces(fragment, run, begin, stop, at_break && stop == end);
    }
    return fragment;
  }

  // The bytes from `begin` to `end` of the text, all of `run`.
  void add_pieces(Fragment& fragment, std::size_t run, std::size_t begin, std::size_t end,
                  bool at_break) const {
    for (std::size_t at = begin, stop = 0; at < end; at = stop + 1) {
      stop = is_whole(runs_[run]) ? end : std::min(text_.find_first_of(kBetweenWords, at), end);
      std::string text =
          visible_text(std::string_view(text_).substr(at, stop - at), at_break && stop == end);
      if (text.empty()) continue;
      if (!fragment.pieces.empty() && is_blank(text_[at - 1])) fragment.width += space_;
      const float width = run_width(ui_, runs_[run], text);
      fragment.pieces.push_back({run, std::move(text), fragment.width, width, 0});
      fragment.width += width;
    }
  }

  const Ui& ui_;
  std::span<const TextRun> runs_;
  float space_;
  std::string text_;
  std::vector<std::size_t> starts_;  // of the runs, in text_
  figure::LineBreaks breaks_;
};

// Puts words into lines, one after the other.
class Lines {
 public:
  Lines(const TextColumn& column, float space)
      : column_(column), space_(space), start_(column.start), x_(column.x) {}

  void add(const Paragraph& paragraph, const Word& word) {
    float gap = space_;
    for (std::size_t from = word.begin; from < word.end; gap = 0) {
      const bool own_line = x_ <= start_;
      const float x = own_line ? x_ : x_ + gap;
      const auto fits = [&](float width) { return x + width <= column_.right; };
      const Fragment fragment = paragraph.fragment(word, from, fits, own_line);
      put(fragment, x);
      from = fragment.end;
      if (from < word.end) next_line();
    }
    if (word.ends_line) next_line();
  }
  TextLines take() {
    lines_.end = x_;
    return std::move(lines_);
  }

 private:
  void put(const Fragment& fragment, float x) {
    for (TextLines::Piece piece : fragment.pieces) {
      piece.x += x;
      piece.line = lines_.last_line;
      piece.width = std::min(piece.width, column_.right - piece.x);
      lines_.pieces.push_back(std::move(piece));
    }
    if (!fragment.pieces.empty()) x_ = std::min(x + fragment.width, column_.right);
  }
  void next_line() {
    start_ = x_ = column_.left;
    ++lines_.last_line;
  }

  const TextColumn& column_;
  float space_;
  float start_, x_;
  TextLines lines_;
};

template <typename Value>
void append_bytes(std::string& key, const Value& value) {
  key.append(reinterpret_cast<const char*>(&value), sizeof value);
}

// Tells apart all that is laid out in another way.
std::string key_of(std::span<const TextRun> runs, float space, const TextColumn& column) {
  std::string key;
  for (const TextRun& run : runs) {
    append_bytes(key, reinterpret_cast<std::uintptr_t>(run.font));
    append_bytes(key, run.look);
    append_bytes(key, run.text.size());
    key += run.text;
  }
  for (const float value : {space, column.x, column.start, column.left, column.right})
    append_bytes(key, value);
  return key;
}

using Piece = TextLines::Piece;
using Pieces = std::span<Piece>;

// Of each piece; those without letters follow their neighbours where these agree, else the line.
std::vector<bool> run_leftwards(Pieces line, bool leftwards) {
  std::vector<bool> all(line.size(), leftwards);
  bool before = leftwards;
  std::size_t undecided = 0;  // where the pieces without a direction begin
  for (std::size_t i = 0; i < line.size(); ++i) {
    const Direction direction = direction_of(line[i].text);
    if (direction == Direction::kNone) continue;
    const bool here = direction == Direction::kLeftwards;
    for (std::size_t j = undecided; here == before && j < i; ++j) all[j] = here;
    all[i] = before = here;
    undecided = i + 1;
  }
  return all;
}

// The indices of the pieces from left to right, by the rule L2 of Unicode's bidirectional
// algorithm: from the highest level to the lowest odd one, each stretch of that level is reversed.
std::vector<std::size_t> shown_order(const std::vector<bool>& leftwards, bool line_leftwards) {
  std::vector<std::size_t> order(leftwards.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto level = [&](std::size_t i) { return leftwards[i] ? 1 : line_leftwards ? 2 : 0; };
  for (const int least : {2, 1}) {
    for (auto at = order.begin(); at != order.end();) {
      at = std::find_if(at, order.end(), [&](std::size_t i) { return level(i) >= least; });
      const auto end =
          std::find_if(at, order.end(), [&](std::size_t i) { return level(i) < least; });
      std::reverse(at, end);
      at = end;
    }
  }
  return order;
}

// The gap between the pieces `a` and `b`, which stand side by side.
float gap_between(Pieces line, std::size_t a, std::size_t b, float space) {
  const auto [first, second] = std::minmax(a, b);
  if (second - first > 1) return space;
  return line[second].x - (line[first].x + line[first].width);
}

void reorder(Pieces line, const TextColumn& column, bool leftwards, float space) {
  const std::vector<bool> directions = run_leftwards(line, leftwards);
  if (std::ranges::find(directions, true) == directions.end()) return;
  const std::vector<std::size_t> order = shown_order(directions, leftwards);
  std::vector<float> positions(line.size());
  float x = line.front().x;
  for (std::size_t i = 0; i < order.size(); ++i) {
    if (i > 0) x += gap_between(line, order[i - 1], order[i], space);
    positions[order[i]] = x;
    x += line[order[i]].width;
  }
  const float to_the_right = leftwards ? std::max(0.0f, column.right - x) : 0;
  for (std::size_t i = 0; i < line.size(); ++i) line[i].x = positions[i] + to_the_right;
}

Direction direction_of_paragraph(const TextLines& lines) {
  for (const Piece& piece : lines.pieces)
    if (const Direction direction = direction_of(piece.text); direction != Direction::kNone)
      return direction;
  return Direction::kNone;
}

}  // namespace

const TextLines& laid_out(Ui& ui, std::span<const TextRun> runs, float space,
                          const TextColumn& column) {
  return ui.text_lines.get(key_of(runs, space, column), [&] {
    const Paragraph paragraph(ui, runs, space);
    Lines lines(column, space);
    for (const Word& word : paragraph.words()) lines.add(paragraph, word);
    TextLines laid = lines.take();
    put_in_shown_order(laid, column, space);
    return laid;
  });
}

void put_in_shown_order(TextLines& lines, const TextColumn& column, float space) {
  const bool leftwards = direction_of_paragraph(lines) == Direction::kLeftwards;
  for (auto begin = lines.pieces.begin(); begin != lines.pieces.end();) {
    const auto end = std::find_if(begin, lines.pieces.end(),
                                  [&](const Piece& piece) { return piece.line != begin->line; });
    reorder({begin, end}, column, leftwards, space);
    begin = end;
  }
}

}  // namespace lab::view
