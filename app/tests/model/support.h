#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "app/files/model/model_folder.h"
#include "app/files/tensors/tensors.h"
#include "app/tests/rooms.h"
#include "app/tests/temporary_folder.h"
#include "core/network/network_evaluator.h"

namespace lab {

/// The names of the small checkpoints, see golden/make_models.py.
std::vector<std::string> golden_models();
/// The path of a file of the checkpoint `model`.
std::string golden_path(const std::string& model, const std::string& file);
/// The text of a file.
std::string text_of_file(const std::string& path);
/// A safetensors file among the golden ones.
TensorFile golden_tensors(const std::string& model, const std::string& file);

/// Copies a checkpoint's weights and configuration, so that they can be damaged.
void copy_model(const std::string& model, const TemporaryFolder& to);
/// The model in `folder`, or a failure of the test that tells the error.
Model opened_model(const std::string& folder);
/// The same for one of the small checkpoints.
Model opened_golden(const std::string& model);

/// The ids in `file`: `prefix` before their names.
attention::network::Tokens tokens_of(const TensorFile& file, const std::string& prefix);
/// The same numbers of tokens for any model: `n` random ones in each stack.
attention::network::Tokens random_tokens(const Model& model, attention::Index n,
                                         attention::Index encoder_n, unsigned seed);

/// Hidden states, attention and logits, named as `attention-lab compute` names them.
TensorFile computed(const Model& model, const attention::network::Tokens& tokens,
                    const attention::network::Interventions& interventions = {});

/// The largest difference of the last rows of `found` from `expected`, which may have fewer, in
/// parts of the largest magnitude in `expected`; infinite where their shapes do not fit.
double relative_error(const Tensor& found, const Tensor& expected);

/// The largest relative error that is allowed in the tensor of that name: attention 1e-5, hidden
/// states 2e-5, logits 1e-4.
double allowed_error(const std::string& name);

/// A name that GoogleTest accepts: "llama-yarn" becomes llama_yarn.
std::string test_name(const ::testing::TestParamInfo<std::string>& model);

}  // namespace lab
