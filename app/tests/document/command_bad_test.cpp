#include <gmock/gmock.h>

#include "app/base/unicode_text.h"
#include "app/document/commands/command.h"
#include "app/tests/document/samples.h"
#include "app/tests/rooms.h"

// Lines that are not commands, each with a part of its error message.

namespace lab {
namespace {

using ::testing::HasSubstr;

struct BadLine {
  const char* name;
  std::string line;
  const char* message;
};
void PrintTo(const BadLine& line, std::ostream* out) { *out << line.name; }

class BadCommand : public ::testing::TestWithParam<BadLine> {};

TEST_P(BadCommand, IsRefusedWithItsReason) {
  const auto command = command_from_json_line(GetParam().line);
  ASSERT_FALSE(command);
  EXPECT_EQ(command.error().type, ErrorType::kBadInput);
  EXPECT_THAT(command.error().message, HasSubstr(GetParam().message));
  EXPECT_LT(command.error().message.size(), 400u);
  EXPECT_TRUE(is_utf8(command.error().message));
}

std::string name_of(const ::testing::TestParamInfo<BadLine>& test) { return test.param.name; }

std::string nested(int depth) {
  return std::string(static_cast<std::size_t>(depth), '[') +
         std::string(static_cast<std::size_t>(depth), ']');
}

std::string many_members(int count) {
  std::string line = R"({"do":"set_scale","on":true)";
  for (int i = 0; i < count; ++i) line += ",\"" + std::to_string(i) + "\":0";
  return line + "}";
}

std::string many_values(int count) {
  std::string list = "[0";
  for (int i = 1; i < count; ++i) list += ",0";
  return R"({"do":"set_scale","on":)" + list + "]}";
}

// A command with that member last.
std::string with(const char* name, const std::string& member) {
  return R"({"do":")" + std::string(name) + "\"," + member + "}";
}
std::string cell(const std::string& place) { return with("set_cell", R"("value":0,)" + place); }

INSTANTIATE_TEST_SUITE_P(
    Text, BadCommand,
    ::testing::Values(
        BadLine{"Empty", "", "not JSON from byte 1"}, BadLine{"NoJson", "nonsense", "not JSON"},
        BadLine{"CutOff", R"({"do":"set_sc)", "not JSON"},
        BadLine{"Two", R"({"do":"undo"}{"do":"undo"})", "not JSON from byte 14"},
        BadLine{"List", "[]", "must be a JSON object"},
        BadLine{"Number", "1", "must be a JSON object"},
        BadLine{"NoUtf8", "{\"do\":\"\xFF\"}", "not JSON"},
        BadLine{"Nul", R"({"do":"set_scale","on":true})" + std::string(1, '\0'), "a NUL byte"},
        BadLine{"NulInside", std::string("{\"do\"\0:\"undo\"}", 14), "a NUL byte"},
        BadLine{"BeyondFloat", with("set_temperature", R"("value":1e999)"), "number in the line"},
        BadLine{"Deep", with("set_scale", R"("on":)" + nested(100'000)), "deeper than 64 levels"},
        BadLine{"JustTooDeep", with("set_scale", R"("on":)" + nested(64)), "deeper than 64"},
        BadLine{"AsDeepAsAllowed", with("set_scale", R"("on":)" + nested(63)), "true or false"},
        BadLine{"DeepAlone", nested(100'000), "deeper than 64 levels"},
        BadLine{"ObjectInside", with("set_scale", R"("on":{"on":true})"), "true or false"},
        BadLine{"ObjectInList", R"([{"do":"undo"}])", "must be a JSON object"},
        BadLine{"Twice", R"({"do":"set_scale","on":true,"on":false})", "“on” is there twice"},
        BadLine{"DoTwice", R"({"do":"set_scale","do":"set_mask"})", "“do” is there twice"},
        BadLine{"ManyMembers", many_members(100'000), "too many members"}),
    name_of);

// Long lines are made in their own test, because otherwise every other test would also start by
// making them.
TEST(LongCommand, IsRefusedWithItsReason) {
  EXPECT_THAT(command_from_json_line(std::string(kLongestCommand + 1, ' ')).error().message,
              HasSubstr("longer than the 8388608 bytes"));
  EXPECT_THAT(command_from_json_line(many_values(1'100'000)).error().message,
              HasSubstr("too many values"));
}

INSTANTIATE_TEST_SUITE_P(
    Members, BadCommand,
    ::testing::Values(
        BadLine{"NoDo", R"({"text":"a"})", "“do” is missing"},
        BadLine{"DoIsNoText", R"({"do":1})", "“do” must be a string"},
        BadLine{"Unknown", R"({"do":"explode"})", "unknown command “explode”"},
        BadLine{"UnknownAndLong", R"({"do":")" + std::string(100'000, 'x') + "\"}",
                "unknown comma"},
        BadLine{"UnknownMember", with("set_scale", R"("on":true,"off":1)"), "unknown member “off”"},
        BadLine{"LongUnknownMember",
                with("set_scale", R"("on":true,")" + std::string(100'000, 'x') + R"(":1)"),
                "unknown member “xxx"},
        BadLine{"NoText", R"({"do":"set_sentence"})", "“text” is missing"},
        BadLine{"TextIsNumber", with("set_sentence", R"("text":1)"), "“text” must be a string"},
        BadLine{"HexIsOdd", with("set_sentence", R"("text_hex":"abc")"),
                "must be two digits 0 … 9 or a … f per byte"},
        BadLine{"HexIsNone", with("set_sentence", R"("text_hex":"zz")"),
                "two digits 0 … 9 or a … f"},
        BadLine{"Mode", with("set_token_mode", R"("mode":"bytes")"),
                "words, characters or tokenizer"},
        BadLine{"Size", with("set_size", R"("size":"d_out","value":2)"), "must be one of d_model"},
        BadLine{"SizeIsBroken", with("set_size", R"("size":"d_k","value":2.5)"), "a whole number"},
        BadLine{"SizeIsHuge", with("set_size", R"("size":"d_k","value":18446744073709551615)"),
                "a whole number"},
        BadLine{"Build", with("set_head_build", R"("build":"one")"), "separate or split"},
        BadLine{"Scale", with("set_scale", R"("on":1)"), "true or false"},
        BadLine{"Temperature", with("set_temperature", R"("value":"hot")"), "must be a number"},
        BadLine{"Mask", with("set_mask", R"("mask":"some")"), "none or causal"},
        BadLine{"Keys", with("set_mask", R"("key_count":-1)"), "“key_count” must be"},
        BadLine{"Positions", with("set_positions", R"("kind":"rope")"), "none, sinusoidal"},
        BadLine{"Seed", with("set_dropout", R"("seed":-1)"), "0 to 2⁶⁴ − 1"},
        BadLine{"Head", with("set_head_mix", R"("head":0)"),
                "“head” must be a whole number from 1"},
        BadLine{"Stage", with("set_override", R"("stage":"score")"), "the name of a stage"}),
    name_of);

INSTANTIATE_TEST_SUITE_P(
    Cells, BadCommand,
    ::testing::Values(
        BadLine{"Matrix", cell(R"("matrix":"W","row":0,"col":0)"), "must be one of X, X_kv"},
        BadLine{"NoHead", cell(R"("matrix":"W_K","row":0,"col":0)"), "“head” is missing"},
        BadLine{"HeadOfNone", cell(R"("matrix":"X","head":1,"row":0,"col":0)"), "unknown member"},
        BadLine{"Row", cell(R"("matrix":"X","row":-1,"col":0)"), "“row” must be a whole number"},
        BadLine{"Column", cell(R"("matrix":"X","row":0,"col":4294967296)"), "“col” must be"},
        BadLine{"NoValue", with("set_cell", R"("matrix":"X","row":0,"col":0)"),
                "“value” is missing"},
        BadLine{"Ragged", with("set_block", R"("matrix":"X","row":0,"col":0,"values":[[1,2],[3]])"),
                "rows of the same length"},
        BadLine{"NoRows", with("set_block", R"("matrix":"X","row":0,"col":0,"values":[])"),
                "rows of the same length"},
        BadLine{"Blocks", with("set_blocks", R"("blocks":[1])"), "a list of objects"},
        BadLine{"BlockIsBad", with("set_blocks", R"("blocks":[{"matrix":"X"}])"),
                "“row” is missing"},
        BadLine{"BlockHasMore",
                with("set_blocks",
                     R"("blocks":[{"matrix":"X","row":0,"col":0,"values":[[1]],"on":1}])"),
                "unknown member “on”"},
        BadLine{"Fill", with("fill_matrix", R"("matrix":"X","fill":"ones")"), "“fill” must be"}),
    name_of);

}  // namespace
}  // namespace lab
