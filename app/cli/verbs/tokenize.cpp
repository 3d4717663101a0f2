#include <CLI/CLI.hpp>
#include <filesystem>
#include <iostream>
#include <memory>

#include "app/base/bad_input.h"
#include "app/base/strict_json.h"
#include "app/cli/help.h"
#include "app/cli/model/model_run.h"
#include "app/cli/text.h"
#include "app/cli/verb.h"
#include "app/files/io/bytes.h"
#include "app/files/io/paths.h"
#include "app/files/model/gguf/gguf_model.h"
#include "app/files/tokenizer/chat_template_file.h"
#include "app/files/tokenizer/tokenizer_config.h"
#include "app/files/tokenizer/tokenizer_file.h"

namespace lab::cli {

namespace {

using nlohmann::ordered_json;
using tokenizer::Encoding;
using tokenizer::Tokenizer;

struct TokenizeOptions {
  std::string input;
  ModelArguments location;
  std::optional<std::string> text;
  std::optional<std::string> pair;
  bool target = false;
  bool no_special = false;
  bool truncate = false;
  bool pad = false;
  bool json = false;
  bool decode = false;
  bool skip_special = false;

  tokenizer::EncodeOptions encoding() const {
    return {pair ? std::optional<std::string_view>(*pair) : std::nullopt, !no_special, truncate,
            pad};
  }
};

// {"ids": […], "tokens": […], "offsets": [[from, to], …]}, with "type_ids" if there are two texts.
std::string json_line(const Encoding& encoding, bool pair) {
  ordered_json ids = ordered_json::array();
  ordered_json tokens = ordered_json::array();
  ordered_json offsets = ordered_json::array();
  ordered_json type_ids = ordered_json::array();
  for (const tokenizer::Token& token : encoding) {
    ids.push_back(token.id);
    tokens.push_back(token.text);
    offsets.push_back({token.characters.first, token.characters.last});
    type_ids.push_back(token.type_id);
  }
  ordered_json line = {{"ids", ids}, {"tokens", tokens}, {"offsets", offsets}};
  if (pair) line["type_ids"] = type_ids;
  return line.dump() + "\n";
}

// A table: id, token, characters of the text, and the text there.
std::string token_table(const Encoding& encoding, const TokenizeOptions& options) {
  TextTable table({Side::kRight, Side::kLeft, Side::kRight, Side::kLeft});
  table.add({"id", "token", "characters", "text"});
  for (const tokenizer::Token& token : encoding) {
    const std::string_view text = token.sequence == 0 ? *options.text : *options.pair;
    const auto& [first, last] = token.characters;
    table.add({std::to_string(token.id), token.text,
               token.special ? "" : std::to_string(first) + "–" + std::to_string(last),
               token.special ? "" : in_quotes(part_of(text, token.bytes))});
  }
  return table.text();
}

// Where a token of a chat comes from: "template", "user", or both.
std::string origin_of(const tokenizer::Token& token, const chat::Rendered& chat,
                      const chat::Conversation& said) {
  std::string origin;
  for (const chat::RenderedPart& part : chat.parts) {
    if (part.end <= token.bytes.first || part.begin >= token.bytes.last) continue;
    const std::string here = part.turn ? said.turns.at(*part.turn).role : "template";
    if (origin.find(here) == origin.npos) origin += (origin.empty() ? "" : " + ") + here;
  }
  return origin;
}

std::string chat_json_line(const ChatTokens& chat, const chat::Conversation& said) {
  ordered_json line = ordered_json::parse(json_line(chat.tokens, false));
  ordered_json origins = ordered_json::array();
  for (const tokenizer::Token& token : chat.tokens)
    origins.push_back(origin_of(token, chat.rendered, said));
  line["from"] = origins;
  line["text"] = chat.rendered.text;
  return line.dump() + "\n";
}

std::string chat_table(const ChatTokens& chat, const chat::Conversation& said) {
  TextTable table({Side::kRight, Side::kLeft, Side::kLeft, Side::kLeft});
  table.add({"id", "token", "text", "from"});
  for (const tokenizer::Token& token : chat.tokens)
    table.add({std::to_string(token.id), token.text,
               in_quotes(part_of(chat.rendered.text, token.bytes)),
               origin_of(token, chat.rendered, said)});
  return table.text();
}

// Says what the file asks for and is not done.
void print_limits(const Tokenizer& opened, const TokenizeOptions& options) {
  const auto& [truncation, padding] =
      std::tie(opened.pipeline().truncation, opened.pipeline().padding);
  if (truncation && !options.truncate)
    print_note("the file " + truncation_text(*truncation) + "; --truncate does so");
  if (padding && !options.pad) print_note("the file " + padding_text(*padding) + "; --pad does so");
}

Expected<std::string> encoded_line(const Tokenizer& opened, const nlohmann::json& line,
                                   const TokenizeOptions& options) {
  if (!line.is_string()) return fail(ErrorType::kBadInput, json_text(line) + ", should be a text");
  const auto encoding = opened.encode(line.get_ref<const std::string&>(), options.encoding());
  if (!encoding) return tl::make_unexpected(encoding.error());
  return json_line(*encoding, options.pair.has_value());
}

Expected<std::string> decoded_line(const Tokenizer& opened, const nlohmann::json& line,
                                   const TokenizeOptions& options) {
  std::vector<std::uint32_t> ids;
  if (!line.is_array())
    return fail(ErrorType::kBadInput, json_text(line) + ", should be a list of ids");
  for (const nlohmann::json& id : line) {
    if (!id.is_number_unsigned() || id.get<std::uint64_t>() > 0xFFFFFFFFU)
      return fail(ErrorType::kBadInput, json_text(id) + ", should be an id: a whole number");
    if (!opened.token_of(id.get<std::uint32_t>())) {
      return fail(ErrorType::kBadInput, "the tokenizer has no token with the id " + json_text(id));
    }
    ids.push_back(id.get<std::uint32_t>());
  }
  const auto text = opened.decode(ids, options.skip_special);
  if (!text) return tl::make_unexpected(text.error());
  return nlohmann::json(*text).dump() + "\n";
}

// One JSON value a line in, one a line out, at once, so that another program can wait for it.
Expected<void> run_lines(const Tokenizer& opened, const TokenizeOptions& options) {
  std::string line;
  std::cin.clear();
  for (std::size_t number = 1; std::getline(std::cin, line); ++number) {
    const auto value = guarded([&] { return parse_json(line); });
    auto answer = value.and_then([&](const nlohmann::json& parsed) {
      return options.decode ? decoded_line(opened, parsed, options)
                            : encoded_line(opened, parsed, options);
    });
    if (!answer) {
      return fail(answer.error().type,
                  "standard input, line " + std::to_string(number) + ": " + answer.error().message);
    }
    if (auto written = files::write_bytes("-", *answer); !written) return written;
  }
  return {};
}

// A tokenizer, and the folder or the file that it was read from.
struct OpenedTokenizer {
  std::shared_ptr<const Tokenizer> tokenizer;
  std::string place;
};

// The folder or the GGUF file that holds the tokenizer called `input`.
std::string place_of(const std::string& input) {
  std::string path = files::full_path(input);
  std::error_code none;
  if (files::is_gguf_file(path) || std::filesystem::is_directory(path, none)) return path;
  const auto file = files::tokenizer_path(input);
  return file ? std::filesystem::path(*file).parent_path().string() : path;
}

// That of the model of a session.
Expected<OpenedTokenizer> tokenizer_of_session(const TokenizeOptions& options) {
  if (options.input == "-" && !options.text)
    return fail(ErrorType::kUsage, "only one of FILE and the texts can be standard input");
  const auto session = open_model_without_text(options.input, options.location);
  if (!session) return tl::make_unexpected(session.error());
  if (session->model->tokenizer)
    return OpenedTokenizer{session->model->tokenizer_of(options.target), session->model->folder};
  return fail(ErrorType::kBadInput, files::no_tokenizer_in(session->model->folder));
}

Expected<OpenedTokenizer> opened_tokenizer(const TokenizeOptions& options) {
  if (files::is_model_session(options.input)) return tokenizer_of_session(options);
  std::string place = place_of(options.input);
  if (options.target) {
    auto target = files::target_tokenizer_in(options.input);
    if (!target) return tl::make_unexpected(target.error());
    if (*target) return OpenedTokenizer{*std::move(target), std::move(place)};
  }
  return files::open_tokenizer(options.input).map([&](Tokenizer&& opened) {
    return OpenedTokenizer{std::make_shared<const Tokenizer>(std::move(opened)), std::move(place)};
  });
}

// The tokens of a chat, and which of them its template writes.
Expected<void> tokenize_chat(const OpenedTokenizer& opened, const TokenizeOptions& options) {
  ModelArguments arguments = options.location;
  arguments.text = options.text;
  const auto chat = chat_tokens(opened.place, *opened.tokenizer, arguments);
  if (!chat) return tl::make_unexpected(chat.error());
  const std::string* const system = arguments.system ? &*arguments.system : nullptr;
  const chat::Conversation said = files::question_of(*options.text, system);
  return files::write_bytes("-",
                            options.json ? chat_json_line(*chat, said) : chat_table(*chat, said));
}

Expected<void> check_chat(const TokenizeOptions& options) {
  if (options.location.system && !options.location.chat)
    return fail(ErrorType::kUsage, "--system is for --chat");
  if (!options.location.chat) return {};
  if (!options.text) return fail(ErrorType::kUsage, "--chat needs --text");
  if (options.pair || options.truncate || options.pad)
    return fail(ErrorType::kUsage, "--chat is for one text, without --pair, --truncate and --pad");
  return {};
}

Expected<void> tokenize(const TokenizeOptions& options) {
  if (auto good = check_chat(options); !good) return good;
  if (options.decode && options.text)
    return fail(ErrorType::kUsage, "--decode reads ids from standard input; leave --text out");
  if (options.skip_special && !options.decode)
    return fail(ErrorType::kUsage,
                "--skip-special is for --decode; --no-special adds no special tokens");
  const auto opened = opened_tokenizer(options);
  if (!opened) return tl::make_unexpected(opened.error());
  const Tokenizer& used = *opened->tokenizer;
  if (!options.decode && !options.location.chat) print_limits(used, options);
  if (const auto note = files::tokenizer_config_note(options.input, used);
      !options.decode && !note.empty())
    print_note(note);
  if (options.location.chat) return tokenize_chat(*opened, options);
  if (!options.text) return run_lines(used, options);
  const auto encoding = used.encode(*options.text, options.encoding());
  if (!encoding) return tl::make_unexpected(encoding.error());
  return files::write_bytes("-", options.json ? json_line(*encoding, options.pair.has_value())
                                              : token_table(*encoding, options));
}

}  // namespace

Action declare_tokenize(CLI::App& app) {
  auto options = std::make_shared<TokenizeOptions>();
  set_help(app,
           "Cuts text into the tokens of a tokenizer.json, as the library tokenizers does.\n"
           "Without --text, reads one JSON string per line from standard input and writes one\n"
           "line for each: {\"ids\": […], \"tokens\": […], \"offsets\": [[from, to], …]}, with "
           "offsets in\n"
           "characters.",
           "tokenize FILE [--text TEXT] [options]",
           "attention-lab tokenize english --text \"The animal was tired.\"\n"
           "attention-lab tokenize gpt2/ --json < texts.jsonl > tokens.jsonl\n"
           "attention-lab tokenize model.gguf --text \"Who are you?\" --chat");
  app.add_option("FILE", options->input,
                 "a tokenizer.json, a folder that contains one, a built-in\ntokenizer: english, or "
                 "a session "
                 "of a model")
      ->required();
  app.add_option("--text", options->text, "the text");
  app.add_option("--pair", options->pair, "a second text after it");
  app.add_flag("--target", options->target,
               "as a text that the decoder of a translation model reads");
  app.add_flag("--no-special", options->no_special, "add no special tokens such as [CLS]");
  app.add_flag("--truncate", options->truncate, "cut to the length that the file sets");
  app.add_flag("--pad", options->pad, "fill up to the length that the file sets");
  app.add_flag("--json", options->json, "write JSON instead of a table");
  app.add_flag("--decode", options->decode,
               "read a list of ids per line, and write its text as a JSON string");
  app.add_flag("--skip-special", options->skip_special, "with --decode, leave special tokens out");
  add_chat_options(app, options->location);
  add_model_location_options(app, options->location);
  return [options](VerbRun&) { return tokenize(*options); };
}

}  // namespace lab::cli
