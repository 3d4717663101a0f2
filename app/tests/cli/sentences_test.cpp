// A batch of sentences on the command line.
#include <gmock/gmock.h>

#include "app/document/commands/reducer.h"
#include "app/files/session/session.h"
#include "app/tests/cli/run_cli.h"
#include "app/tests/rooms.h"

namespace lab::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

// "The cat saw the dog 7 7 2 and it", "it saw The cat", "dog"; the second one is shown.
std::string batch_session(const TempFolder& folder) {
  Document document = small_document();
  for (const Command& command : {Command(AddSentence{"it saw The cat"}),
                                 Command(AddSentence{"dog"}), Command(GoToSentence{1})})
    document = lab::apply(document, command).value();
  return folder.write("batch.json", write_session(document));
}

std::string written_by(const std::vector<std::string>& arguments, const std::string& path) {
  const Outcome outcome = run(arguments);
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  return bytes_of(path);
}

TEST(Sentences, AreChosenByTheirNumber) {
  const TempFolder folder;
  const std::string batch = batch_session(folder), alone = small_session(folder);
  const std::string one = folder / "one.csv", other = folder / "other.csv";
  EXPECT_EQ(written_by({"export", batch, "--sentence", "1", "-o", one}, one),
            written_by({"export", alone, "-o", other}, other));
  EXPECT_THAT(written_by({"export", batch, "-o", one}, one), HasSubstr("\nsaw,"))
      << "the one that the session shows";
  EXPECT_THAT(run({"explain", batch, "--sentence", "1", "--row", "and", "--col", "dog"}).out,
              HasSubstr("weights[and, dog]"));
  EXPECT_THAT(run({"check", batch, "--sentence", "3"}).out, HasSubstr("seq_len 1,"));
  EXPECT_THAT(run({"sensitivity", batch, "--sentence", "1", "--row", "and", "--col", "dog"}).out,
              HasSubstr("weights[and, dog]"));
}

TEST(Sentences, ExportWritesAFileOfEach) {
  const TempFolder folder;
  const std::string batch = batch_session(folder);
  const Outcome outcome = run({"export", batch, "--sentence", "all", "-o", folder / "w.csv"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const std::string second = folder / "second.csv";
  EXPECT_EQ(bytes_of(folder / "w-2.csv"), written_by({"export", batch, "-o", second}, second));
  EXPECT_THAT(bytes_of(folder / "w-3.csv"), HasSubstr("dog"));
  EXPECT_FALSE(std::filesystem::exists(folder / "w.csv"));
  run({"export", batch, "--sentence", "all", "--each", ".csv", "-o", folder / "all"});
  EXPECT_THAT(bytes_of(folder / "all/sentence-3/output.csv"), HasSubstr("dog"));
}

TEST(Sentences, ComputeStacksThemPaddedToTheLongest) {
  const TempFolder folder;
  const auto computed =
      json_of({"compute", batch_session(folder), "--sentence", "all", "-o", "-"}).at("tensors");
  EXPECT_THAT(computed.at("weights").at("shape"), ElementsAre(3, 2, 10, 10));
  EXPECT_THAT(computed.at("X").at("shape"), ElementsAre(3, 10, 4));
  EXPECT_THAT(computed.at("output").at("shape").at(0), 3);
  const std::string batch = batch_session(folder);
  const auto alone = json_of({"compute", batch, "--sentence", "2", "-o", "-"}).at("tensors");
  const auto& all = computed.at("weights").at("values");
  const auto& own = alone.at("weights").at("values");
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_NEAR(all.at(200 + i * 10).get<float>(), own.at(i * 4).get<float>(), 1e-6f);
    EXPECT_EQ(all.at(200 + i * 10 + 4).get<float>(), 0) << "padding";
  }
}

TEST(Sentences, ConvertKeepsAllOfThem) {
  const TempFolder folder;
  const std::string batch = batch_session(folder);
  const std::string npz = folder / "batch.npz";
  ASSERT_EQ(run({"convert", batch, "-o", npz}).code, 0);
  const auto of_session = json_of({"compute", batch, "--sentence", "all", "-o", "-"});
  const auto of_npz = json_of({"compute", npz, "--sentence", "all", "-o", "-"});
  EXPECT_EQ(of_session.at("tensors"), of_npz.at("tensors"));
}

TEST(Sentences, ConvertWritesOneOfThem) {
  const TempFolder folder;
  const std::string one = folder / "one.npz", npz = folder / "alone.npz";
  ASSERT_EQ(run({"convert", batch_session(folder), "--sentence", "1", "-o", one}).code, 0);
  ASSERT_EQ(run({"convert", small_session(folder), "-o", npz}).code, 0);
  EXPECT_EQ(json_of({"compute", one, "-o", "-"}), json_of({"compute", npz, "-o", "-"}));
}

TEST(Sentences, SaysWhichThereAre) {
  const TempFolder folder;
  const std::string batch = batch_session(folder);
  const auto refused = [&](std::vector<std::string> arguments) {
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.code, 2);
    EXPECT_TRUE(is_one_message(outcome.err)) << outcome.err;
    return outcome.err;
  };
  for (const char* wrong : {"0", "4", "-1", "two", "1.5"})
    EXPECT_THAT(refused({"check", batch, "--sentence", wrong}), HasSubstr("1 to 3"));
  EXPECT_THAT(refused({"check", batch, "--sentence", "all"}), HasSubstr("1 to 3"));
  EXPECT_THAT(refused({"check", small_session(folder), "--sentence", "2"}),
              HasSubstr("there is only one"));
  EXPECT_THAT(refused({"export", batch, "--sentence", "all", "-o", "-"}), HasSubstr("-o -"));
  EXPECT_THAT(refused({"export", batch, "--sentence", "all", "--kind", "arithmetic", "--row", "and",
                       "--col", "dog", "-o", folder / "a.svg"}),
              HasSubstr("sentence 2: "));
}

}  // namespace
}  // namespace lab::test
