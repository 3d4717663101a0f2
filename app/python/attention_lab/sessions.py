"""Reading what Attention Lab writes: sessions, problems, and figures with a session in them."""
from __future__ import annotations

import os
import pathlib
import tempfile
import warnings
from typing import Optional, Sequence

from .errors import ProgramFailed
from .named_arrays import NamedArrays
from .program import run_program
from .tensors import Tensors, read

WRONG_USAGE = 2


def open_session(path: "str | os.PathLike[str]", sentence: Optional[int] = None) -> NamedArrays:
    """The arrays of a session, a problem (`.safetensors`, `.npz`), ready attention, or a figure with a session in it
    (PNG, SVG, PDF, WebP, HTML); an example's name will do, too.

    The arrays are the problem's, `X` `[n, d_model]`, `W_Q` `[heads, d_model, d_k]`, … and those of every stage, `Q`
    `[heads, n, d_k]`, …, `weights` `[heads, n, m]`, `output` `[n, d_out]`, with the user's overrides. Of a session of a
    trained model they are its attention and hidden states. `.tokens`, `.key_tokens` and `.metadata` belong to them.

    Of several sentences of a session made by hand, `sentence` is the number, from 1, of the one to read. Without it all are read: they stand in
    front in `X` `[batch, n, d_model]` and in every stage, `weights` `[batch, heads, n, m]`, padded to the longest, and
    `.tokens` has a list for each.

    Raises ProgramFailed with the program's own words if the file cannot be read, and ProgramNotFound.
    """
    source = os.fspath(path)
    with tempfile.TemporaryDirectory(prefix="attention-lab-") as folder:
        which = [] if sentence is None else ["--sentence", str(sentence)]
        problem = _problem(source, which, folder)
        is_batch = "X" in problem.arrays and problem.arrays["X"].ndim == 3
        stages = _output_of(["compute", source, *(["--sentence", "all"] if is_batch else which)], folder)
    return NamedArrays.from_tensors(Tensors({**problem.arrays, **stages.arrays},
                                            {**problem.metadata, **stages.metadata}))


def _problem(source: str, which: Sequence[str], folder: str) -> Tensors:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of what these files cannot hold, which the arrays are not
            return _output_of(["convert", source, *which], folder)
    except ProgramFailed as error:
        if error.exit_code != WRONG_USAGE:  # a model has no problem of its own, only its layers have
            raise
        return Tensors({}, {})


def _output_of(arguments: Sequence[str], folder: str) -> Tensors:
    output = os.path.join(folder, f"{arguments[0]}.safetensors")
    run_program([*arguments, "-o", output])
    return read(pathlib.Path(output).read_bytes())
