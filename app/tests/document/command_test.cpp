#include "app/document/commands/command.h"

#include <gmock/gmock.h>

#include <bit>
#include <cmath>
#include <limits>
#include <set>

#include "app/base/unicode_text.h"
#include "app/tests/document/samples.h"
#include "app/tests/rooms.h"

namespace lab {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;

// The error message of reading `line`; empty when there is none.
std::string complaint(std::string_view line) {
  const auto command = command_from_json_line(line);
  if (command) return "";
  EXPECT_EQ(command.error().type, ErrorType::kBadInput);
  return command.error().message;
}

float read_back(float value) {
  const std::string line = to_json_line(SetCell{{MatrixId::kX, 0}, 0, 0, value});
  return std::get<SetCell>(command_from_json_line(line).value()).value;
}

TEST(CommandJson, LooksAsDocumented) {
  EXPECT_EQ(to_json_line(SetCell{{MatrixId::kWQ, 1}, 0, 1, 0.5f}),
            R"({"do":"set_cell","matrix":"W_Q","head":2,"row":0,"col":1,"value":0.5})");
  EXPECT_EQ(to_json_line(SetCell{{MatrixId::kX, 0}, 3, 1, 0.1f}),
            R"({"do":"set_cell","matrix":"X","row":3,"col":1,"value":0.1})");
  EXPECT_EQ(to_json_line(SetSentence{"a \"b\"\n"}), R"({"do":"set_sentence","text":"a \"b\"\n"})");
  EXPECT_EQ(to_json_line(SetSize{SizeId::kHeads, 4}),
            R"({"do":"set_size","size":"n_heads","value":4})");
  EXPECT_EQ(to_json_line(FillMatrix{{MatrixId::kWO, 0}, attention::FillType::kXavier, 7}),
            R"({"do":"fill_matrix","matrix":"W_O","fill":"xavier","seed":7})");
  EXPECT_EQ(
      to_json_line(SetBlock{{MatrixId::kWK, 0}, 2, 1, attention::Matrix{{1, 0.1f}, {-2, 0}}}),
      R"({"do":"set_block","matrix":"W_K","head":1,"row":2,"col":1,"values":[[1.0,0.1],[-2.0,0.0]]})");
  EXPECT_EQ(to_json_line(SetScale{false}), R"({"do":"set_scale","on":false})");
  EXPECT_EQ(to_json_line(SetMask{true, 4, {}}), R"({"do":"set_mask","causal":true,"key_count":4})");
  EXPECT_EQ(to_json_line(SetOverride{{attention::Stage::kScores, 1, 2, 3}, 0.5f}),
            R"({"do":"set_override","stage":"scores","head":2,"row":2,"col":3,"value":0.5})");
  EXPECT_EQ(to_json_line(RemoveOverride{{attention::Stage::kOutput, 0, 2, 3}}),
            R"({"do":"remove_override","stage":"output","row":2,"col":3})");
  EXPECT_EQ(to_json_line(SetOverrides{{attention::Stage::kWeights, 1, 2, 0},
                                      attention::Matrix::Constant(1, 2, 0.5f)}),
            R"({"do":"set_overrides","stage":"weights","head":2,"row":2,"col":0,)"
            R"("values":[[0.5,0.5]]})");
  EXPECT_EQ(to_json_line(RemoveOverrides{{attention::Stage::kOutput, 0, 2, 3}, 1, 4}),
            R"({"do":"remove_overrides","stage":"output","row":2,"col":3,"rows":1,"cols":4})");
  EXPECT_EQ(to_json_line(SwitchEdit{"mix", 1, false}),
            R"({"do":"switch_edit","what":"mix","head":2,"on":false})");
  EXPECT_EQ(to_json_line(SetPositions{attention::Positions::kRotary, 500.0f, {}}),
            R"({"do":"set_positions","kind":"rotary","base":500.0})");
  EXPECT_EQ(to_json_line(SetHeadMix{.head = 1, .mute = true}),
            R"({"do":"set_head_mix","head":2,"mute":true})");
  EXPECT_EQ(to_json_line(SetCell{{MatrixId::kScoreBias, 0}, 0, 1, -INFINITY}),
            R"({"do":"set_cell","matrix":"score_bias","row":0,"col":1,"value":"-Infinity"})");
  EXPECT_EQ(to_json_line(SetKvSentence{"der Hund"}),
            R"({"do":"set_kv_sentence","text":"der Hund"})");
  EXPECT_EQ(to_json_line(SetTokenMode{TokenMode::kCharacters}),
            R"({"do":"set_token_mode","mode":"characters"})");
}

