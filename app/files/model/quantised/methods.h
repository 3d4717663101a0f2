#pragma once

#include <optional>

#include "app/files/model/config_reader.h"
#include "app/files/model/weights/checkpoint.h"
#include "core/network/stored_format.h"

// Methods of quantisation. Each function replaces the quantised weights of a checkpoint by ones
// whose numbers are computed while they are read, and throws BadInput naming the member or the
// tensor that is not supported, missing or does not fit.

namespace lab::files {

/// What config.json says about quantised weights.
struct WeightsConfig {
  ConfigReader quantisation;  ///< quantization_config
  /// The type of the model's weights where they are not quantised; std::nullopt when it says none.
  std::optional<attention::network::StoredFormat> type;
};

/// Weights in E4M3 with scales for blocks ("weight_scale_inv": DeepSeek, Qwen3), as transformers
/// dequantises them: their product in float32, rounded to the type of the model.
void widen_fp8(const WeightsConfig& config, Checkpoint& checkpoint);

/// The same with a scale for each output ("weight_scale"), whose product stays float32.
void widen_fbgemm_fp8(const WeightsConfig& config, Checkpoint& checkpoint);

/// Weights [in × out] of 4 or 8 bits in words of 32, with a scale and a zero for each group of
/// inputs, as GPTQ stores them (qweight, qzeros, scales, g_idx): (q − zero) · scale in the type of
/// the scales. In its first version, which nearly all files have, zeros are stored less 1.
void widen_gptq(const WeightsConfig& config, Checkpoint& checkpoint);

/// The same as AWQ's kernels for matrices (GEMM) store them: the outputs of a word in turns.
void widen_awq(const WeightsConfig& config, Checkpoint& checkpoint);

/// Weights as bitsandbytes stores them. Of 4 bits (NF4, FP4): a block of numbers, counted row after
/// row, shares its largest magnitude, which may itself be quantised; value · magnitude in float32,
/// rounded to the type that the file names. Of 8 bits (LLM.int8): number · the largest magnitude of
/// its row / 127 in float32.
void widen_bitsandbytes(const WeightsConfig& config, Checkpoint& checkpoint);

/// The experts' weights of gpt-oss in MXFP4 ("NAME_blocks", "NAME_scales" of all experts of a
/// layer): E2M1 numbers times a power of two for 32 of them, which all types of models hold. The
/// map of expert 0 becomes "NAME.0.weight".
void widen_mxfp4(const WeightsConfig& config, Checkpoint& checkpoint);

/// Weights as compressed-tensors stores them: whole numbers in words (pack-quantized) or bytes
/// (int-quantized), or E4M3 (float-quantized), with a scale for all, for each output, for groups of
/// inputs or for blocks: (number − zero) · scale in the type of the scales.
void widen_compressed(const WeightsConfig& config, Checkpoint& checkpoint);

}  // namespace lab::files
