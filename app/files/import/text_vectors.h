#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "app/base/error.h"
#include "core/matrix.h"
#include "core/numerics/work_watch.h"

// Word vectors as text, one word per line followed by its numbers: GloVe, and the text form of
// word2vec, whose first line holds the number of words and the length of a vector.

namespace lab::files {

/// Longest line that is accepted, in bytes.
inline constexpr std::size_t kLongestVectorLine = std::size_t{1} << 20;

/// The vectors of the words that were asked for.
struct WordVectors {
  attention::Index dimension = 0;                                 ///< numbers in each vector
  std::map<std::string, attention::RowVector, std::less<>> rows;  ///< [1 × dimension], by word
  std::vector<std::string> lowered;  ///< words that got the vector of their lower-case form
  std::vector<std::string> missing;  ///< words that were not found
};

/// The vectors of `words`; of several in the file, the first. A word that is missing gets the
/// vector of its lower-case form. Reading ends as soon as every word has been found as it is
/// written. A word in the file may contain blanks: the last fields of a line are its numbers. Fails
/// with kBadInput naming the line when it has too few or too many numbers, one of them is not a
/// number, or it is too long; when vectors have more than Limits::kDModel numbers; when the file
/// ends before the number of words that its first line promises. Reports the bytes read to `watch`,
/// which may be null; throws as `watch` does.
Expected<WordVectors> read_text_vectors(std::string_view text,
                                        const std::vector<std::string>& words,
                                        attention::WorkWatch* watch = nullptr);

/// The same from the file at `path`, of which only a few lines are in memory at a time. Fails with
/// kIo when it cannot be read.
Expected<WordVectors> read_text_vectors_at(const std::string& path,
                                           const std::vector<std::string>& words,
                                           attention::WorkWatch* watch = nullptr);

}  // namespace lab::files
