#include "app/document/batch/batch.h"

namespace lab {

std::vector<Token> without_padding(const Batch& batch, std::vector<Token> tokens) {
  if (!batch.padded) return tokens;
  while (tokens.size() > 1 && tokens.back().key == kPadding) tokens.pop_back();
  return tokens;
}

}  // namespace lab
