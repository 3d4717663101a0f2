#include "app/lessons/reading/rich_text.h"

#include <md4c.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "app/base/bad_input.h"
#include "app/base/strings.h"
#include "app/base/typed_number.h"
#include "app/explain/number_text.h"
#include "app/translation/words.h"

namespace lab::lessons {
namespace {

using Look = TextSpan::Look;
using BlockType = TextBlock::Type;

// Parses "weights[1, it, animal] to 2": the expression and its number of decimals.
TextSpan live_span(std::string_view code) {
  constexpr std::string_view kTo = " to ";
  TextSpan span{Look::kStrong, std::string(code), std::nullopt};
  if (const std::size_t at = code.rfind(kTo); at != code.npos) {
    const std::string_view digits = code.substr(at + kTo.size());
    if (digits.size() != 1 || !is_digit(digits.front()))
      throw BadInput("the number of decimals after \"to\" is " + in_quotes(digits) +
                     " but should be 0 to 9");
    span.decimals = digits.front() - '0';
    code = code.substr(0, at);
  }
  span.live = value_or_bad_input(Expression::parse(code));
  return span;
}

// A live number, a text of the window, or plain code.
TextSpan code_span(const std::string& code) {
  constexpr std::string_view kLive = "= ", kLabel = "ui: ";
  if (code.starts_with(kLive)) return live_span(std::string_view(code).substr(kLive.size()));
  if (!code.starts_with(kLabel)) return {Look::kCode, code, std::nullopt};
  const std::string label(trimmed(std::string_view(code).substr(kLabel.size())));
  TextSpan span{Look::kStrong, label.substr(0, label.find("##")), std::nullopt};
  span.label = label;
  return span;
}

// "&nbsp;", "&#8211;", "&mdash;" as MD4C leaves them.
std::string entity_text(std::string_view entity) {
  struct Entity {
    std::string_view name, text;
  };
  static constexpr Entity kEntities[] = {{"&nbsp;", "\u00A0"}, {"&amp;", "&"},   {"&lt;", "<"},
                                         {"&gt;", ">"},        {"&quot;", "\""}, {"&minus;", "−"}};
  for (const Entity& one : kEntities)
    if (one.name == entity) return std::string(one.text);
  return std::string(entity);
}

// The type of document: lessons have live numbers, pages have tables and links.
enum class Source { kLesson, kPage };

struct List {
  bool numbered = false;
  unsigned next = 1;
};

// Builds the text from the parser's callbacks.
class RichTextBuilder {
 public:
  RichTextBuilder(std::string_view markdown, int line, Source source)
      : markdown_(markdown), first_line_(line), line_(line), source_(source) {}

  RichText take() { return std::move(blocks_); }
  const std::string& problem() const { return problem_; }

  // Exceptions must not pass through the parser, which is written in C. A negative result aborts
  // it.
  template <typename Step>
  int step(Step&& step) {
    try {
      step();
      return 0;
    } catch (const BadInput& error) {
      problem_ = error.what();
      return -1;
    }
  }

