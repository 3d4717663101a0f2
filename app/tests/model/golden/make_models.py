"""Writes NAME/: small checkpoints with random weights, and what transformers computes with them in double precision.

    python3 make_models.py [--check] [NAME…]

config.json and model.safetensors (or shards with an index) are what a model's folder holds; config.v4.json says the
same as version 4 of transformers spelt it. golden.safetensors holds, for each length, {length}.input_ids,
{length}.attention.{layer} [heads × queries × keys], {length}.hidden.{layer} (the last after the final norm) and
{length}.logits; with two stacks the names that `attention-lab compute` writes. Where there are more than 9 rows, the
last 4 are kept. interventions.safetensors holds what hooks make of a forward pass: see interventions.py;
gradient.safetensors what autograd says about an answer: see gradients.py.
--check computes everything again and compares it with the files. Needs torch and transformers from PyPI.
"""

import argparse
import json
import shutil
import tempfile
from pathlib import Path

import safetensors.torch
import torch
import transformers
from checkpoints import CHECKPOINTS
from gradients import gradient_answers
from interventions import intervention_answers
from precision import KeepDouble
from safetensors import safe_open
from safetensors.torch import load_file
from spelling import spelt_as_version_4, with_old_norm_names

OUT = Path(__file__).resolve().parent
LENGTHS = (1, 2, 9, 60)
VERSIONS = {"torch": torch.__version__.split("+")[0], "transformers": transformers.__version__}
KEPT_WHOLE, KEPT_ROWS = 9, 4
NAMES = {"attentions": "attention", "encoder_attentions": "encoder_attention",
         "decoder_attentions": "decoder_attention", "cross_attentions": "cross_attention", "hidden_states": "hidden",
         "encoder_hidden_states": "encoder_hidden", "decoder_hidden_states": "decoder_hidden"}


def shake(model, stored, random, buffer="final_logits_bias"):
    """Weights with which heads, layers and positions differ, and no two parts are the same."""
    kind = type(model).__name__
    centre = 0.0 if "Gemma" in kind and "Gemma4" not in kind else 1.0  # Gemma multiplies by 1 + weight, but for 4
    learned = {name: tensor for name, tensor in model.named_parameters() if tensor.requires_grad}
    tensors = {**learned, **{n: b for n, b in model.named_buffers() if n.endswith(buffer)}}
    for name, tensor in tensors.items():
        noise = torch.randn(tensor.shape, generator=random)
        if name.endswith("sinks"):
            value = 1.5 * noise
        elif name.endswith(("layer_scalar", "router.scale", "per_expert_scale")):
            value = 1 + 0.25 * noise
        elif name.endswith("gate_up_proj") and "GptOss" in kind:
            value = 6 * noise / tensor.shape[-1] ** 0.5  # some reach gpt-oss's limit
        elif name.endswith("q_norm.weight") and "Gemma4" in kind:
            value = 0.4 + 0.1 * noise  # its scores are not divided by a root
        elif name.endswith("norm.weight") or (tensor.dim() == 1 and name.endswith("weight")):
            value = centre + 0.25 * noise
        elif tensor.dim() == 1 or tensor.shape[0] == 1:
            value = 0.15 * noise
        elif any(part in name for part in ("emb", "wte", "wpe", "shared", "relative")):
            value = 0.8 * noise
        else:
            value = 1.5 * noise / tensor.shape[-1] ** 0.5
        tensor.data.copy_(value.to(stored))


def random_ids(random, length, vocabulary):
    """None of the first 3, which stand for padding, the start and the end."""
    return torch.randint(3, vocabulary, (1, length), generator=random)


def kept(rows):
    """[…, rows, columns] or [rows, columns], shortened where there are many rows."""
    return (rows if rows.shape[-2] <= KEPT_WHOLE else rows[..., -KEPT_ROWS:, :]).float().contiguous()


def by_block(model, output):
    """What a forward pass gave, with None for the attention of blocks that are convolutions."""
    types = getattr(model.config, "layer_types", None) or []
    if "conv" in types:
        attentions = iter(output.attentions)
        output.attentions = tuple(None if kind == "conv" else next(attentions) for kind in types)
    return output


def forward(model, **ids):
    with torch.no_grad(), KeepDouble():
        return by_block(model, model(**ids, output_attentions=True, output_hidden_states=True, use_cache=False))


def named(output, part=lambda tensor: tensor):
    """What a forward pass gave, or a part of it, by the names of the golden files."""
    found = {f"{name}.{layer}": part(tensor)[0] for member, name in NAMES.items()
             for layer, tensor in enumerate(getattr(output, member, None) or ()) if tensor is not None}
    if getattr(output, "logits", None) is not None:
        found["logits"] = output.logits[0]
    return found


def inputs(model, random, lengths):
    """ids by length; those of a decoder have the lengths in reversed order."""
    vocabulary = model.config.vocab_size
    for length, other in zip(lengths, reversed(lengths)):
        ids = {"input_ids": random_ids(random, length, vocabulary)}
        if model.config.is_encoder_decoder:
            ids["decoder_input_ids"] = random_ids(random, other, vocabulary)
        yield length, ids


