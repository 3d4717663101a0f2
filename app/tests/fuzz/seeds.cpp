// fuzz_seeds NAME FOLDER: writes small valid files of one kind into FOLDER, for a fuzzer to start
// from.

#include <cstdio>
#include <filesystem>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>

#include "app/base/byte_text.h"
#include "app/connection/frame.h"
#include "app/document/commands/reducer.h"
#include "app/files/import/csv.h"
#include "app/files/io/bytes.h"
#include "app/files/problem/problem_file.h"
#include "app/files/session/session.h"
#include "app/tests/rooms.h"
#include "app/tests/tokenizer/sample_tokenizers.h"

namespace lab::fuzz {
namespace {

using Files = std::vector<std::string>;

Document small_document(bool full) {
  attention::Config config;
  config.d_model = 2, config.d_out = 2, config.n_heads = 2, config.d_k = 1, config.d_v = 1;
  config.residual = config.layer_norm = config.head_norm = config.sink = full;
  if (full) config.score_cap = 50;
  if (full) config.positions = attention::Positions::kSinusoidal;
  Document document = make_document("a b", config, 1);
  if (!full) return document;
  document.dimensions = {"x", "y"};
  document.problem.head_mix = {{.mute = true}, {.scale = 2}};
  document.problem.overrides = {{attention::Stage::kScores, 0, 0, 1, 4}};
  document.problem.parameters.norm_Q = attention::SharedMatrix(attention::Matrix::Ones(1, 1));
  document.problem.bias = attention::SharedMatrix(attention::Matrix::Ones(2, 2));
  document.problem.allowed = attention::SharedMatrix(attention::Matrix::Zero(2, 2));
  return apply(document, SetSentence{"b c"}).value();
}

Files sessions() {
  SessionView view;
  view.pins = {view.selected};
  view.zoom[attention::Stage::kWeights] = {0.25f, 0, 0.5f, 1};
  view.colours.range = "shared";
  const std::string fills =
      R"({"type":"attention-lab session","version":1,"sentence":"a","config":)"
      R"({"d_model":2,"n_heads":1,"d_k":1,"d_v":1,"mask":"causal"},"heads":)"
      R"([{"W_Q":{"fill":"zero"},"W_K":[[1],["NaN"]],"W_V":[[1],[2]]}],)"
      R"("W_O":{"fill":"xavier","seed":7},"kv_sentence":"b c"})";
  return {write_session(small_document(false)), write_session(small_document(true), view), fills};
}

Files command_lines() {
  const std::vector<Command> commands = {
      SetSentence{"the cat"},
      SetSize{SizeId::kDModel, 4},
      SetMask{true, 1, 2},
      SetPositions{attention::Positions::kRotary, 10.0f, {}},
      SetKvSentence{"der Hund"},
      SetCell{{MatrixId::kWQ, 1}, 0, 1, 0.5f},
      SetLayerNorm{true, 0.5f},
      SetHeadNorm{true, 0.5f},
      SetScoreCap{50},
      SetSink{true},
      SetBlock{{MatrixId::kX, 0}, 0, 0, attention::Matrix{{1, 2}, {3, 4}}},
      SetBlocks{{{{MatrixId::kX, 0}, 0, 0, attention::Matrix{{1}}}}},
      FillMatrix{{MatrixId::kWO, 0}, attention::FillType::kXavier, 7},
      SetDropout{0.5f, 7},
      SetHeadMix{.head = 1, .mute = true},
      SetOverride{{attention::Stage::kScores, 1, 0, 1}, 2}};
  Files lines;
  for (const Command& command : commands) lines.push_back(to_json_line(command) + "\n");
  for (std::size_t i = 1; i < commands.size(); ++i) lines.push_back(lines[i - 1] + lines[i]);
  return lines;
}

Files safetensors() {
  const TensorFile full = problem_tensors(small_document(true));
  return {write_safetensors({}), write_safetensors(full),
          write_safetensors({{{"x", {2}, {1, 2}}}, {{"scale", "true"}}})};
}

Files arrays() { return {write_npy({"", {}, {1}}), write_npy({"", {2, 3}, {1, 2, 3, 4, 5, 6}})}; }

// A name as it is typed, and what a hub answers of that repository.
Files hub_answers() {
  const auto answer = [](const std::string& files) {
    return R"({"sha":"0123456789012345678901234567890123456789","cardData":{"license":"mit"},)"
           R"("siblings":[)" +
           files + "]}";
  };
  const auto file = [](const std::string& path) {
    return R"({"rfilename":")" + path +
           R"(","size":3,"blobId":"aaaaaaaaaabbbbbbbbbbccccccccccdddddddddd"})";
  };
  const std::string large = R"({"rfilename":"model.safetensors","lfs":{"size":9,"sha256":")" +
                            std::string(64, 'e') + R"("}})";
  return {"org/name\n" + answer(file("config.json") + "," + large),
          "org/name@v1:Q4_K\n" +
              answer(file("a-Q4_K-00001-of-00002.gguf") + "," + file("a-Q4_K-00002-of-00002.gguf")),
          "org/name:b.gguf\n" + answer(file("b.gguf") + "," + file("sub/c.gguf"))};
}

