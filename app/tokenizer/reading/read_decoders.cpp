#include "app/tokenizer/reading/parts.h"

namespace lab::tokenizer {
namespace {

template <typename Node>
Decoder simple_decoder(const JsonNode&) {
  return Node{};
}

Decoder bpe_decoder(const JsonNode& node) { return BpeDecoder{node.text_or("suffix", "</w>")}; }

Decoder word_piece_decoder(const JsonNode& node) {
  return WordPieceDecoder{node.text_or("prefix", "##"), node.flag_or("cleanup", true)};
}

Decoder metaspace_decoder(const JsonNode& node) {
  const auto scheme = node.find("prepend_scheme");
  const bool never = scheme ? scheme->text() == "never" : !node.flag_or("add_prefix_space", true);
  return MetaspaceDecoder{std::string(node.member("replacement").character()), never};
}

Decoder ctc_decoder(const JsonNode& node) {
  return CtcDecoder{node.text_or("pad_token", "<pad>"), node.text_or("word_delimiter_token", "|"),
                    node.flag_or("cleanup", true)};
}

Decoder replace_decoder(const JsonNode& node) {
  return ReplaceDecoder{read_pattern(node.member("pattern")),
                        std::string(node.member("content").text())};
}

Decoder strip_decoder(const JsonNode& node) {
  return StripDecoder{std::string(node.member("content").character()),
                      node.member("start").count(kLongestText),
                      node.member("stop").count(kLongestText)};
}

struct DecoderReader {
  std::string_view name;
  Decoder (*value)(const JsonNode&);
};

constexpr DecoderReader kDecoders[] = {
    {"BPEDecoder", bpe_decoder},
    {"ByteLevel", simple_decoder<ByteLevelDecoder>},
    {"WordPiece", word_piece_decoder},
    {"Metaspace", metaspace_decoder},
    {"CTC", ctc_decoder},
    {"Replace", replace_decoder},
    {"Fuse", simple_decoder<FuseDecoder>},
    {"Strip", strip_decoder},
    {"ByteFallback", simple_decoder<ByteFallbackDecoder>},
};

}  // namespace

std::vector<Decoder> read_decoders(const JsonNode& node) {
  std::vector<Decoder> decoders;
  for_each_in_sequence(node, "decoders", [&](const JsonNode& item) {
    decoders.push_back(named_value(kDecoders, item.member("type"))(item));
  });
  return decoders;
}

}  // namespace lab::tokenizer
