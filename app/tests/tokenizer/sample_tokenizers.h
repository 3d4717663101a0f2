#pragma once

#include <string>
#include <vector>

namespace lab::tokenizer {

/// Small tokenizer.json files, one for each family: BERT, GPT-2, Llama 2 (byte_fallback), T5.
/// Pieces are few, so that unknown characters, bytes and merges all happen.
std::vector<std::string> sample_tokenizers();

}  // namespace lab::tokenizer
