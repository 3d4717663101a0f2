#include "app/cli/embedded_session.h"

#include "app/cli/verb.h"
#include "app/files/session/session.h"

namespace lab::cli {

std::string short_enough_to_embed(std::string session) {
  if (session.size() > files::kLongestEmbedded) session.clear();
  if (session.empty())
    print_note("the figure cannot be opened again as a session: the session is larger than the " +
               std::to_string(files::kLongestEmbedded >> 20) +
               " MB that a figure can embed (--bare hides this note)");
  return session;
}

}  // namespace lab::cli
