#pragma once

#include <memory>
#include <string>
#include <vector>

#include "app/document/analysis/answer.h"
#include "app/document/analysis/exploration.h"
#include "app/document/analysis/head_labels.h"
#include "app/document/analysis/lens_grid.h"
#include "app/document/analysis/model_gradient.h"
#include "app/document/analysis/model_pass.h"

namespace lab {

/// What a model expects at the current row.
struct RowPredictions {
  attention::Index row = 0;
  std::vector<Prediction> top;     ///< the ten most probable tokens
  double top_probability = 0;      ///< theirs together
  std::vector<Prediction> pinned;  ///< of the pinned tokens, in their order; those that the
                                   ///< vocabulary does not have are left out
};

/// The logit lens of the current row.
struct RowLens {
  attention::Index row = 0;
  std::vector<LensLine> lines;  ///< before each layer, and after the last one; the answer's token
                                ///< in this row
};

/// The direct attribution of an answer.
struct AnswerAttribution {
  AskedAnswer answer;
  attention::network::LogitAttribution parts;
};

/// A number for each head about an answer, of each sublayer that the model has.
struct AnswerMaps {
  AskedAnswer answer;
  std::vector<HeadMap> maps;  ///< NaN where a number is not known yet
};

/// Numbers of one type: the newest that there are, and how they stand to what was asked for.
template <typename Value>
struct AnalysisEntry {
  std::shared_ptr<const Value> value;             ///< null: no numbers (yet); see `error`
  std::shared_ptr<const ModelDocument> document;  ///< that `value` or `error` is of; null: neither
  bool current = false;  ///< `value` or `error` is of the newest request; else of an earlier one
  double progress = 0;   ///< share of `value` that is known, from 0 to 1
  std::string error;     ///< why there are no numbers; English, to be passed to tr()
};

/// The newest numbers of all entries. Those that were never asked for are empty.
struct AnalysisResult {
  AnalysisEntry<AskedAnswer> answer;  ///< the answer that the others are about
  AnalysisEntry<RowPredictions> predictions;
  AnalysisEntry<RowLens> lens;
  AnalysisEntry<std::vector<PredictionsAt>> masked;  ///< ten tokens at each row that predicts
  AnalysisEntry<std::vector<HeadMap>> entropies;  ///< mean over the rows, in nats; see mean_entropy
  AnalysisEntry<AnswerAttribution> direct;
  AnalysisEntry<LabelledHeads> labels;
  AnalysisEntry<AnswerMaps> knock_out;
  AnalysisEntry<AnswerMaps> patching;
  AnalysisEntry<LensGrid> lens_of_all_rows;
  AnalysisEntry<Exploration> exploration;
  AnalysisEntry<ModelGradient> gradient;  ///< gradient of the answer, or of a cell
  bool busy = false;                      ///< something that was asked for is still being computed
};

}  // namespace lab
