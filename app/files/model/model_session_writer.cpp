#include <algorithm>

#include "app/document/model/layer_name.h"
#include "app/files/model/json/detached_edits_json.h"
#include "app/files/model/json/model_edits_json.h"
#include "app/files/model/json/model_texts_json.h"
#include "app/files/model/json/named_model_json.h"
#include "app/files/model/model_list.h"
#include "app/files/model/model_session.h"
#include "app/files/session/view_json.h"

namespace lab::files {
namespace {

NamedModel name_of(const ModelSource& source, const std::vector<WeightsHash>& weights,
                   const std::optional<WeightsHash>& config) {
  NamedModel model{
      std::filesystem::absolute(source.folder).lexically_normal().string(), {}, weights, config};
  if (const auto& position = source.training)
    model.training = NamedStep{position->branch, static_cast<std::int64_t>(position->state->step)};
  const std::vector<ModelInfo> models = list_models();
  const auto listed = std::ranges::find(models, source.folder, &ModelInfo::folder);
  if (listed != models.end()) model.name = listed->name;
  return model;
}

}  // namespace

std::string write_model_session(const ModelDocument& document,
                                const std::vector<WeightsHash>& weights,
                                const std::optional<WeightsHash>& config,
                                const std::optional<SessionView>& view) {
  JsonWriter out;
  out.begin('{');
  write_member(out, "type", std::string(kModelSessionType));
  write_member(out, "version", kModelSessionVersion);
  write_member(out, "model", name_of(*document.source, weights, config));
  write_texts(out, document);
  if (document.layer) write_member(out, "layer", layer_name(*document.layer));
  write_interventions(out, document.interventions);
  if (!attention::same_bits(document.adapter_gain, 1))
    write_member(out, "adapter_gain", document.adapter_gain);
  write_weight_edits(out, unedited_network(document), document.network);
  write_detached_edits(out, document.detached);
  if (!(document.switched_off == attention::network::Interventions{}) || document.weights_off) {
    out.member("switched_off");
    out.object([&] {
      write_interventions(out, document.switched_off);
      if (document.weights_off)
        write_weight_edits(out, unedited_network(document), *document.weights_off);
    });
  }
  write_model_batch(out, document);
  if (view) write_view(out, *view);
  out.end('}');
  return out.take();
}

}  // namespace lab::files