  void enter(MD_BLOCKTYPE type, void* detail) {
    switch (type) {
      case MD_BLOCK_UL:
        lists_.push_back({});
        break;
      case MD_BLOCK_OL:
        lists_.push_back({true, static_cast<MD_BLOCK_OL_DETAIL*>(detail)->start});
        break;
      case MD_BLOCK_LI:
        begin_item();
        break;
      case MD_BLOCK_P:
        begin(quotes_ > 0 ? BlockType::kQuote : BlockType::kParagraph);
        break;
      case MD_BLOCK_H:
        begin(BlockType::kHeading);
        block().level = static_cast<int>(static_cast<MD_BLOCK_H_DETAIL*>(detail)->level);
        break;
      case MD_BLOCK_CODE:
        begin(BlockType::kCode);
        break;
      case MD_BLOCK_QUOTE:
        ++quotes_;
        break;
      case MD_BLOCK_TABLE:
        begin_table();
        break;
      case MD_BLOCK_TR:
        block().rows.emplace_back();
        break;
      case MD_BLOCK_TH:
      case MD_BLOCK_TD:
        block().rows.back().emplace_back();
        break;
      default:
        break;
    }
  }
  void leave(MD_BLOCKTYPE type) {
    if (type == MD_BLOCK_UL || type == MD_BLOCK_OL) lists_.pop_back();
    if (type == MD_BLOCK_QUOTE) --quotes_;
    if (type == MD_BLOCK_LI) open_item_ = false;
    if (type == MD_BLOCK_CODE) trim_code();
  }
  void enter(MD_SPANTYPE type, void* detail) {
    if (type == MD_SPAN_IMG) throw BadInput(source_name() + " cannot show images");
    if (type == MD_SPAN_A && source_ == Source::kPage) {
      const MD_ATTRIBUTE& target = static_cast<MD_SPAN_A_DETAIL*>(detail)->href;
      target_.assign(target.text, target.size);
    }
    looks_.push_back(type == MD_SPAN_STRONG              ? Look::kStrong
                     : type == MD_SPAN_EM                ? Look::kEmphasis
                     : type == MD_SPAN_CODE              ? Look::kCode
                     : type == MD_SPAN_LATEXMATH         ? Look::kFormula
                     : type == MD_SPAN_LATEXMATH_DISPLAY ? Look::kFormula
                                                         : look());
    if (type == MD_SPAN_CODE || looks_.back() == Look::kFormula) verbatim_.clear();
  }
  void leave(MD_SPANTYPE type) {
    const Look ended = look();
    looks_.pop_back();
    if (type == MD_SPAN_A) target_.clear();
    if (type == MD_SPAN_CODE) end_code();
    if (ended == Look::kFormula && type != MD_SPAN_CODE) {
      add({Look::kFormula, formula_text(verbatim_), std::nullopt});
      if (type == MD_SPAN_LATEXMATH_DISPLAY) block().type = BlockType::kFormula;
    }
  }
  void text(MD_TEXTTYPE type, std::string_view text) {
    const bool in_block = !blocks_.empty() && block().type == BlockType::kCode;
    if (type == MD_TEXT_HTML) throw BadInput(source_name() + " cannot show HTML");
    note_line(text);
    if ((type == MD_TEXT_CODE && !in_block) || type == MD_TEXT_LATEXMATH) {
      verbatim_ += text;
    } else if (type == MD_TEXT_BR) {
      add_text("\n");
    } else if (type == MD_TEXT_SOFTBR) {
      add_text(" ");
    } else if (type == MD_TEXT_ENTITY) {
      add_text(entity_text(text));
    } else {
      add_text(type == MD_TEXT_NULLCHAR ? "\uFFFD" : text);
    }
  }

 private:
  // Except for line ends, MD4C passes pointers into the text itself.
  void note_line(std::string_view segment) {
    const std::less_equal<const char*> not_after;
    const char* const begin = markdown_.data();
    if (!not_after(begin, segment.data()) || !not_after(segment.data(), begin + markdown_.size()))
      return;
    line_ = first_line_ + static_cast<int>(std::count(begin, segment.data(), '\n'));
  }
  Look look() const { return looks_.empty() ? Look::kPlain : looks_.back(); }
  TextBlock& block() { return blocks_.back(); }
  // Where new text goes: the current cell of a table, or the block itself.
  std::vector<TextSpan>& spans() {
    return block().type == BlockType::kTable ? block().rows.back().back() : block().spans;
  }
  std::string source_name() const { return source_ == Source::kLesson ? "lessons" : "pages"; }

  void begin(BlockType type) {
    const bool in_list = !lists_.empty();
    // The first paragraph of an item is the item's block.
    if (in_list && open_item_ && type == BlockType::kParagraph && block().spans.empty()) return;
    blocks_.push_back({in_list && type == BlockType::kParagraph ? BlockType::kItem : type,
                       static_cast<int>(lists_.size()),
                       {},
                       {}});
  }
  void begin_table() {
    if (source_ == Source::kLesson) throw BadInput("lessons cannot show tables; write a list");
    begin(BlockType::kTable);
  }
  void begin_item() {
    List& list = lists_.back();
    const std::string marker = list.numbered ? std::to_string(list.next++) + "." : "•";
    blocks_.push_back({BlockType::kItem, static_cast<int>(lists_.size()), marker, {}});
    open_item_ = true;
  }
  void add(TextSpan span) {
    if (blocks_.empty()) begin(BlockType::kParagraph);
    span.target = target_;
    spans().push_back(std::move(span));
  }
  void add_text(std::string_view text) {
    if (blocks_.empty()) begin(BlockType::kParagraph);
    const Look style = block().type == BlockType::kCode ? Look::kCode : look();
    const TextSpan* last = spans().empty() ? nullptr : &spans().back();
    if (last != nullptr && !last->live && last->label.empty() && last->look == style &&
        last->target == target_) {
      spans().back().text += text;
    } else {
      add({style, std::string(text), std::nullopt});
    }
  }
  void end_code() {
    TextSpan span = source_ == Source::kLesson
                        ? code_span(std::exchange(verbatim_, {}))
                        : TextSpan{Look::kCode, std::exchange(verbatim_, {}), std::nullopt};
    span.line = line_;
    add(std::move(span));
  }
  void trim_code() {
    if (block().spans.empty()) return;
    std::string& text = block().spans.back().text;
    while (text.ends_with('\n')) text.pop_back();
  }

