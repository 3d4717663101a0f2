#include <unistd.h>

#include <array>
#include <filesystem>

#include "app/files/io/bytes.h"
#include "app/files/tokenizer/tokenizer_file.h"
#include "app/tests/fuzz/input.h"

// A folder with a file of SentencePiece, as users open it. The first byte says of which class its
// tokenizer is; the rest is the file. A tokenizer that opens cuts text, and puts tokens together
// again, or says why it cannot.

namespace lab::fuzz {
namespace {

struct Kind {
  const char* model_type;
  const char* file;
};

constexpr std::array kKinds = {Kind{"llama", "tokenizer.model"},
                               Kind{"gemma", "tokenizer.model"},
                               Kind{"t5", "spiece.model"},
                               Kind{"albert", "spiece.model"},
                               Kind{"pegasus", "spiece.model"},
                               Kind{"xlm-roberta", "sentencepiece.bpe.model"},
                               Kind{"camembert", "sentencepiece.bpe.model"},
                               Kind{"nllb", "sentencepiece.bpe.model"},
                               Kind{"deberta-v2", "spm.model"},
                               Kind{"marian", "source.spm"},
                               Kind{"m2m_100", "sentencepiece.bpe.model"}};

// The folder of a kind, with all but the file itself.
std::string folder_of(const Kind& kind) {
  const std::filesystem::path beside =
      std::filesystem::exists("/dev/shm") ? "/dev/shm" : std::filesystem::temp_directory_path();
  const auto folder = beside / ("fuzz-" + std::to_string(getpid())) / kind.model_type;
  if (std::filesystem::exists(folder)) return folder.string();
  std::filesystem::create_directories(folder);
  const auto write = [&](const char* name, std::string_view text) {
    must(write_bytes((folder / name).string(), text).has_value());
  };
  write("config.json", R"({"model_type":")" + std::string(kind.model_type) + R"("})");
  write("vocab.json", R"({"<s>":0,"<pad>":1,"</s>":2,"<unk>":3,"▁the":4,"▁":5,"a":6,">>x<<":7})");
  write("target.spm", "");
  write("tokenizer_config.json", R"({"extra_ids":3,"offset":5})");
  return folder.string();
}

}  // namespace

void try_input(std::string_view input) {
  if (input.empty()) return;
  const Kind& kind = kKinds.at(static_cast<unsigned char>(input.front()) % kKinds.size());
  const std::string folder = folder_of(kind);
  must(write_bytes(folder + "/" + kind.file, input.substr(1)).has_value());
  const auto opened = open_tokenizer(folder);
  if (!opened) return must(!opened.error().message.empty());
  const std::string text = ">>x<< The cat  Ａb.\n<mask><s> é日\t▁";
  const auto encoding = opened->encode(text);
  if (!encoding) return must(!encoding.error().message.empty());
  std::vector<std::uint32_t> ids = {0, 1, 4'000'000'000};
  for (const tokenizer::Token& token : *encoding) {
    must(token.bytes.first <= token.bytes.last && token.bytes.last <= text.size());
    ids.push_back(token.id);
  }
  const auto decoded = opened->decode(ids, false);
  if (!decoded) must(!decoded.error().message.empty());
}

}  // namespace lab::fuzz
