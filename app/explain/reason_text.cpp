#include "app/explain/reason_text.h"

#include "app/translation/words.h"

namespace lab::explain {
namespace {

using attention::Reason;
using attention::ReasonKind;

std::string words_of(const Reason& reason) {
  const std::string query = std::to_string(reason.query), key = std::to_string(reason.key);
  const std::string head = std::to_string(reason.head + 1), limit = std::to_string(reason.limit);
  switch (reason.kind) {
    case ReasonKind::kCausal:
      return tr("causal mask: key {} comes after query {}", {key, query});
    case ReasonKind::kPadding:
      return tr("padding: key {} is none of the first {}", {key, limit});
    case ReasonKind::kWindow:
      return tr("window: key {} is {} away from query {}, it must be less than {}",
                {key, std::to_string(reason.distance), query, limit});
    case ReasonKind::kForbidden:
      return tr("the mask forbids query {} from attending to key {}", {query, key});
    case ReasonKind::kDropped:
      return tr("dropout takes the weight of query {} and key {} in head {}", {query, key, head});
    case ReasonKind::kMuted:
      return tr("head {} is muted", {head});
    case ReasonKind::kOthersSolo:
      return tr("head {} is silent while others are solo", {head});
    case ReasonKind::kScaledByZero:
      return tr("head {} is scaled by 0", {head});
  }
  return {};
}

}  // namespace

std::string reason_words(const std::vector<Reason>& reasons) {
  std::string words;
  for (const Reason& reason : reasons) words += (words.empty() ? "" : "; ") + words_of(reason);
  return words;
}

}  // namespace lab::explain