Files archives() {
  return {write_npz({{{"x", {2}, {1, 2}}}, {}}).value(),
          write_npz(problem_tensors(small_document(true))).value()};
}

Files tables() {
  const attention::Matrix values{{1, -2.5f}, {1e-9f, 4}};
  return {write_csv(values, {}, {}), write_csv(values, {"a", "b \"c\""}, {"x", "y"}),
          "1;2,5\n3;4\n", "# made\n1 2\n3 nan\n",
          "\xEF\xBB\xBF"
          "1\t2\r\n3\t-inf\r\n"};
}

// Every kind of file that opens as a document, and some that are refused by their kind.
Files openable() {
  Files files = {"GGUF",
                 "\x80\x04",
                 "[[1, 2]]",
                 ",a,b\na,0.25,0.75\nb,NaN,NaN\n",
                 "sep=;\n;x;y;z\n1;0,5;0,25;0,25\n",
                 "\xFF\xFE,",
                 write_npy({"", {2, 2, 2}, {1, 0, 0.5f, 0.5f, 1, 0, 0.25f, 0.75f}}),
                 write_npy({"", {2, 0, 2}, {}}),
                 write_npy({"", {1, 1, 1, 1, 1, 1}, {1}}),
                 write_npz({{{"arr_0", {1, 2, 2}, {1, 0, 0.5f, 0.5f}},
                             {"arr_1", {1, 2, 2}, {1, 0, 0.25f, 0.75f}}},
                            {}})
                     .value()};
  for (const auto& more : {sessions(), safetensors(), arrays(), archives(), tables()})
    files.insert(files.end(), more.begin(), more.end());
  return files;
}

Files vectors() {
  return {"the 1 2\ncat 3 -4e-2\n", "2 3\nThe 1 2 3\nNew York 1 2 3\n", "\xC3\xA9 0.5\n"};
}

// The files called `name` or `other_name` of the small checkpoints.
Files model_files(const char* name, const char* other_name) {
  Files files;
  for (const auto& model : std::filesystem::directory_iterator(GOLDEN_MODELS))
    for (const char* file : {name, other_name})
      if (const auto bytes = read_bytes((model.path() / file).string(), 1 << 20))
        files.push_back(*bytes);
  return files;
}

Files model_configs() { return model_files("config.json", "config.v4.json"); }

Files model_indexes() {
  Files files = model_files("model.safetensors.index.json", "none");
  files.push_back(R"({"weight_map":{"a":"x","b":"y"}})");
  return files;
}

