#include "app/connection/connection.h"

#include <gtest/gtest.h>

#include "app/files/tensors/tensors.h"
#include "app/tests/connection/window_fixture.h"

namespace lab::connection {
namespace {

using nlohmann::json;

class Programs : public ReachableWindow {
 protected:
  json numbers(Client& client, const std::string& name) {
    const json answer = asked_by(client, {{"do", "numbers"}, {"name", name}});
    EXPECT_EQ(answer.value("error", ""), "");
    auto read = files::read_safetensors(client.payload());
    EXPECT_TRUE(read);
    tensors_ = std::move(*read);
    return answer;
  }
  void apply(const Command& command) {
    screen_.workspace.queue(intent::Apply{command});
    screen_.workspace.drain();
  }

  files::TensorFile tensors_;
};

TEST_F(Programs, SayHelloFirst) {
  Client client(path_, false);
  client.ask({{"do", "numbers"}, {"name", "a"}});
  EXPECT_EQ(client.error(), "the first request is \"hello\"");
  EXPECT_TRUE(client.is_closed());
  Client polite(path_, false);
  polite.ask({{"do", "hello"}, {"program", "python"}});
  const auto hello = polite.receive();
  ASSERT_TRUE(hello);
  EXPECT_EQ(hello->at("protocol"), 1);
  EXPECT_TRUE(hello->at("version").is_string());
}

TEST_F(Programs, ShowWeightsAsADocumentOfTheirName) {
  Client client(path_);
  show(client, "attn", weights_file(3, 4), {{"tokens", {"a", "b", "c", "d"}}});
  EXPECT_EQ(screen_.document().title, "attn");
  EXPECT_EQ(screen_.document().tokens[1].text, "b");
  EXPECT_EQ(screen_.document().problem.config.n_heads, 3);
  EXPECT_NEAR(weight(0, 1, 1), 0.5f, 1e-5f);
  EXPECT_TRUE(screen_.shows("arrays")) << "the window says where it came from";
  EXPECT_FALSE(screen_.workspace.modified());
}

TEST_F(Programs, UpdateWhatIsShownAndKeepTheSelectionTheHeadAndTheEdits) {
  Client client(path_);
  show(client, "attn", weights_file(3, 4));
  screen_.view.state().head = 2;
  screen_.view.state().selection.query = 3;
  apply(SetOverride{{attention::Stage::kWeights, 1, 0, 2}, 0.25f});
  const int opened = screen_.workspace.opened();
  show(client, "attn", weights_file(3, 4, 1));
  EXPECT_NEAR(weight(0, 0, 1), 0.5f, 1e-5f) << "the new numbers";
  EXPECT_EQ(weight(1, 0, 2), 0.25f) << "the edit";
  EXPECT_EQ(screen_.view.state().head, 2);
  EXPECT_EQ(screen_.view.state().selection.query, 3);
  EXPECT_EQ(screen_.workspace.opened(), opened);
  screen_.workspace.queue(intent::Undo{});
  screen_.workspace.drain();
  EXPECT_NEAR(weight(1, 0, 2), 0.5f / 3, 1e-5f) << "undo takes the edit back, not the numbers";
  EXPECT_NEAR(weight(0, 0, 1), 0.5f, 1e-5f);
  screen_.workspace.queue(intent::Redo{});
  screen_.workspace.drain();
  EXPECT_EQ(weight(1, 0, 2), 0.25f);
}

TEST_F(Programs, AreToldWhatTheUserEdited) {
  Client client(path_);
  show(client, "attn", weights_file(3, 4), {{"tokens", {"a", "b", "c", "d"}}});
  EXPECT_EQ(numbers(client, "attn").at("edited"), false);
  apply(SetOverride{{attention::Stage::kWeights, 1, 0, 2}, 0.25f});
  const json edited = numbers(client, "attn");
  EXPECT_EQ(edited.at("edited"), true);
  EXPECT_EQ(edited.at("tokens"), json({"a", "b", "c", "d"}));
  const files::Tensor* weights = tensors_.find("weights");
  ASSERT_TRUE(weights);
  EXPECT_EQ(weights->shape, (std::vector<std::int64_t>{3, 4, 4}));
  EXPECT_EQ(weights->values[16 + 2], 0.25f);
  EXPECT_EQ(asked_by(client, {{"do", "numbers"}, {"name", "other"}}).at("error"),
            "other is not shown in the window");
}

TEST_F(Programs, LoseOnlyTheEditsThatOtherSizesHaveNoPlaceFor) {
  Client client(path_);
  show(client, "attn", weights_file(3, 6));
  apply(SetOverride{{attention::Stage::kWeights, 1, 0, 2}, 0.25f});
  apply(SetOverride{{attention::Stage::kWeights, 1, 5, 5}, 0.75f});
  show(client, "attn", weights_file(2, 4));
  EXPECT_EQ(weight(1, 0, 2), 0.25f);
  EXPECT_EQ(screen_.document().problem.overrides.size(), 1u);
  EXPECT_EQ(screen_.view.state().notice,
            "The arrays have other sizes now, and no place for: 1 override");
}

TEST_F(Programs, ShowQueriesKeysAndValuesAsTheyAre) {
  Client client(path_);
  const files::Tensor q{"q", {2, 2, 1}, {1, 2, 3, 4}}, k{"k", {1, 3, 1}, {1, 0, -1}},
      v{"v", {1, 3, 2}, {1, 2, 3, 4, 5, 6}}, mask{"mask", {2, 3}, {0, 0, -INFINITY, 0, 0, 0}};
  show(client, "qkv", files::write_safetensors({{q, k, v, mask}, {}}), {{"what", "qkv"}});
  numbers(client, "qkv");
  EXPECT_EQ(tensors_.find("Q")->values, q.values);
  EXPECT_EQ(tensors_.find("K")->values, k.values);
  EXPECT_EQ(tensors_.find("V")->values, v.values);
  EXPECT_EQ(tensors_.find("scores")->values[1 * 3 + 2], -2);
  EXPECT_EQ(tensors_.find("weights")->values[2], 0) << "it is masked";
}

TEST_F(Programs, ShowALayerWithItsWeights) {
  Client client(path_);
  const std::string layer = files::write_safetensors({{{"x", {1, 2, 2}, {1, 2, 3, 4}},
                                                       {"w_q", {1, 2, 1}, {1, 0}},
                                                       {"w_k", {1, 2, 1}, {0, 1}},
                                                       {"w_v", {1, 2, 1}, {1, 1}},
                                                       {"w_o", {1, 2}, {1, 2}},
                                                       {"mask", {2, 2}, {0, -INFINITY, 0, 0}}},
                                                      {}});
  show(client, "layer", layer, {{"what", "layer"}});
  numbers(client, "layer");
  EXPECT_EQ(tensors_.find("Q")->values, (std::vector<float>{1, 3}));
  EXPECT_EQ(tensors_.find("W_O")->values, (std::vector<float>{1, 2}));
  EXPECT_EQ(tensors_.find("weights")->values[1], 0);
}

TEST_F(Programs, AreToldWhatIsWrongWithTheirArrays) {
  Client client(path_);
  const auto error = [&](const json& request, const files::TensorFile& file) {
    json whole = request;
    whole["do"] = "show";
    return asked_by(client, whole, files::write_safetensors(file)).value("error", "");
  };
  files::Tensor bad = sample_weights(2, 4);
  bad.values[5] = NAN;
  EXPECT_EQ(
      error({{"name", "a"}}, {{bad}, {}}),
      "tensor \"weights\" holds NaN (head 1, row 1); attention weights are numbers from 0: what "
      "softmax returns, not the scores before it");
  EXPECT_EQ(error({{"name", "a"}, {"tokens", {"one"}}}, {{sample_weights(2, 4)}, {}}),
            "metadata tokens has 1 strings, it should have 4, one for each row");
  EXPECT_EQ(error({{"name", "a"}, {"what", "qkv"}}, {{sample_weights(2, 4)}, {}}),
            "the array q is missing");
  EXPECT_EQ(error({{"name", ""}}, {{sample_weights(2, 4)}, {}}),
            "the name of the arrays has 1 to 200 bytes");
  EXPECT_EQ(error({{"name", 5}}, {{sample_weights(2, 4)}, {}}),
            "\"name\" is 5; it should be a text");
  EXPECT_EQ(
      asked_by(client, {{"do", "show"}, {"name", "a"}}, "no tensors").value("error", "") != "",
      true);
  EXPECT_EQ(asked_by(client, {{"do", "dance"}}).value("error", ""),
            "this window does not know the request \"dance\"");
  EXPECT_EQ(screen_.document().title, "Cat sat") << "nothing changed";
}

TEST_F(Programs, AskBeforeUnsavedChangesAreReplacedAndOnlyOnce) {
  apply(SetTemperature{3});
  Client client(path_);
  const json request{{"do", "show"}, {"name", "attn"}};
  EXPECT_EQ(asked_by(client, request, weights_file(3, 4)).value("ok", false), true);
  draw();
  EXPECT_EQ(screen_.view.state().dialog.open, Dialog::kUnsaved);
  EXPECT_EQ(asked_by(client, {{"do", "wait_shown"}, {"name", "attn"}}).value("error", ""),
            "the window asks about unsaved changes first");
  EXPECT_EQ(screen_.document().title, "Cat sat");
  screen_.key(Key::kEscape);
  draw();
  EXPECT_EQ(asked_by(client, request, weights_file(3, 4, 1)).value("shown", true), false);
  draw();
  EXPECT_EQ(screen_.view.state().dialog.open, Dialog::kNone) << "it is not asked again";
  EXPECT_EQ(screen_.document().title, "Cat sat");
  screen_.click("arrays/show");
  draw_until([&] { return screen_.shows("dialog/discard"); });
  screen_.click("dialog/discard");
  draw_until([&] { return screen_.document().title == "attn"; });
  EXPECT_NEAR(weight(0, 0, 1), 0.5f, 1e-5f) << "the newest numbers";
}

TEST_F(Programs, DoNotTakeThePlaceOfWhatTheUserOpensAfterThem) {
  Client client(path_);
  const json request{{"do", "show"}, {"name", "attn"}};
  show(client, "attn", weights_file(3, 4));
  screen_.workspace.queue(intent::Replace{*open_document("refer"), {}});
  draw();
  for (int i = 0; i < 3; ++i)
    EXPECT_EQ(asked_by(client, request, weights_file(3, 4, i)).value("shown", true), false);
  draw();
  EXPECT_NE(screen_.document().title, "attn");
  EXPECT_EQ(asked_by(client, {{"do", "wait_shown"}, {"name", "attn"}}).value("error", ""),
            "attn is not shown in the window");
  screen_.click("arrays/show");
  draw_until([&] { return screen_.document().title == "attn"; });
  EXPECT_NEAR(weight(0, 0, 2), 0.5f, 1e-5f) << "the newest numbers";
  show(client, "attn", weights_file(3, 4, 3));
  EXPECT_NEAR(weight(0, 0, 3), 0.5f, 1e-5f);
}

TEST_F(Programs, AreShownAgainByAnotherRunAfterTheUserLeft) {
  auto first = std::make_unique<Client>(path_);
  show(*first, "attn", weights_file(3, 4));
  screen_.workspace.queue(intent::Replace{*open_document("refer"), {}});
  draw();
  first.reset();
  Client second(path_);
  show(second, "attn", weights_file(3, 4));
  EXPECT_EQ(screen_.document().title, "attn");
}

TEST_F(Programs, GetTheirDocumentOnceTheUserHasDecided) {
  apply(SetTemperature{3});
  Client client(path_);
  const json request{{"do", "show"}, {"name", "attn"}};
  asked_by(client, request, weights_file(3, 4));
  draw();
  asked_by(client, request, weights_file(3, 4, 1));
  screen_.click("dialog/discard");
  draw_until([&] { return screen_.document().title == "attn"; });
  EXPECT_NEAR(weight(0, 0, 1), 0.5f, 1e-5f) << "the newest numbers";
}

TEST_F(Programs, HandFilesOver) {
  Client client(path_);
  EXPECT_EQ(asked_by(client, {{"do", "open"}, {"path", "refer"}}).value("ok", false), true);
  draw_until([&] { return screen_.document().tokens.size() > 5; });
  EXPECT_EQ(brought_to_front_, 1);
  const std::string bad = folder_.write("bad.json", "{");
  const json answer =
      asked_by(client, {{"do", "open"}, {"path", "bad.json"}, {"in", folder_.path().string()}});
  EXPECT_NE(answer.value("error", "").find("bad.json"), std::string::npos);
}

TEST_F(Programs, ShowATrainedModelWithTheirText) {
  Client client(path_);
  const json request{
      {"do", "show"}, {"what", "model"}, {"name", "m"}, {"path", "induction"}, {"text", "abcab"}};
  EXPECT_EQ(asked_by(client, request).value("error", ""), "");
  EXPECT_EQ(asked_by(client, {{"do", "wait_shown"}, {"name", "m"}}).value("error", ""), "");
  EXPECT_TRUE(screen_.document().layer.model);
  EXPECT_EQ(screen_.document().sentence, "abcab");
}

TEST(Arrays, HaveMasksThatForbidOrAreAddedByTheTypeOfTheirNumbers) {
  ArraySpec spec;
  spec.type = ArrayType::kQueriesKeys;
  const auto names = [&](const std::string& type, const std::string& bytes) {
    const std::string header = R"({"mask":{"dtype":")" + type +
                               R"(","shape":[1,2],"data_offsets":[0,)" +
                               std::to_string(bytes.size()) + "]}}";
    std::string file(8, '\0');
    file[0] = static_cast<char>(header.size());
    const auto arrays = read_arrays(spec, file + header + bytes);
    EXPECT_TRUE(arrays);
    return std::pair(arrays->tensors[0].name, arrays->tensors[0].values);
  };
  using Found = std::pair<std::string, std::vector<float>>;
  EXPECT_EQ(names("U8", std::string("\1\0", 2)), (Found{"mask", {1, 0}}));
  EXPECT_EQ(names("U8", std::string("\0\0", 2)), (Found{"mask", {0, 0}}));
  EXPECT_EQ(names("F32", std::string("\0\0\x80\x3f\0\0\0\0", 8)), (Found{"bias", {1, 0}}));
  EXPECT_EQ(names("F32", std::string("\0\0\x80\xff\0\0\0\0", 8)), (Found{"mask", {0, 1}}));
}

// --- several layers

TEST_F(Programs, ShowLayersOneAtATimeEachWithItsEdits) {
  Client client(path_);
  files::Tensor all{"weights", {3, 2, 4, 4}, {}};
  for (int layer = 0; layer < 3; ++layer) {
    const auto one = sample_weights(2, 4, layer).values;
    all.values.insert(all.values.end(), one.begin(), one.end());
  }
  show(client, "deep", files::write_safetensors({{all}, {}}));
  EXPECT_EQ(head_title(screen_.document(), 1), "L0H1");
  screen_.click("head/1");
  screen_.view.state().head = 1;
  apply(SetOverride{{attention::Stage::kWeights, 1, 0, 2}, 0.25f});
  screen_.key(Key::kPageDown);
  draw();
  EXPECT_EQ(screen_.workspace.arrays()->layer, 1);
  EXPECT_EQ(head_title(screen_.document(), 1), "L1H1");
  EXPECT_NEAR(weight(0, 0, 1), 0.5f, 1e-5f);
  EXPECT_EQ(screen_.view.state().head, 1);
  EXPECT_TRUE(screen_.workspace.modified()) << "the other layer has an edit";
  screen_.click("arrays/before");
  draw();
  EXPECT_EQ(weight(1, 0, 2), 0.25f);
  screen_.click("arrays/after");
  draw();
  show(client, "deep", files::write_safetensors({{all}, {}}));
  EXPECT_EQ(screen_.workspace.arrays()->layer, 1) << "an update stays at the layer";
  const json answer = asked_by(client, {{"do", "numbers"}, {"name", "deep"}, {"layer", 0}});
  EXPECT_EQ(answer.at("edited"), true);
  EXPECT_EQ(files::read_safetensors(client.payload())->find("weights")->values[16 + 2], 0.25f);
}

TEST_F(Programs, AreAskedForTheLayersThatAreLookedAt) {
  Client client(path_);
  show(client, "lazy", weights_file(2, 4), {{"layers", 5}, {"lazy", true}});
  screen_.click("head/1");
  screen_.key(Key::kPageDown);
  draw();
  const json request = answer_for(client);
  EXPECT_EQ(request.at("do"), "layer");
  EXPECT_EQ(request.at("layer"), 1);
  EXPECT_EQ(screen_.view.state().arrays.waiting_for, 1);
  EXPECT_EQ(screen_.workspace.arrays()->layer, 0) << "until it is there";
  client.ask({{"id", request.at("id")}, {"ok", true}}, weights_file(2, 4, 1));
  draw_until([&] { return screen_.workspace.arrays()->layer == 1; });
  EXPECT_NEAR(weight(0, 0, 1), 0.5f, 1e-5f);

  screen_.key(Key::kPageDown);
  draw();
  EXPECT_EQ(answer_for(client).at("layer"), 2);
  client.close();
  draw_until([&] { return !screen_.view.state().arrays.problem.empty(); });
  EXPECT_EQ(screen_.view.state().arrays.problem,
            "layer L2 cannot be had: Python is no longer connected");
  screen_.key(Key::kPageUp);
  draw();
  EXPECT_EQ(screen_.workspace.arrays()->layer, 0) << "what is here can be seen";
  EXPECT_EQ(screen_.view.state().arrays.problem, "");
}

TEST_F(Programs, AreToldWhenTheWindowCloses) {
  Client client(path_);
  client.ask({{"do", "wait_shown"}, {"name", "attn"}});
  controller_.reset();
  connection_.reset();
  EXPECT_EQ(client.error(), "the window was closed");
  EXPECT_TRUE(client.is_closed());
}

TEST_F(Programs, OfWhichTwoUpdateTheSameArraysDoNotDisturbEachOther) {
  Client one(path_), two(path_);
  show(one, "attn", weights_file(3, 4));
  for (int i = 0; i < 10; ++i) {
    show(one, "attn", weights_file(3, 4, i));
    show(two, "attn", weights_file(3, 4, i + 1));
  }
  EXPECT_NEAR(weight(0, 0, 10 % 4), 0.5f, 1e-5f);
}

}  // namespace
}  // namespace lab::connection
