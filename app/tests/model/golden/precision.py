"""A forward pass that stays in double precision."""

import torch
from torch.overrides import TorchFunctionMode


class KeepDouble(TorchFunctionMode):
    """Where a model asks for float32, as before some softmaxes and norms, it gets float64."""

    def __torch_function__(self, function, types, args=(), kwargs=None):
        if function is torch.Tensor.float:
            return args[0].double()
        wide = [torch.float64 if value is torch.float32 else value for value in args]
        named = {key: torch.float64 if value is torch.float32 else value for key, value in (kwargs or {}).items()}
        return function(*wide, **named)
