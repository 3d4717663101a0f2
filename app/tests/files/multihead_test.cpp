#include <numeric>

#include "app/document/commands/reducer.h"
#include "app/files/open.h"
#include "app/files/problem/multihead_file.h"
#include "app/tests/files/support.h"
#include "app/tests/rooms.h"
#include "core/layer/evaluator.h"

namespace lab {
namespace {

using attention::HeadBuild;
using attention::Index;
using attention::Matrix;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using Notes = std::vector<std::string>;

// A layer of that width, every number its own.
TensorFile layer(std::int64_t width, const std::string& prefix = "") {
  HardNumbers random(9);
  TensorFile file;
  file.tensors = {random.tensor(prefix + "in_proj_weight", {3 * width, width}),
                  random.tensor(prefix + "in_proj_bias", {3 * width}),
                  random.tensor(prefix + "out_proj.weight", {width, width}),
                  random.tensor(prefix + "out_proj.bias", {width})};
  float next = 0;
  for (Tensor& tensor : file.tensors)
    for (float& value : tensor.values) value = next += 1.0f / 64;
  return file;
}

Document read(const TensorFile& file, Notes& notes, const MultiheadChoice& choice = {}) {
  return value_of(document_from_multihead(file, "t", choice, notes));
}

std::string error_of(const TensorFile& file, const MultiheadChoice& choice = {}) {
  Notes notes;
  const auto document = document_from_multihead(file, "t", choice, notes);
  return document ? "" : document.error().message;
}

void drop(TensorFile& file, const std::string& name) {
  std::erase_if(file.tensors, [&](const Tensor& tensor) { return tensor.name == name; });
}

TEST(Multihead, HeadsHaveTheRowsOfTheirOutputs) {
  const TensorFile file = layer(4);
  Notes notes;
  const Document document = read(file, notes, {.heads = 2, .layer = ""});
  const auto& [heads, kv_heads, W_O, b_O, gamma, beta, norm_Q, norm_K] =
      document.problem.parameters;
  const auto weight = [&](Index row, Index col) {
    return file.tensors[0].values[static_cast<std::size_t>(row * 4 + col)];
  };
  for (Index head = 0; head < 2; ++head) {
    const auto h = static_cast<std::size_t>(head);
    for (Index i = 0; i < 4; ++i) {
      for (Index j = 0; j < 2; ++j) {
        EXPECT_EQ((*heads[h].W_Q)(i, j), weight(head * 2 + j, i));
        EXPECT_EQ((*kv_heads[h].W_K)(i, j), weight(4 + head * 2 + j, i));
        EXPECT_EQ((*kv_heads[h].W_V)(i, j), weight(8 + head * 2 + j, i));
      }
    }
    EXPECT_EQ((*kv_heads[h].b_V)(0, 1), file.tensors[1].values[8 + 2 * h + 1]);
  }
  EXPECT_EQ((*W_O)(1, 2), file.tensors[2].values[2 * 4 + 1]);
  EXPECT_EQ((*b_O)(0, 3), file.tensors[3].values[3]);
  EXPECT_EQ(document.problem.config.head_build, HeadBuild::kSplit);
  EXPECT_THAT(notes, IsEmpty());
}

TEST(Multihead, MetadataTellsTheHeadsElseAUsualNumberIsTaken) {
  const auto heads = [](std::int64_t width, const std::string& told) {
    TensorFile file = layer(width);
    if (!told.empty()) file.metadata["num_heads"] = told;
    Notes notes;
    const int count = read(file, notes).problem.config.n_heads;
    EXPECT_EQ(notes.empty(), !told.empty());
    if (told.empty()) {
      EXPECT_THAT(notes.at(0), HasSubstr("does not tell n_heads; " + std::to_string(count)));
    }
    return count;
  };
  EXPECT_EQ(heads(128, ""), 2);
  EXPECT_EQ(heads(64, ""), 1);
  EXPECT_EQ(heads(24, ""), 8);
  EXPECT_EQ(heads(12, ""), 4);
  EXPECT_EQ(heads(6, ""), 2);
  EXPECT_EQ(heads(5, ""), 1);
  EXPECT_EQ(heads(12, "3"), 3);
}

TEST(Multihead, AnotherNumberOfHeadsCutsTheSameMatrices) {
  Notes notes;
  const Document four = read(layer(8), notes, {.heads = 4, .layer = ""});
  const Document two = read(layer(8), notes, {.heads = 2, .layer = ""});
  const Document changed = value_of(apply(four, SetSize{SizeId::kHeads, 2}));
  for (std::size_t h = 0; h < 2; ++h) {
    EXPECT_EQ(*changed.problem.parameters.heads[h].W_Q, *two.problem.parameters.heads[h].W_Q);
    EXPECT_EQ(*changed.problem.parameters.kv_heads[h].b_V, *two.problem.parameters.kv_heads[h].b_V);
  }
  EXPECT_EQ(*changed.problem.parameters.W_O, *two.problem.parameters.W_O);
}

TEST(Multihead, BiasesMayBeAbsent) {
  TensorFile file = layer(4);
  drop(file, "in_proj_bias"), drop(file, "out_proj.bias");
  Notes notes;
  const Document document = read(file, notes);
  EXPECT_TRUE(document.problem.parameters.heads[0].b_Q.empty());
  EXPECT_TRUE(document.problem.parameters.b_O.empty());
}

TEST(Multihead, OfSeveralLayersTheFirstIsTakenOrTheOneThatIsNamed) {
  TensorFile file = layer(4, "encoder.layers.10.self_attn.");
  for (const char* prefix : {"encoder.layers.1.self_attn.", "encoder.layers.0.self_attn."})
    for (Tensor& tensor : layer(4, prefix).tensors) file.tensors.push_back(std::move(tensor));
  for (Tensor& tensor : file.tensors)
    if (tensor.name == "encoder.layers.10.self_attn.out_proj.bias") tensor.values[0] = 77;
  Notes notes;
  (void)read(file, notes, {.heads = 2, .layer = ""});
  EXPECT_THAT(
      notes, ElementsAre(
                 AllOf(HasSubstr("\"encoder.layers.0.self_attn\" of several was taken"),
                       HasSubstr("another: \"encoder.layers.1.self_attn\", \"encoder.layers.10"))));
  notes.clear();
  const Document last = read(file, notes, {.heads = 2, .layer = "encoder.layers.10.self_attn"});
  EXPECT_EQ((*last.problem.parameters.b_O)(0, 0), 77);
  EXPECT_THAT(notes, IsEmpty());
  EXPECT_THAT(error_of(file, {.heads = 2, .layer = "decoder"}),
              HasSubstr("there is no layer \"decoder\"; there are \"encoder.layers.0.self_attn\""));
}

TEST(Multihead, WeightsMayStandApart) {
  TensorFile file = layer(4);
  Notes notes;
  const Document joined = read(file, notes, {.heads = 2, .layer = ""});
  const std::vector<float> all = file.tensors[0].values;
  drop(file, "in_proj_weight");
  for (const auto& [name, part] : {std::pair("q_proj_weight", 0), std::pair("k_proj_weight", 1),
                                   std::pair("v_proj_weight", 2)})
    file.tensors.push_back({name, {4, 4}, {all.begin() + part * 16, all.begin() + part * 16 + 16}});
  EXPECT_TRUE(holds_multihead(file));
  const Document apart = read(file, notes, {.heads = 2, .layer = ""});
  EXPECT_EQ(*apart.problem.parameters.kv_heads[1].W_V, *joined.problem.parameters.kv_heads[1].W_V);
}

TEST(Multihead, KeysAndValuesMayBeMadeOfOtherNumbers) {
  TensorFile file = layer(4);
  drop(file, "in_proj_weight");
  const auto add = [&](const std::string& name, std::int64_t width) {
    std::vector<float> values(static_cast<std::size_t>(4 * width));
    std::iota(values.begin(), values.end(), 1.0f);
    file.tensors.push_back({name, {4, width}, std::move(values)});
  };
  add("q_proj_weight", 4), add("k_proj_weight", 2), add("v_proj_weight", 3);
  Notes notes;
  const Document document = read(file, notes, {.heads = 2, .layer = ""});
  EXPECT_THAT(notes, ElementsAre(HasSubstr("keys are made of 2 numbers (kdim)")));
  EXPECT_TRUE(document.problem.cross());
  EXPECT_EQ(document.problem.config.d_model, 5);
  EXPECT_EQ(document.problem.config.d_out, 4);
  const auto& kv = document.problem.parameters.kv_heads[1];
  EXPECT_EQ((*kv.W_K)(1, 0), 6) << "of output 2, input 1";
  EXPECT_TRUE((kv.W_K->bottomRows(3).array() == 0).all());
  EXPECT_TRUE((kv.W_V->topRows(2).array() == 0).all());
  EXPECT_EQ((*kv.W_V)(2, 0), 7) << "values have numbers of their own";
  file.tensors.back().shape = {3, 4};
  EXPECT_THAT(error_of(file), HasSubstr("\"v_proj_weight\" is 3 × 4, it should be 4 × at most"));
}

TEST(Multihead, WhatDoesNotFitIsNamed) {
  const auto with = [](const std::string& name, std::vector<std::int64_t> shape) {
    TensorFile file = layer(4);
    drop(file, name);
    std::size_t count = 1;
    for (const auto side : shape) count *= static_cast<std::size_t>(side);
    file.tensors.push_back({name, std::move(shape), std::vector<float>(count)});
    return error_of(file);
  };
  EXPECT_THAT(with("in_proj_weight", {8, 4}),
              HasSubstr("\"in_proj_weight\" is 8 × 4, it should be 12 × 4"));
  EXPECT_THAT(with("in_proj_bias", {4}), HasSubstr("\"in_proj_bias\" is 4, it should be 12"));
  EXPECT_THAT(with("out_proj.weight", {4, 3}), HasSubstr("is 4 × 3, it should be E × E"));
  EXPECT_THAT(with("out_proj.weight", {0, 0}), HasSubstr("is 0 × 0, it should be E × E"));
  EXPECT_THAT(with("out_proj.bias", {1, 4}), HasSubstr("is 1 × 4, it should be 4"));
  EXPECT_THAT(with("bias_k", {1, 1, 4}), HasSubstr("\"bias_k\" (add_bias_kv=True)"));
  TensorFile file = layer(4);
  drop(file, "out_proj.weight");
  EXPECT_THAT(error_of(file), HasSubstr("\"out_proj.weight\" of nn.MultiheadAttention is missing"));
  EXPECT_THAT(error_of(layer(4), {.heads = 3, .layer = ""}), HasSubstr("3 heads cannot share 4"));
  EXPECT_THAT(error_of(layer(4), {.heads = 0, .layer = ""}), HasSubstr("0 heads cannot share 4"));
  file = layer(4);
  file.metadata["num_heads"] = "many";
  EXPECT_THAT(error_of(file), HasSubstr("metadata num_heads is \"many\""));
}

TEST(Multihead, IsWrittenAsItWasRead) {
  Notes notes;
  const TensorFile file = layer(8);
  TensorFile written = value_of(multihead_tensors(read(file, notes, {.heads = 2, .layer = ""})));
  EXPECT_EQ(written.metadata["num_heads"], "2");
  for (const Tensor& tensor : file.tensors) {
    const Tensor* same = written.find(tensor.name);
    ASSERT_TRUE(same) << tensor.name;
    EXPECT_EQ(same->shape, tensor.shape);
    EXPECT_EQ(same->values, tensor.values);
  }
}

TEST(Multihead, OtherLayersAreNotWritten) {
  Notes notes;
  const Document document = read(layer(8), notes, {.heads = 4, .layer = ""});
  const auto message = [](const Document& of) {
    const auto written = multihead_tensors(of);
    return written ? "" : written.error().message;
  };
  EXPECT_THAT(message(value_of(apply(document, SetSize{SizeId::kKvHeads, 2}))),
              HasSubstr("share keys"));
  const Document separate = value_of(apply(document, SetHeadBuild{HeadBuild::kSeparate}));
  EXPECT_EQ(message(separate), "");
  EXPECT_THAT(message(value_of(apply(separate, SetSize{SizeId::kDV, 3}))),
              HasSubstr("are not d_model"));
}

TEST(Multihead, OpensLikeAnyOtherFile) {
  const TemporaryFolder folder;
  Notes notes;
  const std::string path = folder.write("a.bin", write_safetensors(layer(8, "self_attn.")));
  const Document document = value_of(open_document(path, &notes));
  EXPECT_EQ(document.problem.config.n_heads, 8);
  EXPECT_EQ(document.title, "a");
  EXPECT_THAT(notes, ElementsAre(HasSubstr("a.bin\": the file does not tell n_heads; 8 were")));
  EXPECT_TRUE(open_document(folder.write("b", value_of(write_npz(layer(8))))));
}

TEST(Multihead, EveryDamagedFileIsReadOrRefused) {
  damage(write_safetensors(layer(2)), [](std::string_view bytes) {
    const auto file = read_safetensors(bytes);
    if (!file || !holds_multihead(*file)) return;
    Notes notes;
    const auto document = document_from_multihead(*file, "t", {}, notes);
    if (document) attention::validate(document->problem);
  });
}

}  // namespace
}  // namespace lab
