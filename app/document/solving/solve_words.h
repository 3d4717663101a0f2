#pragma once

#include <string>
#include <vector>

#include "app/document/document.h"
#include "app/document/model/model_source.h"
#include "core/solve/answer_solver.h"

namespace lab {

/// "weights of head 1 [it, animal]".
std::string target_cell_text(const Document& document, const attention::TargetCell& cell);

/// "W_Q of head 2 [3, 0]", "X [animal, 5]".
std::string changed_cell_text(const Document& document, const attention::ChangedCell& cell);

/// Why a request is refused, as a sentence without a full stop.
std::string fault_text(const Document& document, const attention::SolveRequest& request,
                       const attention::SolveFault& fault);

/// "logit of “cat”", or "logit of “cat” − “dog”".
std::string logit_text(const ModelSource& model, const attention::network::Answer& answer);

/// Why a request for logits, which are called `names`, is refused, as a sentence without a full
/// stop.
std::string logit_fault_text(const std::vector<std::string>& names,
                             const attention::SolveFault& fault);

/// The changed numbers of a solution from the one that changed most on; equal words, which share a
/// vector, once.
std::vector<attention::ChangedCell> largest_changes(const Document& document,
                                                    const attention::Solution& solution);

}  // namespace lab