TEST(CommandJson, ReadsBackEveryCommand) {
  samples::RandomCommands commands(1);
  for (int i = 0; i < 3000; ++i) {
    const std::string line = to_json_line(commands.next());
    ASSERT_EQ(line.find('\n'), std::string::npos);
    const auto read = command_from_json_line(line);
    ASSERT_TRUE(read) << line << ": " << read.error().message;
    ASSERT_EQ(to_json_line(*read), line);
  }
}

// One default-constructed command of each kind.
template <typename... Edits>
std::vector<Command> one_of_each(const std::variant<Edits...>*) {
  return {Edits{}...};
}

TEST(EveryCommand, HasALineALabelAndAPart) {
  std::set<std::string> lines;
  for (const Command& command : one_of_each(static_cast<const Command*>(nullptr))) {
    const std::string line = to_json_line(command);
    EXPECT_TRUE(lines.insert(line).second) << line;
    EXPECT_NE(command_label(command), "") << line;
    EXPECT_LE(edited_component(command), ModelComponent::kTraining) << line;
    const bool is_block =
        std::holds_alternative<SetBlock>(command) || std::holds_alternative<SetOverrides>(command);
    if (is_block) continue;  // no block is empty
    const auto read = command_from_json_line(line);
    ASSERT_TRUE(read) << line << ": " << read.error().message;
    EXPECT_EQ(read->index(), command.index()) << line;
    EXPECT_EQ(to_json_line(*read), line);
  }
}

TEST(CommandJson, ReadsWholeNumbersOfAnySize) {
  const auto value_of = [](const std::string& digits) {
    const auto command =
        command_from_json_line(R"({"do":"set_temperature","value":)" + digits + "}");
    return std::get<SetTemperature>(command.value()).value;
  };
  EXPECT_EQ(value_of("16777217"), 16777216.0f);
  EXPECT_EQ(value_of("9007199791611905"), 9007200328482816.0f) << "rounded in one step";
  EXPECT_EQ(value_of("123456789012345678901234567890"), 1.2345679e29f);
  EXPECT_EQ(value_of("1e-60"), 0.0f);
  EXPECT_THAT(complaint(R"({"do":"set_temperature","value":1e39})"),
              HasSubstr("a number in the line is too large"));
}

TEST(CommandJson, KeepsEveryBitOfNumbers) {
  for (std::uint64_t bits = 0; bits <= 0xFFFFFFFF; bits += 65'537) {
    const auto value = std::bit_cast<float>(static_cast<std::uint32_t>(bits));
    if (std::isnan(value)) continue;
    ASSERT_EQ(std::bit_cast<std::uint32_t>(read_back(value)), bits);
  }
  EXPECT_TRUE(std::signbit(read_back(-0.0f)));
  EXPECT_TRUE(std::isnan(read_back(std::numeric_limits<float>::quiet_NaN())));
}

TEST(CommandJson, KeepsEveryBitOfSeeds) {
  const std::uint64_t seed = 0xFFFF'FFFF'FFFF'FFFF;
  const std::string line =
      to_json_line(FillMatrix{{MatrixId::kWO, 0}, attention::FillType::kNormal, seed});
  EXPECT_EQ(std::get<FillMatrix>(command_from_json_line(line).value()).seed, seed);
}

TEST(CommandJson, KeepsSentencesThatAreNotUtf8) {
  const std::string text("a\xFF\0é", 5);
  const std::string line = to_json_line(SetSentence{text});
  EXPECT_TRUE(is_utf8(line));
  EXPECT_EQ(std::get<SetSentence>(command_from_json_line(line).value()).text, text);
}

TEST(CommandJson, AcceptsWholeNumbersAsValues) {
  const auto command = command_from_json_line(
      R"( {"value": -3, "col": 1, "row": 0, "matrix": "X", "do": "set_cell"} )");
  EXPECT_EQ(std::get<SetCell>(command.value()).value, -3.0f);
}

TEST(CommandJson, SaysWhatIsMissingOrUnknown) {
  EXPECT_THAT(complaint("{}"), HasSubstr("“do” is missing"));
  EXPECT_THAT(complaint(R"({"do":"set_scale"})"), HasSubstr("“on” is missing"));
  EXPECT_THAT(complaint(R"({"do":"set_scale","on":true,"off":1})"),
              HasSubstr("unknown member “off”"));
  EXPECT_THAT(complaint(R"({"do":"set_cell","matrix":"W_O","head":1,"row":0,"col":0,"value":0})"),
              HasSubstr("unknown member “head”"));
  EXPECT_THAT(complaint(R"({"do":"explode"})"), HasSubstr("unknown command “explode”"));
}

