// Commands that are no longer written, and the ones that replaced them.
#include <gmock/gmock.h>

#include "app/tests/document/samples.h"
#include "app/tests/rooms.h"

namespace lab {
namespace {

using samples::kMask;
using samples::kScoreBias;

using attention::Matrix;
using attention::SharedMatrix;
using ::testing::HasSubstr;

Document after_line(const Document& document, const char* line) {
  return samples::after(document, command_from_json_line(line).value());
}

std::string complaint(const char* line) {
  const auto command = command_from_json_line(line);
  return command ? "" : command.error().message;
}

TEST(LegacyCommand, SetsCellsOfTheMaskAndOfTheScoreBias) {
  Document document = samples::small_document();
  document = after_line(document, R"({"do":"set_mask_cell","row":2,"col":4,"allowed":false})");
  Matrix mask = Matrix::Ones(6, 6);
  mask(2, 4) = 0;
  EXPECT_EQ(*document.problem.allowed, mask);
  document = after_line(document, R"({"do":"set_bias_cell","row":1,"col":3,"value":"-Infinity"})");
  Matrix bias = Matrix::Zero(6, 6);
  bias(1, 3) = -std::numeric_limits<float>::infinity();
  EXPECT_EQ(*document.problem.bias, bias);
  document = after_line(document, R"({"do":"set_mask_cell","row":2,"col":4,"allowed":true})");
  EXPECT_TRUE(document.problem.allowed.empty());
}

TEST(LegacyCommand, FillsTheScoreBias) {
  Document document = samples::small_document();
  document = after_line(document, R"({"do":"fill_bias","value":2.5})");
  EXPECT_EQ(*document.problem.bias, Matrix::Constant(6, 6, 2.5f));
  document = after_line(document, R"({"do":"fill_bias","value":0})");
  EXPECT_TRUE(document.problem.bias.empty());
}

TEST(LegacyCommand, RemovesAScoreBiasThatAddsNothing) {
  Document document = samples::small_document();
  document.problem.bias = SharedMatrix(Matrix::Zero(6, 6));
  document = after_line(document, R"({"do":"fill_bias","value":0})");
  EXPECT_TRUE(document.problem.bias.empty());
}

TEST(LegacyCommand, IsWrittenAsTheOneThatReplacedIt) {
  const auto written = [](const char* line) {
    return to_json_line(command_from_json_line(line).value());
  };
  EXPECT_EQ(written(R"({"do":"set_mask_cell","row":2,"col":4,"allowed":false})"),
            to_json_line(SetCell{kMask, 2, 4, 0}));
  EXPECT_EQ(written(R"({"do":"set_bias_cell","row":0,"col":1,"value":0.5})"),
            to_json_line(SetCell{kScoreBias, 0, 1, 0.5f}));
  EXPECT_EQ(written(R"({"do":"fill_bias","value":-1})"),
            R"({"do":"fill_matrix","matrix":"score_bias","fill":"zero","seed":0,"value":-1.0})");
}

TEST(LegacyCommand, SaysWhatIsMissingOrWrong) {
  EXPECT_THAT(complaint(R"({"do":"set_mask_cell","row":2,"col":4})"), HasSubstr("“allowed” is"));
  EXPECT_THAT(complaint(R"({"do":"set_mask_cell","row":-1,"col":4,"allowed":true})"),
              HasSubstr("“row” must be a whole number"));
  EXPECT_THAT(complaint(R"({"do":"set_bias_cell","row":0,"col":1,"value":"x"})"),
              HasSubstr("“value” must be a number"));
  EXPECT_THAT(complaint(R"({"do":"fill_bias","value":0,"row":1})"),
              HasSubstr("unknown member “row”"));
}

}  // namespace
}  // namespace lab