// The files with that ending in a folder of the small models.
Files golden_files(const char* folder, const char* ending) {
  Files files;
  for (const auto& file : std::filesystem::directory_iterator(folder))
    if (file.path().extension() == ending)
      if (const auto bytes = read_bytes(file.path().string(), 1 << 20)) files.push_back(*bytes);
  return files;
}

// The models among the small GGUF files, and those of tokenizers alone.
Files gguf_files() { return golden_files(GOLDEN_MODELS "/gguf", ".gguf"); }

// Chat templates that use what those of well-known models use.
Files chat_templates() { return golden_files(GOLDEN_CHATS "/templates", ".jinja"); }

// What torch.save writes, today and formerly.
Files torch_files() { return golden_files(GOLDEN_MODELS "/torch", ".bin"); }

// The first byte chooses the class of the tokenizer.
Files sentencepiece_files() {
  Files files;
  const auto golden = read_bytes(TOKENIZER_PARTS);
  if (!golden) return files;
  for (const auto& model : nlohmann::json::parse(*golden)["models"]) {
    const auto first = static_cast<char>(files.size());
    files.push_back(first + from_base64(model.get<std::string>()).value_or(""));
  }
  return files;
}

// The first byte chooses the tokenizer.
Files tokenizer_texts() {
  Files texts;
  for (const char* which : {"\x01", "\x02", "\x03", "\x04"})
    for (const char* text : {"ab abb.", "[MASK] <s>é", "日本 ﬁ\u0301\u200d", " \t\n  ab"})
      texts.push_back(std::string(which) + text);
  return texts;
}

// Messages that show arrays of every kind; the first byte says how they are cut.
Files messages() {
  const auto message = [](const std::string& json, const TensorFile& arrays) {
    return "\x07" + connection::write_frame({json, write_safetensors(arrays)});
  };
  const Tensor one{"weights", {1, 1, 2, 2}, {1, 0, 0.5f, 0.5f}}, q{"q", {1, 2, 1}, {1, 2}};
  Tensor k = q, v = q, mask{"mask", {2, 2}, {1, 0, 1, 1}};
  k.name = "k", v.name = "v";
  return {message(R"({"id":1,"do":"show","name":"a","tokens":["x","y"]})", {{one}, {}}),
          message(R"({"id":1,"do":"show","name":"a","what":"qkv","layers":3,"lazy":true})",
                  {{q, k, v, mask}, {}}),
          message(R"({"id":1,"do":"show","name":"a","what":"layer","title":"t"})",
                  {{{"x", {1, 1, 1}, {1}},
                    {"w_q", {1, 1, 1}, {1}},
                    {"w_k", {1, 1, 1}, {1}},
                    {"w_v", {1, 1, 1}, {1}},
                    {"w_o", {1, 1}, {1}}},
                   {}}),
          "\x01" + connection::write_frame({R"({"id":1,"do":"hello","program":"python"})", {}})};
}

