// --chat and --system: --text within the chat template of a model.

#include <gmock/gmock.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "app/files/open.h"
#include "app/tests/cli/run_cli.h"

namespace lab::test {
namespace {

using nlohmann::json;
using testing::HasSubstr;
namespace fs = std::filesystem;

// The model words with a template that says "the … of", and its instruction in front.
class ChatModel : public testing::Test {
 protected:
  void SetUp() override {
    fs::copy(fs::path(files::assets_folder()) / "models" / "words", folder_.path(),
             fs::copy_options::recursive);
    folder_.write("chat_template.jinja",
                  "{% for m in messages %}{% if m.role == 'system' %}{{ m.content + ' ' }}"
                  "{% else %}the {{ m.content }} of{% endif %}{% endfor %}");
  }

  const TempFolder folder_;
  const std::string model_ = folder_.path().string();
};

TEST_F(ChatModel, IsAskedWithinItsTemplate) {
  const json plain = json_of({"predict", "words", "--text", "the small dog of", "--json"});
  const json chat = json_of({"predict", model_, "--text", "small dog", "--chat", "--json"});
  EXPECT_EQ(chat, plain);
  const json instructed =
      json_of({"predict", model_, "--text", "small dog", "--chat", "--system", "a cat", "--json"});
  EXPECT_EQ(instructed,
            json_of({"predict", "words", "--text", "a cat the small dog of", "--json"}));
  EXPECT_NE(instructed.at("predictions"), plain.at("predictions"));
}

TEST_F(ChatModel, ItsSessionKeepsTheTokens) {
  const std::string lines = folder_.write("lines.jsonl", "");
  const std::string session = folder_ / "chat.json";
  const Outcome saved =
      run({"apply", model_, lines, "--text", "small dog", "--chat", "-o", session});
  ASSERT_EQ(saved.code, 0) << saved.err;
  EXPECT_EQ(json_of({"predict", session, "--json"}),
            json_of({"predict", model_, "--text", "small dog", "--chat", "--json"}));
}

TEST_F(ChatModel, SaysWhichTokensAreTheTemplates) {
  const json line =
      json_of({"tokenize", model_, "--text", "small dog", "--chat", "--system", "a", "--json"});
  EXPECT_EQ(line.at("text"), "a the small dog of");
  std::vector<std::string> origins;
  for (const json& origin : line.at("from")) origins.push_back(origin);
  EXPECT_EQ(origins.size(), line.at("ids").size());
  EXPECT_EQ(origins.front(), "system");
  EXPECT_EQ(origins.back(), "template");
  const Outcome table = run({"tokenize", model_, "--text", "small dog", "--chat"});
  EXPECT_EQ(table.code, 0) << table.err;
  EXPECT_THAT(table.out, HasSubstr("from"));
  EXPECT_THAT(table.out, HasSubstr("user"));
  EXPECT_THAT(table.out, HasSubstr("template"));
}

TEST_F(ChatModel, MistakesAreSaid) {
  const Outcome none = run({"predict", "words", "--text", "a", "--chat"});
  EXPECT_EQ(none.code, 5);
  EXPECT_THAT(none.err, HasSubstr("has no chat template"));
  EXPECT_EQ(run({"predict", model_, "--text", "a", "--system", "b"}).code, 2);
  EXPECT_EQ(run({"predict", model_, "--ids", "1", "--chat"}).code, 2);
  EXPECT_EQ(run({"tokenize", model_, "--chat"}).code, 2);
  EXPECT_EQ(run({"explain", "refer", "--row", "it", "--col", "animal", "--chat"}).code, 2);
  folder_.write("chat_template.jinja", "\n{{ raise_exception('no ' + messages[0].role) }}");
  const Outcome refused = run({"predict", model_, "--text", "a", "--chat"});
  EXPECT_EQ(refused.code, 5);
  EXPECT_TRUE(is_one_message(refused.err)) << refused.err;
  EXPECT_THAT(refused.err,
              HasSubstr("line 2: the template refuses this conversation: \"no user\""));
}

}  // namespace
}  // namespace lab::test