TEST(CommandJson, SaysWhatHasTheWrongType) {
  EXPECT_THAT(complaint(R"({"do":"set_scale","on":1})"), HasSubstr("“on” must be true or false"));
  EXPECT_THAT(complaint(R"({"do":"set_size","size":"d_model","value":2.5})"),
              HasSubstr("“value” must be a whole number"));
  EXPECT_THAT(complaint(R"({"do":"set_size","size":"d_model","value":99999999999})"),
              HasSubstr("“value” must be a whole number"));
  EXPECT_THAT(
      complaint(R"({"do":"set_size","size":"d_out","value":2})"),
      EndsWith("“size” must be one of d_model, n_heads, d_k, d_v, n_kv_heads, not \"d_out\""));
  EXPECT_THAT(complaint(R"({"do":"set_mask","mask":"some"})"), HasSubstr("none or causal"));
  EXPECT_THAT(complaint(R"({"do":"set_temperature","value":"hot"})"),
              HasSubstr("“value” must be a number"));
  EXPECT_THAT(complaint(R"({"do":"fill_matrix","matrix":"W_O","fill":"zero","seed":-1})"),
              HasSubstr("“seed” must be a whole number"));
}

TEST(CommandJson, RequiresABlocksRowsToHaveTheSameLength) {
  const auto with = [](const std::string& values) {
    return R"({"do":"set_block","matrix":"W_O","row":0,"col":0,"values":)" + values + "}";
  };
  EXPECT_EQ(complaint(with("[[1,2],[3,\"-Infinity\"]]")), "");
  for (const char* values : {"1", "[]", "[[]]", "[1,2]", "[[1,2],[3]]", "[[1],2]", "[[true]]"}) {
    EXPECT_THAT(complaint(with(values)), HasSubstr("“values” must be rows of the same length"))
        << values;
  }
}

TEST(CommandJson, ReadsBackTheLargestBlock) {
  const SetBlock block{
      {MatrixId::kX, 0}, 0, 0, attention::Matrix::Constant(kLargestBlock, 1, -1.00000005e-05f)};
  const auto read = command_from_json_line(to_json_line(block));
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(std::get<SetBlock>(*read).values, block.values);
}

TEST(CommandJson, WritesSeveralBlocksAsAList) {
  const SetBlocks blocks{{{{MatrixId::kWQ, 1}, 2, 0, attention::Matrix{{1, -0.5f}}},
                          {{MatrixId::kX, 0}, 0, 1, attention::Matrix{{3}, {4}}}}};
  const std::string line =
      R"({"do":"set_blocks","blocks":[{"matrix":"W_Q","head":2,"row":2,"col":0,"values":[[1.0,-0.5]]},)"
      R"({"matrix":"X","row":0,"col":1,"values":[[3.0],[4.0]]}]})";
  EXPECT_EQ(to_json_line(blocks), line);
  const auto read = command_from_json_line(line);
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(to_json_line(*read), line);
  EXPECT_EQ(edited_component(*read), ModelComponent::kEmbeddings);
  EXPECT_EQ(command_label(*read), "Edit 4 cells of W_Q, head 2 and others");
}

TEST(CommandJson, ReadsTheMaskInItsOldForm) {
  const auto mask = [](const char* line) {
    return std::get<SetMask>(command_from_json_line(line).value());
  };
  EXPECT_EQ(to_json_line(mask(R"({"do":"set_mask","mask":"causal"})")),
            R"({"do":"set_mask","causal":true})");
  EXPECT_EQ(to_json_line(mask(R"({"do":"set_mask","mask":"none"})")),
            R"({"do":"set_mask","causal":false,"key_count":0,"window":0})");
  EXPECT_EQ(mask(R"({"do":"set_mask","mask":"none","window":3})").window, 3);
}

TEST(CommandJson, SaysWhichVariantIsWrong) {
  EXPECT_THAT(complaint(R"({"do":"set_positions","kind":"rope"})"),
              HasSubstr("“kind” must be none, sinusoidal, learned, rotary or alibi"));
  EXPECT_THAT(complaint(R"({"do":"set_positions","pairs":"both"})"),
              HasSubstr("adjacent or halves"));
  EXPECT_THAT(complaint(R"({"do":"set_head_build","build":"one"})"),
              HasSubstr("separate or split"));
  EXPECT_THAT(complaint(R"({"do":"set_mask","key_count":-1})"), HasSubstr("“key_count” must be"));
  EXPECT_THAT(complaint(R"({"do":"set_override","stage":"score","row":0,"col":0,"value":1})"),
              HasSubstr("“stage” must be the name of a stage"));
  EXPECT_THAT(complaint(R"({"do":"set_override","stage":"Q","row":0,"col":0,"value":1})"),
              HasSubstr("“head” is missing"));
  EXPECT_THAT(complaint(R"({"do":"set_dropout","seed":1.5})"), HasSubstr("“seed” must be"));
}

