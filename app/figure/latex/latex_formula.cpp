#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

#include "app/base/visible_text.h"
#include "app/figure/latex/latex_parts.h"

namespace lab::figure {
namespace {

using MathSign = std::pair<char32_t, std::string_view>;

constexpr std::array kMath{
    MathSign{U'−', "-"},        MathSign{U'∞', "\\infty"},  MathSign{U'·', "\\cdot"},
    MathSign{U'÷', "\\div"},    MathSign{U'×', "\\times"},  MathSign{U'→', "\\to"},
    MathSign{U'√', "\\surd"},   MathSign{U'′', "'"},        MathSign{U'…', "\\ldots"},
    MathSign{U'⟨', "\\langle"}, MathSign{U'⟩', "\\rangle"}, MathSign{U'≤', "\\leq"},
    MathSign{U'≥', "\\geq"},    MathSign{U'≠', "\\neq"},    MathSign{U'≈', "\\approx"},
    MathSign{U'∑', "\\sum"},    MathSign{U'α', "\\alpha"},  MathSign{U'β', "\\beta"},
    MathSign{U'γ', "\\gamma"},  MathSign{U'δ', "\\delta"},  MathSign{U'ε', "\\varepsilon"},
    MathSign{U'ζ', "\\zeta"},   MathSign{U'η', "\\eta"},    MathSign{U'θ', "\\theta"},
    MathSign{U'ι', "\\iota"},   MathSign{U'κ', "\\kappa"},  MathSign{U'λ', "\\lambda"},
    MathSign{U'μ', "\\mu"},     MathSign{U'ν', "\\nu"},     MathSign{U'ξ', "\\xi"},
    MathSign{U'π', "\\pi"},     MathSign{U'ρ', "\\rho"},    MathSign{U'ς', "\\varsigma"},
    MathSign{U'σ', "\\sigma"},  MathSign{U'τ', "\\tau"},    MathSign{U'υ', "\\upsilon"},
    MathSign{U'φ', "\\varphi"}, MathSign{U'χ', "\\chi"},    MathSign{U'ψ', "\\psi"},
    MathSign{U'ω', "\\omega"},  MathSign{U'Γ', "\\Gamma"},  MathSign{U'Δ', "\\Delta"},
    MathSign{U'Θ', "\\Theta"},  MathSign{U'Λ', "\\Lambda"}, MathSign{U'Ξ', "\\Xi"},
    MathSign{U'Π', "\\Pi"},     MathSign{U'Σ', "\\Sigma"},  MathSign{U'Φ', "\\Phi"},
    MathSign{U'Ψ', "\\Psi"},    MathSign{U'Ω', "\\Omega"},
};

bool is_letter(char32_t c) { return c < 0x80 && std::isalpha(static_cast<int>(c)) != 0; }

/// Symbols around which math mode adds space.
bool is_operator(char32_t c) {
  return std::u32string_view(U"+=|−÷·×→≤≥≠≈").find(c) != std::u32string_view::npos;
}

/// Symbols that need no command in math mode.
bool is_itself(char32_t c) {
  return std::u32string_view(U"0123456789()[],.;/!?*+=").find(c) != std::u32string_view::npos;
}

/// Symbols that math mode cannot write.
bool is_foreign(char32_t c) {
  return c != ' ' && c != ':' && c != '|' && !is_letter(c) && !is_itself(c) &&
         math_command(c).empty();
}

/// Writes one formula.
class Formula {
 public:
  std::string run(const std::vector<TextRun>& runs) {
    for (const TextRun& run : runs) run.rise == 0 ? plain(run.text) : script(run);
    close_root();
    return std::move(math_);
  }

 private:
  void plain(std::string_view text) {
    after_script_ = false;
    const std::u32string all = visible_characters(text);
    for (std::u32string_view rest = all; !rest.empty();) rest.remove_prefix(token(rest));
  }

  /// Writes the beginning of `rest`; returns how many characters it used.
  std::size_t token(std::u32string_view rest) {
    const char32_t c = rest.front(), next = rest.size() > 1 ? rest[1] : U'\0';
    if (c == ' ') return space(next);
    if (c == U'√' && is_letter(next)) return open_root();
    if (root_ == Root::kHasLetter) close_root();
    if (root_ == Root::kOpen) root_ = Root::kHasLetter;
    if (!is_letter(c) && !is_foreign(c)) return sign(c, next);
    last_ = c;
    return is_letter(c) ? word(rest) : foreign(rest);
  }

  std::size_t space(char32_t next) {
    close_root();
    if (!is_operator(last_) && !is_operator(next)) math_ += "\\ ";
    return 1;
  }

  std::size_t word(std::u32string_view rest) {
    const auto length =
        static_cast<std::size_t>(std::ranges::find_if_not(rest, is_letter) - rest.begin());
    const std::string letters(rest.begin(), rest.begin() + static_cast<std::ptrdiff_t>(length));
    math_ += length == 1 ? letters : "\\mathit{" + letters + "}";
    return length;
  }

  std::size_t foreign(std::u32string_view rest) {
    const auto length =
        static_cast<std::size_t>(std::ranges::find_if_not(rest, is_foreign) - rest.begin());
    math_ += "\\mbox{" + latex_text(utf8(rest.substr(0, length))) + "}";
    return length;
  }

  /// A leading operator keeps its distance from what follows if there is a space.
  std::size_t sign(char32_t c, char32_t next) {
    const bool first = math_.empty() || last_ == ',';
    last_ = c;
    if (first && is_operator(c) && next == ' ') math_ += "{}";
    if (is_itself(c))
      math_ += static_cast<char>(c);
    else if (c == ':')
      math_ += "{:}";
    else
      command(c == '|' ? "\\mid" : math_command(c));
    return 1;
  }

  void command(std::string_view name) {
    math_ += name;
    if (is_letter(static_cast<unsigned char>(name.back()))) math_ += ' ';
  }

  std::size_t open_root() {
    close_root();
    math_ += "\\sqrt{";
    root_ = Root::kOpen;
    last_ = U'√';
    return 1;
  }

  void close_root() {
    if (root_ != Root::kNone) math_ += '}';
    root_ = Root::kNone;
  }

  void script(const TextRun& run) {
    TextRun level = run;
    level.rise = 0;
    if (after_script_ || math_.empty()) math_ += "{}";
    math_ += (run.rise > 0 ? "^{" : "_{") + Formula().run({level}) + "}";
    after_script_ = true;
    last_ = U'\0';
    close_root();
  }

  enum class Root { kNone, kOpen, kHasLetter };
  Root root_ = Root::kNone;
  bool after_script_ = false;
  char32_t last_ = U'\0';
  std::string math_;
};

}  // namespace

std::string_view math_command(char32_t sign) {
  const auto found = std::ranges::find(kMath, sign, &MathSign::first);
  return found == kMath.end() ? std::string_view() : found->second;
}

std::string latex_formula(const std::vector<TextRun>& runs) {
  return "$" + Formula().run(runs) + "$";
}

}  // namespace lab::figure
