"""GPT-2 in PyTorch, with the names and the layout that transformers gives its files."""

import json
import math
from dataclasses import dataclass

import torch
from safetensors.torch import load_file, save_file
from torch import nn
from torch.nn import functional


@dataclass
class Shape:
    """The sizes of a model; d_mlp is the width inside an MLP."""
    vocabulary: int
    positions: int
    d_model: int
    layers: int
    heads: int
    d_mlp: int


class Linear(nn.Module):
    """A linear map whose weight is stored [in × out], as GPT-2 has it."""

    def __init__(self, inputs, outputs, deviation):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(inputs, outputs) * deviation)
        self.bias = nn.Parameter(torch.zeros(outputs))

    def forward(self, x):
        return functional.linear(x, self.weight.T, self.bias)


class Attention(nn.Module):
    """Causal multi-head attention. `seen` keeps its last weights: [texts × heads × n × n]."""

    def __init__(self, shape):
        super().__init__()
        self.heads, self.seen = shape.heads, None
        self.c_attn = Linear(shape.d_model, 3 * shape.d_model, 0.02)
        self.c_proj = Linear(shape.d_model, shape.d_model, 0.02 / math.sqrt(2 * shape.layers))

    def forward(self, x):
        texts, n, d_model = x.shape
        split = self.c_attn(x).view(texts, n, 3, self.heads, d_model // self.heads).permute(2, 0, 3, 1, 4)
        queries, keys, values = split[0], split[1], split[2]
        scores = queries @ keys.transpose(-1, -2) / math.sqrt(keys.shape[-1])
        masked = scores + torch.full((n, n), -math.inf).triu(1)
        self.seen = masked.softmax(-1)
        return self.c_proj((self.seen @ values).transpose(1, 2).reshape(texts, n, d_model))


class Mlp(nn.Module):
    """The two linear maps after attention, with GPT-2's form of GELU between them."""

    def __init__(self, shape):
        super().__init__()
        self.c_fc = Linear(shape.d_model, shape.d_mlp, 0.02)
        self.c_proj = Linear(shape.d_mlp, shape.d_model, 0.02 / math.sqrt(2 * shape.layers))

    def forward(self, x):
        return self.c_proj(functional.gelu(self.c_fc(x), approximate="tanh"))


class Block(nn.Module):
    """One layer: attention and an MLP, each behind its norm and added to the residual stream."""

    def __init__(self, shape):
        super().__init__()
        self.ln_1, self.ln_2 = nn.LayerNorm(shape.d_model), nn.LayerNorm(shape.d_model)
        self.attn, self.mlp = Attention(shape), Mlp(shape)

    def forward(self, x):
        x = x + self.attn(self.ln_1(x))
        return x + self.mlp(self.ln_2(x))


class Gpt2(nn.Module):
    """A whole model; the read-out is the embedding matrix, transposed."""

    def __init__(self, shape):
        super().__init__()
        self.shape = shape
        self.transformer = nn.ModuleDict({
            "wte": nn.Embedding(shape.vocabulary, shape.d_model),
            "wpe": nn.Embedding(shape.positions, shape.d_model),
            "h": nn.ModuleList(Block(shape) for _ in range(shape.layers)),
            "ln_f": nn.LayerNorm(shape.d_model)})
        for name in ("wte", "wpe"):
            nn.init.normal_(self.transformer[name].weight, std=0.02)

    def forward(self, ids):
        parts = self.transformer
        x = parts["wte"](ids) + parts["wpe"].weight[:ids.shape[1]]
        for block in parts["h"]:
            x = block(x)
        return parts["ln_f"](x) @ parts["wte"].weight.T

    def attention(self, ids):
        """The attention weights of every layer for a batch of texts: a list of [texts × heads × n × n]."""
        self(ids)
        return [block.attn.seen for block in self.transformer["h"]]


def without_mlps(model):
    """Sets every MLP to zeros and keeps it there, so that only attention learns."""
    for block in model.transformer["h"]:
        for parameter in block.mlp.parameters():
            nn.init.zeros_(parameter)
            parameter.requires_grad = False
    return model


def adamw(model, weight_decay):
    """AdamW that leaves biases and the norms' factors undecayed."""
    learning = [parameter for parameter in model.parameters() if parameter.requires_grad]
    return torch.optim.AdamW(
        [{"params": [p for p in learning if p.dim() > 1], "weight_decay": weight_decay},
         {"params": [p for p in learning if p.dim() == 1], "weight_decay": 0.0}], betas=(0.9, 0.98))


def share_of_rate(step, steps, level):
    """Of the highest learning rate: a linear warm-up, a level part up to the share `level`, then half a cosine down."""
    warm_up = 200
    falling = max(0.0, (step / steps - level) / (1 - level))
    return min(1.0, (step + 1) / warm_up) * (0.02 + 0.98 * (1 + math.cos(math.pi * falling)) / 2)


def config(shape, end_of_text):
    """What config.json says about a model."""
    return {
        "activation_function": "gelu_new", "architectures": ["GPT2LMHeadModel"], "attn_pdrop": 0.0,
        "bos_token_id": end_of_text, "dtype": "float16", "embd_pdrop": 0.0, "eos_token_id": end_of_text,
        "initializer_range": 0.02, "layer_norm_epsilon": 1e-05, "model_type": "gpt2", "n_embd": shape.d_model,
        "n_head": shape.heads, "n_inner": shape.d_mlp, "n_layer": shape.layers, "n_positions": shape.positions,
        "reorder_and_upcast_attn": False, "resid_pdrop": 0.0, "scale_attn_by_inverse_layer_idx": False,
        "scale_attn_weights": True, "tie_word_embeddings": True, "torch_dtype": "float16", "use_cache": True,
        "vocab_size": shape.vocabulary}


# Without it, transformers would make a tokenizer as GPT-2's of the vocabulary.
TOKENIZER_CONFIG = {"tokenizer_class": "PreTrainedTokenizerFast", "clean_up_tokenization_spaces": False}


def save(model, folder, end_of_text):
    """Writes config.json, tokenizer_config.json and model.safetensors, the weights rounded to float16."""
    (folder / "tokenizer_config.json").write_text(json.dumps(TOKENIZER_CONFIG, indent=1) + "\n", encoding="utf-8")
    text = json.dumps(config(model.shape, end_of_text), indent=2)
    (folder / "config.json").write_text(text + "\n", encoding="utf-8")
    weights = {name: weight.to(torch.float16).contiguous() for name, weight in model.state_dict().items()}
    save_file(weights, folder / "model.safetensors", metadata={"format": "pt"})
    (folder / "model.safetensors").chmod(0o644)


def load(folder):
    """The model that a folder holds, computed in float32."""
    config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    model = Gpt2(Shape(config["vocab_size"], config["n_positions"], config["n_embd"], config["n_layer"], config["n_head"],
                       config["n_inner"]))
    model.load_state_dict({name: weight.float() for name, weight in load_file(folder / "model.safetensors").items()})
    return model.eval()