// Of the built-in model induction, with every member.
Files model_sessions() {
  return {
      R"({"type":"attention-lab model session","version":1,"model":{"folder":"/x","weights":[]},)"
      R"("text":{"ids":[1,2,3]}})",
      R"({"type":"attention-lab model session","version":1,"model":{"folder":"/x","name":"induction",)"
      R"("weights":[{"file":"model.safetensors","sha256":"0000000000000000000000000000000000000000000000000000000000000000"}]},"text":{"typed":"a b a","ids":[1,2,1],)"
      R"("chat":{"on":true,"turns":[{"role":"user","content":"b"}],"plain":{"typed":"b","ids":[2]},)"
      R"("from_turns":[{"turn":1,"begin":2,"end":3}]}},)"
      R"("layer":"1","gains":[{"head":"L1H0","mute":true,"solo":true,"gain":0.5}],)"
      R"("overrides":[{"head":"L0H1","stage":"weights","row":2,"col":1,"value":0.5},)"
      R"({"layer":"0","stage":"X","row":2,"col":1,"value":0.5},)"
      R"({"head":"L1H1","stage":"dropped_weights","row":0,"col":2,"value":0.5}],)"
      R"("patches":[{"head":"L1H2","stage":"weights","values":[[1,0,0],[0,1,0],[0,"NaN",1]]}],)"
      R"("stream":[{"layer":"2","row":0,"col":1,"value":"-Infinity"}],)"
      R"("weights":[{"layer":"0","matrix":"W_V","head":1,"cells":[[0,1,0.5]]},)"
      R"({"layer":"1","matrix":"b_O","cells":[[0,3,1]]}],)"
      R"("set_aside":{"overrides":[{"head":"L0H0","stage":"scores","row":9,"col":1,"value":1}]}})",
      R"({"type":"attention-lab model session","version":1,"model":{"folder":"/x","weights":[]},)"
      R"("text":{"ids":[1,2,3]},"switched_off":{"stream":[{"layer":"1","row":0,"col":1,"value":2}]},)"
      R"("set_aside":{"tokens":[{"text":"d","before":1},{"text":"e","word":"f","before":3}],)"
      R"("overrides":[{"head":"L0H0","stage":"scores","row":1,"col":4,"value":1}],)"
      R"("switched_off":{"overrides":[{"head":"L1H0","stage":"K","row":4,"col":0,"value":1}]}}})"};
}

Files model_lines() {
  return {
      R"({"layer":"1","do":"set_head_mix","head":0,"mute":true})",
      R"({"layer":"0","do":"set_cell","matrix":"W_Q","head":3,"row":0,"col":1,"value":0.5})",
      R"({"layer":"0","do":"set_block","matrix":"b_K","head":1,"row":0,"col":1,"values":[[1,2]]})",
      R"({"layer":"1","do":"fill_matrix","matrix":"W_O","fill":"zero","seed":1})",
      R"({"layer":"0","do":"set_override","stage":"weights","head":1,"row":1,"col":0,"value":0.9}
{"layer":"0","do":"remove_override","stage":"weights","head":1,"row":1,"col":0}
{"do":"set_sentence","text":"a b"})",
      R"({"layer":"1","do":"set_override","stage":"X","row":1,"col":0,"value":0.9}
{"layer":"1","do":"set_override","stage":"dropped_weights","head":1,"row":1,"col":0,"value":-2}
{"layer":"0","do":"set_override","stage":"output","row":4,"col":63,"value":1})",
      R"({"layer":"1","do":"clear_overrides"})"};
}

const std::map<std::string, std::function<Files()>> kTypes = {
    {"session", sessions},
    {"commands", command_lines},
    {"model_session", model_sessions},
    {"model_commands", model_lines},
    {"safetensors", safetensors},
    {"npy", arrays},
    {"npz", archives},
    {"wheel", archives},
    {"hub_answer", hub_answers},
    {"chat_template", chat_templates},
    {"csv", tables},
    {"open", openable},
    {"messages", messages},
    {"text_vectors", vectors},
    {"tokenizer_file", tokenizer::sample_tokenizers},
    {"tokenizer_text", tokenizer_texts},
    {"model_config", model_configs},
    {"model_index", model_indexes},
    {"gguf", gguf_files},
    {"torch", torch_files},
    {"sentencepiece", sentencepiece_files}};

bool write_seeds(const std::string& type, const std::string& folder) {
  const auto found = kTypes.find(type);
  if (found == kTypes.end()) return false;
  int number = 0;
  for (const std::string& file : found->second())
    if (!write_bytes(folder + "/seed" + std::to_string(number++), file)) return false;
  return true;
}

}  // namespace
}  // namespace lab::fuzz

int main(int argc, char** argv) {
  if (argc == 3 && lab::fuzz::write_seeds(argv[1], argv[2])) return 0;
  std::fputs("usage: fuzz_seeds NAME FOLDER\n", stderr);
  return 1;
}
