#include "app/files/npy.h"
#include "app/files/problem_file.h"
#include "app/files/session.h"
#include "app/tests/files/support.h"
#include "core/evaluator.h"

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

Expected<Document> to_document(const TensorFile& file) { return document_from_tensors(file, "t"); }

TEST(DamagedFiles, Session) {
  ASSERT_TRUE(read_session(small_session())) << read_session(small_session()).error().message;
  damage(small_session(), [](std::string_view bytes) { expect_sound(read_session(bytes)); });
}

TEST(DamagedFiles, Safetensors) {
  const std::string bytes = write_safetensors(small_problem());
  expect_sound(value_of(to_document(value_of(read_safetensors(bytes)))));
  damage(bytes, [](std::string_view damaged) {
    expect_sound(read_safetensors(damaged).and_then(to_document));
  });
}

TEST(DamagedFiles, Npz) {
  const std::string bytes = value_of(write_npz(small_problem()));
  expect_sound(value_of(to_document(value_of(read_npz(bytes)))));
  damage(bytes,
         [](std::string_view damaged) { expect_sound(read_npz(damaged).and_then(to_document)); });
}

TEST(DamagedFiles, Npy) {
  const std::string bytes = write_npy({"", {2, 3}, {1, 2, 3, 4, 5, 6}});
  damage(bytes, [](std::string_view damaged) {
    const auto tensor = read_npy(damaged);
    expect_value_or_text(tensor);
    if (!tensor) return;
    std::int64_t count = 1;
    for (const std::int64_t size : tensor->shape) count *= size;
    EXPECT_EQ(static_cast<std::size_t>(count), tensor->values.size());
  });
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