  std::string_view markdown_;
  int first_line_, line_;
  Source source_;
  RichText blocks_;
  std::vector<List> lists_;
  std::vector<Look> looks_;
  std::string verbatim_;  // the code or formula being read
  std::string target_;    // target of the link being read
  std::string problem_;
  int quotes_ = 0;
  bool open_item_ = false;
};

// Without its closing `, a live number would be shown as source text.
void check_closed(const RichText& text) {
  for (const TextBlock& block : text) {
    for (const TextSpan& span : block.spans) {
      const std::size_t at = span.look == Look::kCode ? span.text.npos : span.text.find("`= ");
      if (at == span.text.npos) continue;
      throw BadInput("the live number " + in_quotes(span.text.substr(at, 20)) +
                     " is not closed; put a ` after it");
    }
  }
}

// The commas of "`= a`, `= b`".
void mark_separators(RichText& text) {
  for (TextBlock& block : text)
    for (std::size_t i = 1; i + 1 < block.spans.size(); ++i)
      block.spans[i].separates = block.spans[i].text == ", " && !block.spans[i].live &&
                                 block.spans[i - 1].live && block.spans[i + 1].live;
}

RichTextBuilder& builder_of(void* user) { return *static_cast<RichTextBuilder*>(user); }

RichText read_text(std::string_view markdown, int line, Source source) {
  RichTextBuilder builder(markdown, line, source);
  MD_PARSER parser{};
  parser.flags = MD_FLAG_LATEXMATHSPANS | MD_FLAG_TABLES | MD_FLAG_NOINDENTEDCODEBLOCKS;
  parser.enter_block = [](MD_BLOCKTYPE type, void* detail, void* user) {
    return builder_of(user).step([&] { builder_of(user).enter(type, detail); });
  };
  parser.leave_block = [](MD_BLOCKTYPE type, void*, void* user) {
    return builder_of(user).step([&] { builder_of(user).leave(type); });
  };
  parser.enter_span = [](MD_SPANTYPE type, void* detail, void* user) {
    return builder_of(user).step([&] { builder_of(user).enter(type, detail); });
  };
  parser.leave_span = [](MD_SPANTYPE type, void*, void* user) {
    return builder_of(user).step([&] { builder_of(user).leave(type); });
  };
  parser.text = [](MD_TEXTTYPE type, const MD_CHAR* text, MD_SIZE size, void* user) {
    return builder_of(user).step([&] { builder_of(user).text(type, {text, size}); });
  };
  const int result =
      md_parse(markdown.data(), static_cast<MD_SIZE>(markdown.size()), &parser, &builder);
  if (!builder.problem().empty()) throw BadInput(builder.problem());
  if (result != 0) throw std::bad_alloc();
  return builder.take();
}

}  // namespace

RichText rich_text(std::string_view markdown, int line) {
  RichText text = read_text(markdown, line, Source::kLesson);
  check_closed(text);
  mark_separators(text);
  return text;
}

RichText page_text(std::string_view markdown) { return read_text(markdown, 0, Source::kPage); }

std::string span_text(const TextSpan& span, const Snapshot& live) {
  if (!span.label.empty()) return tr(span.label);
  if (span.separates) return between_numbers();
  if (!span.live) return span.text;
  constexpr int kDecimals = 4;
  const auto value = span.live->evaluate(live);
  if (!value) return "?";
  if (const auto* text = std::get_if<std::string>(&*value)) return *text;
  const auto number = number_of(*value);
  if (!number) return "?";
  if (!span.decimals || !std::isfinite(*number)) return plain_number(*number, kDecimals);
  return explain::with_minus_signs(
      explain::format_fixed(static_cast<float>(*number), *span.decimals));
}

std::string plain_text(const RichText& text, const Snapshot& live) {
  std::string plain;
  for (const TextBlock& block : text) {
    if (!plain.empty()) plain += '\n';
    if (!block.marker.empty()) plain += block.marker + " ";
    for (const TextSpan& span : block.spans) plain += span_text(span, live);
  }
  return plain;
}

}  // namespace lab::lessons
