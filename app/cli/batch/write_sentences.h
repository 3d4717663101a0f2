#pragma once

#include <functional>
#include <string>
#include <vector>

#include "app/base/error.h"

namespace lab::cli {

/// Writes the files of one sentence, whose number from 1 is `sentence`, to `outputs`.
using WriteSentence =
    std::function<Expected<void>(const std::string& sentence, std::vector<std::string> outputs)>;

/// Calls `write` for each of `count` sentences, with names of files such as "OUT-1.svg" for the
/// output OUT.svg, or of folders such as "OUT/sentence-1". Fails with kUsage when an output is
/// standard output, and as `write` does, naming the sentence.
Expected<void> write_sentences(const std::vector<std::string>& outputs, bool folders,
                               std::size_t count, const WriteSentence& write);

}  // namespace lab::cli
