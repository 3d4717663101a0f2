#include "app/explain/explain_copy.h"

#include <array>
#include <string_view>
#include <utility>

namespace lab::explain {
namespace {

using Replacement = std::pair<std::string_view, std::string_view>;

// What has another name in LaTeX, in text and in formulas.
constexpr std::array<Replacement, 24> kInText{{
    {"\\", "\\textbackslash{}"},
    {"{", "\\{"},
    {"}", "\\}"},
    {"_", "\\_"},
    {"^", "\\textasciicircum{}"},
    {"~", "\\textasciitilde{}"},
    {"%", "\\%"},
    {"#", "\\#"},
    {"&", "\\&"},
    {"$", "\\$"},
    {"−∞", "$-\\infty$"},
    {"∞", "$\\infty$"},
    {"−", "$-$"},
    {"·", "$\\cdot$"},
    {"÷", "$\\div$"},
    {"√", "$\\surd$"},
    {"„", ",,"},
    {"“", "``"},
    {"”", "''"},
    {"…", "\\ldots{}"},
    {"⟨", "$\\langle$"},
    {"⟩", "$\\rangle$"},
    {"\u2068", ""},
    {"\u2069", ""},
}};
constexpr std::array<Replacement, 8> kInFormula{{
    {"−", "-"},
    {"∞", "\\infty"},
    {"·", "\\cdot"},
    {"÷", "\\div"},
    {"NaN", "\\mathrm{NaN}"},
    {"√", "\\sqrt"},
    {"e+", "\\mathrm{e}{+}"},  // 1.2e+06
    {"e-", "\\mathrm{e}{-}"},
}};

// Turns every beginning in `table` that `text` has into its other form.
template <std::size_t count>
std::string replaced(std::string_view text, const std::array<Replacement, count>& table) {
  std::string result;
  while (!text.empty()) {
    std::size_t used = 1;
    std::string_view written = text.substr(0, 1);
    for (const auto& [from, to] : table) {
      if (!text.starts_with(from)) continue;
      used = from.size();
      written = to;
      break;
    }
    result += written;
    text.remove_prefix(used);
  }
  return result;
}

std::string text_in_latex(std::string_view text) {
  return "\\text{" + replaced(text, kInText) + "}";
}

// "e^(1/2)" and "√(x)" take their brackets as the reach of the power and the root.
void brace(std::string& formula, std::string_view before_bracket) {
  for (std::size_t at = formula.find(before_bracket); at != std::string::npos;
       at = formula.find(before_bracket, at + 1)) {
    const std::size_t open = at + before_bracket.size() - 1;
    const std::size_t close = formula.find(')', open);
    if (close == std::string::npos) return;
    formula[open] = '{';
    formula[close] = '}';
  }
}

std::string formula_in_latex(std::string_view text) {
  std::string formula = replaced(text, kInFormula);
  brace(formula, "^(");
  brace(formula, "\\sqrt(");
  return formula;
}

std::string side_by_side(const ExplainLine& line, std::string_view between) {
  std::string text;
  for (const float value : line.values) {
    if (!text.empty()) text += between;
    text += number_in(line, value);
  }
  return text;
}

void add(std::string& text, const std::string& part, std::string_view space) {
  if (part.empty()) return;
  if (!text.empty()) text += space;
  text += part;
}

std::string latex_line(const ExplainLine& line) {
  std::string right = formula_in_latex(side_by_side(line, "\\quad "));
  add(right, formula_in_latex(line.before), " ");
  add(right, formula_in_latex(line.result), " ");
  if (!line.after.empty()) add(right, text_in_latex(line.after), "\\quad ");
  return text_in_latex(line.name) + " &= " + right;
}

}  // namespace

std::string explanation_text(const CopiedExplanation& explanation) {
  std::string text =
      explanation.title + " = " + explanation.value + "\n" + explanation.meaning + "\n";
  for (const ExplainLine& line : explanation.lines) {
    std::string right = side_by_side(line, " ");
    add(right, line.before, " ");
    add(right, line.result, " ");
    if (!line.after.empty()) add(right, "(" + line.after + ")", "  ");
    text += line.name + " = " + right + "\n";
  }
  return text;
}

std::string explanation_latex(const CopiedExplanation& explanation) {
  std::string text = "\\begin{aligned}\n  " + text_in_latex(explanation.title) +
                     " &= " + formula_in_latex(explanation.value);
  for (const ExplainLine& line : explanation.lines) text += " \\\\\n  " + latex_line(line);
  return text + "\n\\end{aligned}\n";
}

}  // namespace lab::explain
