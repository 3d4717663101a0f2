#include "app/files/session/session.h"

#include <algorithm>
#include <cctype>

#include "app/tests/fuzz/input.h"
#include "app/tests/rooms.h"

// A session that is accepted can be computed, and what is written of it reads back as the same.

namespace lab::fuzz {
namespace {

// A fill with large sizes is let through and takes its time, which is not the reader's.
bool is_large(std::string_view input) {
  if (input.find("\"fill\"") == input.npos) return false;
  int digits = 0;
  return std::ranges::any_of(input, [&](char c) {
    digits = std::isdigit(static_cast<unsigned char>(c)) ? digits + 1 : 0;
    return digits == 3;
  });
}

}  // namespace

void try_input(std::string_view input) {
  if (is_large(input)) return;
  const auto session = read_whole_session(input);
  if (!session) return must(!session.error().message.empty());
  attention::validate(session->document.problem);
  must(std::ssize(session->document.tokens) == session->document.problem.seq_len());
  const std::string written = write_session(session->document, session->view);
  const auto again = read_whole_session(written);
  must(again.has_value());
  must(write_session(again->document, again->view) == written);
}

}  // namespace lab::fuzz
