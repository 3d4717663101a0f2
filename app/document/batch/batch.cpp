#include "app/document/batch/batch.h"

namespace lab {

Token no_sentence() { return {.text = "\x01", .key = "\x01"}; }

std::vector<Token> without_padding(const Batch& batch, std::vector<Token> tokens) {
  if (!batch.padded) return tokens;
  while (tokens.size() > 1 && tokens.back().key == kPadding) tokens.pop_back();
  return tokens;
}

}  // namespace lab
