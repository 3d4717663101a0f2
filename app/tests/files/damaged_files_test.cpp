#include "app/document/commands/command.h"
#include "app/files/io/little_endian.h"
#include "app/files/problem/problem_file.h"
#include "app/files/session/session.h"
#include "app/files/tensors/npy.h"
#include "app/tests/files/support.h"
#include "app/tests/files/zip_support.h"
#include "app/tests/memory_peak.h"
#include "app/tests/rooms.h"
#include "core/layer/evaluator.h"

// Every truncation and every flipped bit of a small valid file gives a document that can be
// computed, or an error with a text: never a crash, a hang or an exception.

namespace lab {
namespace {

template <typename T>
void expect_value_or_text(const Expected<T>& result) {
  EXPECT_TRUE(result || !result.error().message.empty());
}

void expect_sound(const Expected<Document>& document) {
  expect_value_or_text(document);
  if (!document) return;
  EXPECT_NO_THROW(attention::validate(document->problem));
  EXPECT_EQ(document->tokens.size(), static_cast<std::size_t>(document->problem.seq_len()));
  EXPECT_EQ(embed_tokens(*document).rows(), document->problem.seq_len());
}

// Every kind of command.
constexpr const char* kCommands[] = {
    R"({"do":"set_sentence","text":"a \"b\" é"})",
    R"({"do":"set_sentence","text_hex":"61ff"})",
    R"({"do":"set_kv_sentence","text":"der Hund"})",
    R"({"do":"set_token_mode","mode":"characters"})",
    R"({"do":"set_size","size":"n_heads","value":4})",
    R"({"do":"set_head_build","build":"split"})",
    R"({"do":"set_scale","on":false})",
    R"({"do":"set_temperature","value":0.5})",
    R"({"do":"set_mask","causal":true,"key_count":4,"window":2})",
    R"({"do":"set_mask_cell","row":0,"col":1,"allowed":false})",
    R"({"do":"fill_mask","allowed":true})",
    R"({"do":"set_bias_cell","row":0,"col":1,"value":"-Infinity"})",
    R"({"do":"fill_bias","value":0})",
    R"({"do":"set_positions","kind":"rotary","base":500,"pairs":"halves"})",
    R"({"do":"set_biases","on":true})",
    R"({"do":"set_dropout","rate":0.5,"seed":7})",
    R"({"do":"set_residual","on":true})",
    R"({"do":"set_layer_norm","on":true,"epsilon":1e-5})",
    R"({"do":"set_head_norm","on":true,"epsilon":1e-6})",
    R"({"do":"set_score_cap","value":50})",
    R"({"do":"set_head_mix","head":2,"mute":true,"solo":false,"scale":2})",
    R"({"do":"set_override","stage":"scores","head":2,"row":2,"col":3,"value":0.5})",
    R"({"do":"remove_override","stage":"output","row":2,"col":3})",
    R"({"do":"clear_overrides"})",
    R"({"do":"set_cell","matrix":"W_Q","head":2,"row":0,"col":1,"value":0.5})",
    R"({"do":"set_block","matrix":"W_K","head":1,"row":2,"col":1,"values":[[1,0.1],[-2,"NaN"]]})",
    R"({"do":"fill_matrix","matrix":"W_O","fill":"xavier","seed":7})"};

Expected<Document> to_document(const TensorFile& file) { return document_from_tensors(file, "t"); }

void read_as_session(std::string_view bytes) {
  const auto session = read_whole_session(bytes);
  expect_value_or_text(session);
  if (session) expect_sound(session->document);
}

void read_as_safetensors(std::string_view bytes) {
  expect_sound(read_safetensors(bytes).and_then(to_document));
}

void read_as_npz(std::string_view bytes) { expect_sound(read_npz(bytes).and_then(to_document)); }

void read_as_npy(std::string_view bytes) {
  const auto tensor = read_npy(bytes);
  expect_value_or_text(tensor);
  if (!tensor) return;
  std::int64_t count = 1;
  for (const std::int64_t size : tensor->shape) count *= size;
  EXPECT_EQ(static_cast<std::size_t>(count), tensor->values.size());
}

void read_as_command(std::string_view line) {
  const auto command = command_from_json_line(line);
  expect_value_or_text(command);
  if (!command) return;
  EXPECT_TRUE(command_from_json_line(to_json_line(*command))) << line;
}

