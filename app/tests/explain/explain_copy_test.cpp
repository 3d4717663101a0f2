// The explanation as text and LaTeX.
#include "app/explain/explain_copy.h"
#include "app/tests/rooms.h"

#include <gtest/gtest.h>

namespace lab {
namespace {

ExplainLine line(std::string name, std::string before, std::string result, std::string after) {
  ExplainLine made;
  made.name = std::move(name);
  made.before = std::move(before);
  made.result = std::move(result);
  made.after = std::move(after);
  return made;
}

CopiedExplanation explanation() {
  ExplainLine row;
  row.name = "W_Q[it]";
  row.values = {1, -0.5f};
  return {
      "weights[a_b, 50%]",
      "0.70",
      "How much.",
      {row, line("exp", "e^(−∞) =", "0.00", ""), line("weight", "5.89 ÷ 8.41 =", "0.70", "done"),
       line("norm", "(1 − 2) ÷ √(3 + 1e-05) =", "0.5", "")}};
}

TEST(ExplanationText, HasTheCellItsMeaningAndEveryLine) {
  EXPECT_EQ(explanation_text(explanation()),
            "weights[a_b, 50%] = 0.70\nHow much.\nW_Q[it] = 1.00 -0.50\nexp = e^(−∞) = 0.00\n"
            "weight = 5.89 ÷ 8.41 = 0.70  (done)\nnorm = (1 − 2) ÷ √(3 + 1e-05) = 0.5\n");
}

TEST(ExplanationLatex, IsAnAlignedEnvironmentOfTheSameLines) {
  EXPECT_EQ(explanation_latex(explanation()),
            "\\begin{aligned}\n"
            "  \\text{weights[a\\_b, 50\\%]} &= 0.70 \\\\\n"
            "  \\text{W\\_Q[it]} &= 1.00\\quad -0.50 \\\\\n"
            "  \\text{exp} &= e^{-\\infty} = 0.00 \\\\\n"
            "  \\text{weight} &= 5.89 \\div 8.41 = 0.70\\quad \\text{done} \\\\\n"
            "  \\text{norm} &= (1 - 2) \\div \\sqrt{3 + 1\\mathrm{e}{-}05} = 0.5\n"
            "\\end{aligned}\n");
}

TEST(ExplanationLatex, WritesTheBracketsOfABytesNumber) {
  CopiedExplanation bytes = explanation();
  bytes.title = "weights[⟨E0⟩, it]";
  EXPECT_NE(explanation_latex(bytes).find("\\text{weights[$\\langle$E0$\\rangle$, it]}"),
            std::string::npos);
}

}  // namespace
}  // namespace lab
