// The parts of tokenizers of trained models that a page cannot do yet: patterns, the normalization
// forms of Unicode, and the tables that chat templates ask for. Who asks for one is told so.
#include <unicode/uchar.h>

#include "app/base/bad_input.h"
#include "app/base/letter_case.h"
#include "app/tokenizer/text/expression.h"
#include "app/tokenizer/unicode/normal_form.h"

namespace {

[[noreturn]] void refuse(const char* what) {
  throw lab::BadInput(std::string("a page cannot use ") + what + " yet");
}

}  // namespace

namespace lab {

std::string title_case(std::int32_t /*character*/) { refuse("title case"); }

}  // namespace lab

namespace lab::tokenizer {

struct Expression::Compiled {};

Expression::Expression(const std::string& /*text*/) { refuse("the patterns of tokenizers"); }
Expression::~Expression() = default;
std::unique_ptr<Expression::Search> Expression::search(std::string_view /*text*/) const {
  return nullptr;
}

std::vector<CharacterChange> normal_form(std::string_view /*text*/, NormalForm /*form*/) {
  refuse("normalization forms");
}
std::u32string_view lower_case(char32_t /*c*/, char32_t& /*storage*/) {
  refuse("the lower case of tokenizers");
}

}  // namespace lab::tokenizer

extern "C" {

int32_t u_getIntPropertyValue(UChar32 /*c*/, UProperty /*which*/) {
  refuse("numbers in chat templates");
}

}  // extern "C"