def answers(model, random):
    found = {}
    for length, ids in inputs(model, random, LENGTHS):
        found.update({f"{length}.{name}": tensor[0] for name, tensor in ids.items()})
        found.update({f"{length}.{name}": kept(rows) for name, rows in named(forward(model, **ids)).items()})
    return found


def save(tensors, path, about=None):
    """safetensors with the metadata in the order of its names: the library's own differs from run to run."""
    whole = {name: tensor.contiguous() for name, tensor in tensors.items()}
    bytes_ = safetensors.torch.save(whole, metadata={"format": "pt"} | VERSIONS | (about or {}))
    size = int.from_bytes(bytes_[:8], "little")
    header = json.loads(bytes_[8:8 + size])
    header["__metadata__"] = dict(sorted(header["__metadata__"].items()))
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    path.write_bytes(len(text).to_bytes(8, "little") + text + bytes_[8 + size:])


def save_checkpoint(model, spec, folder):
    model.save_pretrained(folder, **({"max_shard_size": spec.shards} if spec.shards else {}))
    (folder / "generation_config.json").unlink(missing_ok=True)
    for path in folder.glob("*.safetensors"):
        tensors = {name: tensor.to(spec.stored) for name, tensor in load_file(path).items()}
        save(with_old_norm_names(tensors) if spec.old_norm_names else tensors, path)
    config = json.loads((folder / "config.json").read_text())
    config["dtype"] = str(spec.stored).removeprefix("torch.")
    (folder / "config.json").write_text(json.dumps(config, indent=1) + "\n")
    if spec.version_4:
        (folder / "config.v4.json").write_text(json.dumps(spelt_as_version_4(config), indent=1) + "\n")


def require_same_model(model, spec, folder, config):
    """What transformers opens from the folder, with that configuration, is the model that gave the answers."""
    with tempfile.TemporaryDirectory() as copy:
        for path in folder.glob("model*"):
            shutil.copy(path, copy)
        shutil.copy(folder / config, Path(copy) / "config.json")
        opened = type(model).from_pretrained(copy, dtype=torch.float64, **spec.eager).eval()
    for _, ids in inputs(model, torch.Generator().manual_seed(0), (12, 50)):
        wanted, found = named(forward(model, **ids)), named(forward(opened, **ids))
        for name in wanted:
            assert torch.allclose(wanted[name], found[name], rtol=1e-5, atol=1e-5), (folder.name, config, name)


def make(name, spec, folder):
    folder.mkdir(parents=True, exist_ok=True)
    random = torch.Generator().manual_seed(sum(name.encode()))
    model = spec.model()
    if spec.untied:
        model.lm_head.weight = torch.nn.Parameter(torch.empty(model.lm_head.weight.shape))
    shake(model.eval(), spec.stored, random, spec.shaken_buffer)
    save_checkpoint(model, spec, folder)
    model = model.double()
    save(answers(model, random), folder / "golden.safetensors")
    if spec.interventions:
        ids = {key: random_ids(random, 9, model.config.vocab_size)
               for key in ("input_ids", *(["decoder_input_ids"] if model.config.is_encoder_decoder else []))}
        others = {key: random_ids(random, 9, model.config.vocab_size) for key in ids}
        tensors, about = intervention_answers(model, forward, named, ids, others, spec.interventions)
        save(tensors, folder / "interventions.safetensors", about)
    gradient = gradient_answers(model, named, by_block, name)
    if gradient:
        save(gradient, folder / "gradient.safetensors")
    for config in folder.glob("config*.json"):
        require_same_model(model, spec, folder, config.name)


def compare(folder, again):
    names = sorted(path.name for path in folder.iterdir())
    assert names == sorted(path.name for path in again.iterdir()), (folder.name, names)
    for name in names:
        if not name.endswith(".safetensors"):
            assert (folder / name).read_text() == (again / name).read_text(), (folder.name, name)
            continue
        with safe_open(folder / name, "pt") as a, safe_open(again / name, "pt") as b:
            assert set(a.keys()) == set(b.keys()), (folder.name, name)
            for key in a.keys():
                x, y = a.get_tensor(key).double(), b.get_tensor(key).double()
                assert torch.allclose(x, y, rtol=1e-6, atol=1e-6), (folder.name, name, key)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="compare with the files instead of writing them")
    parser.add_argument("names", metavar="NAME", nargs="*", help="only these")
    given = parser.parse_args()
    torch.set_num_threads(1)
    transformers.logging.set_verbosity_error()
    transformers.logging.disable_progress_bar()
    for name, spec in CHECKPOINTS.items():
        if given.names and name not in given.names:
            continue
        if not given.check:
            shutil.rmtree(OUT / name, ignore_errors=True)
            make(name, spec, OUT / name)
        else:
            with tempfile.TemporaryDirectory() as again:
                make(name, spec, Path(again) / name)
                compare(OUT / name, Path(again) / name)
        print(name, sum(path.stat().st_size for path in (OUT / name).iterdir()))


if __name__ == "__main__":
    main()
