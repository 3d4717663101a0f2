#include "app/cli/model/unread_notes.h"

#include "app/base/bad_input.h"
#include "app/cli/verb.h"
#include "app/document/document.h"
#include "app/document/model/text_tokens.h"
#include "app/document/splitting/unread_text.h"

namespace lab::cli {
namespace {

void print_unread_of(const std::string& text, const std::vector<Token>& tokens,
                     const Splitting& splitting) {
  const std::string note = unread_note(unread_characters(text, tokens, splitting));
  if (!note.empty()) print_note(in_quotes(text) + ": " + note);
}

}  // namespace

void print_unread(const Document& document) {
  print_unread_of(document.sentence, document.tokens, document.splitting);
  print_unread_of(document.kv_sentence, document.kv_tokens, document.splitting);
}

void print_unread(const ModelDocument& document) {
  const Splitting splitting = splitting_of(document.source);
  print_unread_of(document.text.text.value_or(""), text_tokens(document), splitting);
  print_unread_of(document.decoder_text.text.value_or(""), decoder_text_tokens(document),
                  splitting);
}

}  // namespace lab::cli