TEST(CommandJson, CountsHeadsFromOneAndCellsFromZero) {
  const auto with = [](const std::string& place) {
    return R"({"do":"set_cell","matrix":"W_K","value":0,)" + place + "}";
  };
  EXPECT_EQ(complaint(with(R"("head":1,"row":0,"col":0)")), "");
  EXPECT_THAT(complaint(with(R"("head":0,"row":0,"col":0)")), HasSubstr("“head” must be"));
  EXPECT_THAT(complaint(with(R"("head":1,"row":-1,"col":0)")), HasSubstr("“row” must be"));
  EXPECT_THAT(complaint(with(R"("head":1,"row":0,"col":18446744073709551615)")),
              HasSubstr("“col” must be"));
}

TEST(CommandJson, RefusesWhatIsNotAnObject) {
  for (const char* line : {"", "nonsense", "{", "[]", "1", "null", "\"do\"", "{\"do\":\"\xFF\"}",
                           "{}{}", "{\"do\":1e999}"}) {
    EXPECT_NE(complaint(line), "") << line;
  }
  EXPECT_NE(complaint(std::string(100'000, '[')), "");
  EXPECT_THAT(complaint(std::string(kLongestCommand + 1, ' ')), HasSubstr("longer than"));
}

TEST(CommandJson, NeverCrashesOnDamagedLines) {
  samples::RandomCommands random(2);
  for (int i = 0; i < 5000; ++i) {
    std::string line = to_json_line(random.next());
    if (line.size() > 1000) continue;
    line[random.pick(static_cast<int>(line.size()))] = static_cast<char>(random.pick(256));
    const auto read = command_from_json_line(line);
    EXPECT_TRUE(read || is_utf8(read.error().message)) << line;
  }
}

TEST(CommandLabel, SaysWhatTheStepDid) {
  EXPECT_EQ(command_label(SetCell{{MatrixId::kWQ, 1}, 0, 0, 1}), "Edit W_Q, head 2");
  EXPECT_EQ(command_label(SetCell{{MatrixId::kX, 0}, 0, 0, 1}), "Edit X");
  EXPECT_EQ(command_label(FillMatrix{{MatrixId::kWK, 0}, attention::FillType::kXavier, 1}),
            "Fill W_K, head 1 with Xavier");
  EXPECT_EQ(command_label(SetBlock{{MatrixId::kWQ, 1}, 0, 0, attention::Matrix::Zero(2, 3)}),
            "Edit 2 × 3 cells of W_Q, head 2");
  EXPECT_EQ(command_label(SetSentence{"a"}), "Change sentence");
  EXPECT_EQ(command_label(SetSize{SizeId::kDModel, 16}), "Set d_model to 16");
  EXPECT_EQ(command_label(SetMask{true}), "Mask causal");
  EXPECT_EQ(command_label(SetMask{false, 0, 0}), "Mask none");
  EXPECT_EQ(command_label(SetMask{true, 5, 3}), "Mask causal, first 5 keys, window 3");
  EXPECT_EQ(command_label(SetPositions{attention::Positions::kRotary}), "Positions rotary");
  EXPECT_EQ(command_label(SetDropout{0.2f}), "Dropout 0.2");
  EXPECT_EQ(command_label(SetHeadMix{.head = 1, .mute = true}), "Head 2 muted");
  EXPECT_EQ(command_label(SetOverride{{attention::Stage::kScores, 1, 0, 0}, 1}),
            "Override scores, head 2");
  EXPECT_EQ(command_label(SetKvSentence{}), "Remove second sentence");
  EXPECT_EQ(command_label(SetTemperature{0.5f}), "Set temperature to 0.5");
}

TEST(Names, ReadBack) {
  for (int id = 0; id < 15; ++id) {
    const auto matrix = static_cast<MatrixId>(id);
    EXPECT_EQ(matrix_from_name(matrix_name(matrix)), matrix);
  }
  for (int id = 0; id < 5; ++id) {
    const auto size = static_cast<SizeId>(id);
    EXPECT_EQ(size_from_name(size_name(size)), size);
  }
  EXPECT_EQ(matrix_from_name("w_q"), std::nullopt);
  EXPECT_EQ(size_from_name(""), std::nullopt);
}

}  // namespace
}  // namespace lab
