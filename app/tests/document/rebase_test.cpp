#include "app/document/arrays/rebase.h"

#include <gtest/gtest.h>

#include "app/document/arrays/shown_arrays.h"
#include "app/document/words/dropped_numbers.h"
#include "app/tests/document/samples.h"

namespace lab {
namespace {

using attention::Index;
using attention::Matrix;
using attention::SharedMatrix;
using samples::after;
using samples::edit_of_W_Q;
using samples::fingerprint;
using samples::small_document;

// The same document with matrices of its own; every weight is multiplied by `factor`.
Document newer(const Document& document, float factor = 1) {
  Document other = document;
  for_each_matrix(other.problem,
                  [&](const attention::MatrixInfo& info, Index, SharedMatrix& matrix) {
                    if (matrix.empty()) return;
                    Matrix numbers = *matrix;
                    if (is_parameter(info.id)) numbers *= factor;
                    matrix = SharedMatrix(std::move(numbers));
                  });
  other.lexicon = std::make_shared<const Lexicon>(*document.lexicon);
  other.kv_lexicon = std::make_shared<const Lexicon>(*document.kv_lexicon);
  return other;
}

float weight_of_head_2(const Document& document, Index row, Index col) {
  return (*document.problem.parameters.heads[1].W_Q)(row, col);
}

TEST(Rebase, ChangesNothingWhenTheNewNumbersAreTheOldOnes) {
  for (std::uint32_t seed = 0; seed < 40; ++seed) {
    const Document before = samples::file_document(), now = newer(before);
    Rebase rebase(before, now);
    samples::RandomCommands commands(seed);
    Document edited = before;
    for (int i = 0; i < 12; ++i)
      if (auto next = lab::apply(edited, commands.next()); next) edited = std::move(*next);
    if (!same_sizes(edited.problem.config, before.problem.config)) continue;
    EXPECT_EQ(fingerprint(rebase(edited)), fingerprint(edited)) << "seed " << seed;
  }
}

// Two sentences of which the second one was left; every word of the newer version moves by 1.
Document two_sentences(bool moved) {
  Document document = after(small_document(), AddSentence{"the dog saw"});
  document = after(document, GoToSentence{0});
  if (!moved) return document;
  Lexicon rows;
  for (const char* word : {"the", "cat", "saw", "dog", "."})
    rows[word] = embedding_row(document, word).array() + 1;
  document.lexicon = std::make_shared<const Lexicon>(std::move(rows));
  document.problem.embedding = SharedMatrix(embed_tokens(document));
  return document;
}

TEST(Rebase, StaysAtTheSentenceOfABatchAndKeepsWhatWasEditedInEach) {
  const Document before = two_sentences(false), now = two_sentences(true);
  Rebase rebase(before, now);
  const Document first =
      after(before, SetOverride{{attention::Stage::kScores, 0, 4, 4}, 9});  // a cell of the first
  const Document edited =
      after(after(first, GoToSentence{1}), SetOverride{{attention::Stage::kScores, 0, 1, 1}, 7});
  const Document result = rebase(edited);
  EXPECT_EQ(result.sentence, "the dog saw");
  EXPECT_EQ(result.problem.overrides, edited.problem.overrides);
  EXPECT_EQ(*result.problem.embedding, *after(now, GoToSentence{1}).problem.embedding);
  const Document back = after(result, GoToSentence{0});
  EXPECT_EQ(*back.problem.embedding, *now.problem.embedding);
  EXPECT_EQ(back.problem.overrides, first.problem.overrides);
}

TEST(Rebase, NewWordsComeToASentenceThatIsOnlyLookedAt) {
  const Document before = two_sentences(false);
  Document now = after(small_document(), AddSentence{"a cow ran"});
  now = after(now, GoToSentence{0});
  const Document result = Rebase(before, now)(after(before, GoToSentence{1}));
  EXPECT_EQ(result.sentence, "a cow ran");
  EXPECT_EQ(*result.problem.embedding, *after(now, GoToSentence{1}).problem.embedding);
}

TEST(Rebase, ABatchWithFewerSentencesBeginsAnew) {
  const Document before = two_sentences(false), now = small_document();
  EXPECT_EQ(Rebase(before, now)(after(before, GoToSentence{1})).sentence, now.sentence);
}

TEST(Rebase, KeepsEditedCellsAndTakesTheNewNumbersEverywhereElse) {
  const Document before = small_document(), now = newer(before, 2);
  Rebase rebase(before, now);
  const Document result = rebase(after(before, edit_of_W_Q(7)));
  EXPECT_EQ(weight_of_head_2(result, 0, 0), 7);
  EXPECT_EQ(weight_of_head_2(result, 0, 1), 2 * weight_of_head_2(before, 0, 1));
  EXPECT_TRUE(result.problem.parameters.heads[0].W_Q.same_as(now.problem.parameters.heads[0].W_Q));
  EXPECT_EQ(rebase.lost(after(before, edit_of_W_Q(7))), "");
}

TEST(Rebase, KeepsEditedWordsAndSwitches) {
  const Document before = small_document(), now = newer(before, 2);
  const Document edited = after(after(before, SetSentence{"the cow saw"}), SetTemperature{3});
  const Document result = Rebase(before, now)(edited);
  EXPECT_EQ(result.sentence, "the cow saw");
  EXPECT_EQ(result.problem.config.temperature, 3);
  EXPECT_EQ(result.problem.embedding->rows(), 3);
  EXPECT_EQ(weight_of_head_2(result, 0, 0), 2 * weight_of_head_2(before, 0, 0));
}

TEST(Rebase, SaysWhatOtherSizesHaveNoPlaceFor) {
  const Document before = small_document();
  const Document now = after(before, SetSize{SizeId::kHeads, 2});
  Document edited = after(before, SetOverride{{attention::Stage::kScores, 2, 0, 0}, 1});
  edited = after(edited, SetOverride{{attention::Stage::kScores, 1, 0, 0}, 2});
  edited = after(edited, edit_of_W_Q(7));
  Rebase rebase(before, now);
  EXPECT_EQ(rebase.lost(edited),
            "The arrays have other sizes now, and no place for: 1 override, edited numbers");
  const Document result = rebase(edited);
  ASSERT_EQ(result.problem.overrides.size(), 1u);
  EXPECT_EQ(result.problem.overrides[0].value, 2);
  EXPECT_NO_THROW(attention::validate(result.problem));
}

TEST(Rebase, OfAHistoryLeavesItsSteps) {
  const Document before = small_document(), now = newer(before, 2);
  Work work{History(before)};
  ShownArrays arrays;
  arrays.name = "a";
  arrays.base = std::make_shared<const Document>(before);
  work.arrays = std::make_shared<const ShownArrays>(arrays);
  for (const float value : {7.0f, 8.0f}) {
    ASSERT_TRUE(work.history.preview(edit_of_W_Q(value)));
    work.history.commit();
  }
  ASSERT_TRUE(work.history.preview(edit_of_W_Q(9)));
  const std::size_t state = work.history.state_id();
  arrays.base = std::make_shared<const Document>(now);
  EXPECT_TRUE(update_arrays(work, arrays));
  EXPECT_EQ(work.history.state_id(), state);
  EXPECT_EQ(weight_of_head_2(work.history.document(), 0, 0), 9) << "the drag goes on";
  work.history.undo();
  EXPECT_EQ(weight_of_head_2(work.history.document(), 0, 0), 7);
  work.history.undo();
  EXPECT_EQ(fingerprint(work.history.document()), fingerprint(now));
  arrays.name = "b";
  arrays.base = std::make_shared<const Document>(before);
  update_arrays(work, arrays);
  EXPECT_EQ(fingerprint(work.history.document()), fingerprint(now)) << "others are not its own";
}

TEST(Rebase, SharesWhatDidNotChange) {
  const Document before = small_document();
  const Document now = sharing_matrices(newer(before), before);
  EXPECT_TRUE(same_document(now, before));
}

}  // namespace
}  // namespace lab