TEST(DamagedFiles, AreMeasured) {
  if (!MemoryPeak::is_measured()) GTEST_SKIP() << "allocations cannot be seen here";
  const MemoryPeak memory;
  const std::vector<char> bytes(10'000'000);
  EXPECT_EQ(bytes.back(), 0);
  EXPECT_GE(memory.bytes(), 10'000'000u);
  EXPECT_LT(memory.bytes(), 20'000'000u);
}

// As the program writes it, with how it was looked at.
std::string written_session() {
  SessionView view;
  view.pins = {view.selected, {attention::Stage::kQ, 1, 0, 0}};
  view.zoom[attention::Stage::kWeights] = {0.25f, 0, 0.5f, 1};
  view.large = attention::Stage::kScores;
  view.colours.range = "locked";
  view.locked[attention::Stage::kScores] = {-1, 2};
  view.edited = "W_K";
  return write_session(value_of(read_session(full_session())), view);
}

TEST(DamagedFiles, Session) {
  for (const std::string& session : {small_session(), full_session(), written_session()}) {
    expect_sound(value_of(read_session(session)));
    Damage damage(read_as_session);
    damage.everywhere(session);
    damage.json(session);
  }
}

TEST(DamagedFiles, Commands) {
  Damage damage(read_as_command);
  for (const char* line : kCommands) {
    ASSERT_TRUE(command_from_json_line(line)) << line;
    damage.everywhere(line);
    damage.json(line);
  }
}

TEST(DamagedFiles, Safetensors) {
  const std::string bytes = write_safetensors(small_problem());
  expect_sound(value_of(to_document(value_of(read_safetensors(bytes)))));
  Damage damage(read_as_safetensors);
  damage.everywhere(bytes);
  damage.numbers(bytes);
}

TEST(DamagedFiles, SafetensorsHeader) {
  const std::string bytes = write_safetensors(small_problem());
  const std::size_t size = load_little_endian(bytes.substr(0, 8));
  Damage damage([&](std::string_view header) {
    std::string changed;
    append_little_endian(changed, header.size(), 8);
    read_as_safetensors(changed.append(header).append(bytes.substr(8 + size)));
  });
  damage.json(bytes.substr(8, size));
}

TEST(DamagedFiles, Npz) {
  const TensorFile problem = small_problem();
  std::vector<ZipEntry> deflated;
  for (const Tensor& tensor : problem.tensors)
    deflated.push_back({tensor.name + ".npy", write_npy(tensor), ZIP_CM_DEFLATE});
  for (const std::string& bytes : {value_of(write_npz(problem)), make_zip(deflated)}) {
    expect_sound(value_of(to_document(value_of(read_npz(bytes)))));
    Damage damage(read_as_npz);
    damage.everywhere(bytes);
    damage.numbers(bytes);
  }
}

// Of each version of the format, and of numbers of each size.
TEST(DamagedFiles, Npy) {
  using namespace std::string_literals;
  const std::string old = write_npy({"", {2, 3}, {1, 2, 3, 4, 5, 6}});
  const std::string numbers(48, '\x3C');
  Damage damage(read_as_npy);
  for (const std::string& version : {"\1\0"s, "\2\0"s, "\3\0"s})
    for (const auto& [type, size] : {std::pair("<f4"s, 24),
                                     {">f2"s, 12},
                                     {"<f8"s, 48},
                                     {"|b1"s, 6},
                                     {"<i8"s, 48},
                                     {">u4"s, 24}}) {
      std::string header = old.substr(10, 118);
      header.replace(header.find("<f4"), 3, type);
      if (type[0] == '>') header.replace(header.find("False"), 5, "True ");
      std::string bytes = std::string(kNpyMagic) + version;
      append_little_endian(bytes, header.size(), version[0] == 1 ? 2 : 4);
      bytes += header + numbers.substr(0, static_cast<std::size_t>(size));
      ASSERT_TRUE(read_npy(bytes)) << read_npy(bytes).error().message;
      damage.everywhere(bytes);
      if (type == "<f4") damage.numbers(bytes);
    }
}

// A check sum guards every number of an NPZ: no flipped bit goes unnoticed.
TEST(DamagedFiles, NpzNumbersDoNotChangeUnnoticed) {
  const TensorFile original = small_problem();
  const std::string bytes = value_of(write_npz(original));
  damage(bytes, [&](std::string_view damaged) {
    const auto file = read_npz(damaged);
    if (!file) return;
    for (const Tensor& tensor : file->tensors) {
      const Tensor* same = original.find(tensor.name);
      EXPECT_TRUE(!same || tensor.values == same->values) << tensor.name;
    }
  });
}

}  // namespace
}  // namespace lab
