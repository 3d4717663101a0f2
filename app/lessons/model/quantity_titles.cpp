#include "app/lessons/model/quantity_titles.h"

#include <algorithm>
#include <array>

#include "app/translation/words.h"

namespace lab::lessons {
namespace {

struct QuantityTitle {
  std::string_view name;
  const char* title;
};

constexpr std::array kQuantityTitles = {
    QuantityTitle{"probability", tr_later("probability")},
    QuantityTitle{"logit", tr_later("logit")},
    QuantityTitle{"rank", tr_later("rank")},
    QuantityTitle{"likeliest", tr_later("likeliest token")},
    QuantityTitle{"predictions", tr_later("the likeliest next tokens")},
    QuantityTitle{"lens", tr_later("read out after each layer##table")},
    QuantityTitle{"gain", tr_later("gain")},
    QuantityTitle{"knock_out", tr_later("knock-out")},
    QuantityTitle{"direct", tr_later("written directly")},
    QuantityTitle{"patching", tr_later("patching")},
    QuantityTitle{"previous_token", tr_later("attention to the token before")},
    QuantityTitle{"first_token", tr_later("attention to the first token")},
    QuantityTitle{"duplicate_token", tr_later("attention to an equal token")},
    QuantityTitle{"induction", tr_later("induction score")},
    QuantityTitle{"step", tr_later("step##of training")},
    QuantityTitle{"known_loss", tr_later("known loss of the text")},
};

}  // namespace

std::string quantity_title(std::string_view name) {
  const auto found = std::ranges::find(kQuantityTitles, name, &QuantityTitle::name);
  return found == kQuantityTitles.end() ? std::string() : tr(found->title);
}

}  // namespace lab::lessons
