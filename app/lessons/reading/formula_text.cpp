#include <algorithm>
#include <array>

#include "app/base/strings.h"
#include "app/lessons/reading/rich_text.h"

namespace lab::lessons {
namespace {

struct Replacement {
  std::string_view written, shown;
};

constexpr std::array kCommands = {
    Replacement{"cdot", "·"},       Replacement{"times", "×"},   Replacement{"div", "÷"},
    Replacement{"pm", "±"},         Replacement{"top", "ᵀ"},     Replacement{"sum", "Σ"},
    Replacement{"infty", "∞"},      Replacement{"le", "≤"},      Replacement{"leq", "≤"},
    Replacement{"ge", "≥"},         Replacement{"geq", "≥"},     Replacement{"ne", "≠"},
    Replacement{"neq", "≠"},        Replacement{"approx", "≈"},  Replacement{"to", "→"},
    Replacement{"rightarrow", "→"}, Replacement{"ldots", "…"},   Replacement{"dots", "…"},
    Replacement{"cdots", "…"},      Replacement{"alpha", "α"},   Replacement{"beta", "β"},
    Replacement{"gamma", "γ"},      Replacement{"epsilon", "ε"}, Replacement{"theta", "θ"},
    Replacement{"lambda", "λ"},     Replacement{"mu", "μ"},      Replacement{"sigma", "σ"},
    Replacement{"tau", "τ"},        Replacement{"exp", "exp"},   Replacement{"log", "log"},
    Replacement{"ln", "ln"},        Replacement{"max", "max"},   Replacement{"min", "min"},
    Replacement{"left", ""},        Replacement{"right", ""},    Replacement{"quad", "  "},
    Replacement{"in", "∈"},         Replacement{"partial", "∂"}, Replacement{"softmax", "softmax"},
};

constexpr std::array kRaised = {
    Replacement{"0", "⁰"}, Replacement{"1", "¹"}, Replacement{"2", "²"}, Replacement{"3", "³"},
    Replacement{"4", "⁴"}, Replacement{"5", "⁵"}, Replacement{"6", "⁶"}, Replacement{"7", "⁷"},
    Replacement{"8", "⁸"}, Replacement{"9", "⁹"}, Replacement{"T", "ᵀ"}, Replacement{"ᵀ", "ᵀ"},
    Replacement{"-", "⁻"}, Replacement{"−", "⁻"}, Replacement{"n", "ⁿ"}, Replacement{"x", "ˣ"},
};

constexpr std::array kLowered = {
    Replacement{"0", "₀"}, Replacement{"1", "₁"}, Replacement{"2", "₂"}, Replacement{"3", "₃"},
    Replacement{"4", "₄"}, Replacement{"5", "₅"}, Replacement{"6", "₆"}, Replacement{"7", "₇"},
    Replacement{"8", "₈"}, Replacement{"9", "₉"}, Replacement{"i", "ᵢ"}, Replacement{"j", "ⱼ"},
};

std::size_t character_length(std::string_view text) {
  std::size_t length = 1;
  while (length < text.size() && (static_cast<unsigned char>(text[length]) & 0xC0U) == 0x80U)
    ++length;
  return length;
}

// `text` with each character replaced; nothing if one of them is not in the table.
template <std::size_t size>
std::string small_text(std::string_view text, const std::array<Replacement, size>& table) {
  std::string small;
  while (!text.empty()) {
    const std::string_view one = text.substr(0, character_length(text));
    const auto found = std::ranges::find(table, one, &Replacement::written);
    if (found == table.end()) return {};
    small += found->shown;
    text.remove_prefix(one.size());
  }
  return small;
}

class Formula {
 public:
  Formula(std::string_view rest, int depth) : rest_(rest), depth_(depth) {}

  std::string text() {
    std::string shown;
    while (!rest_.empty()) shown += next();
    return shown;
  }

 private:
  static constexpr int kDeepest = 20;

  std::string inner(std::string_view latex) const {
    return depth_ < kDeepest ? Formula(latex, depth_ + 1).text() : std::string(latex);
  }
  std::string next() {
    const char c = rest_.front();
    if (c == '\\') return command();
    if (c == '{') return inner(group());
    if (c == '^' || c == '_') return raised_or_lowered(c);
    const std::string_view one = rest_.substr(0, character_length(rest_));
    rest_.remove_prefix(one.size());
    return one == "-" ? "−" : std::string(one);
  }
  // The next group in braces, or the next single character or command.
  std::string_view group() {
    if (!rest_.starts_with('{')) return single();
    int depth = 0;
    for (std::size_t i = 0; i < rest_.size(); ++i) {
      depth += rest_[i] == '{' ? 1 : rest_[i] == '}' ? -1 : 0;
      if (depth > 0) continue;
      const std::string_view inside = rest_.substr(1, i - 1);
      rest_.remove_prefix(i + 1);
      return inside;
    }
    return std::exchange(rest_, {}).substr(1);
  }
  std::string_view single() {
    std::size_t length = rest_.empty() ? 0 : character_length(rest_);
    if (rest_.starts_with('\\'))
      while (length < rest_.size() && is_letter(rest_[length])) ++length;
    const std::string_view one = rest_.substr(0, length);
    rest_.remove_prefix(length);
    return one;
  }
  std::string command() {
    std::string_view name = single().substr(1);
    if (name.empty() && !rest_.empty()) name = single();
    if (name == "frac") {
      const std::string above = bracketed(inner(group()));
      return above + " / " + bracketed(inner(group()));
    }
    if (name == "sqrt") return "√" + bracketed(inner(group()));
    if (name == "mathrm" || name == "text" || name == "mathbf" || name == "operatorname" ||
        name == "mathsf")
      return inner(group());
    const auto found = std::ranges::find(kCommands, name, &Replacement::written);
    if (found != kCommands.end()) return std::string(found->shown);
    return is_letter(name.empty() ? ' ' : name.front()) ? "\\" + std::string(name)
                                                        : std::string(name);
  }
  std::string raised_or_lowered(char sign) {
    rest_.remove_prefix(1);
    const std::string inside = inner(group());
    std::string small = sign == '^' ? small_text(inside, kRaised) : small_text(inside, kLowered);
    if (!small.empty()) return small;
    return sign +
           (character_length(inside) < inside.size() && sign == '^' ? "(" + inside + ")" : inside);
  }
  // Adds brackets around a sum or a fraction.
  static std::string bracketed(const std::string& text) {
    return text.find_first_of(" +/") == text.npos && text.find("−") == text.npos ? text
                                                                                 : "(" + text + ")";
  }

  std::string_view rest_;
  int depth_;
};

}  // namespace

std::string formula_text(std::string_view latex) { return Formula(latex, 0).text(); }

}  // namespace lab::lessons
