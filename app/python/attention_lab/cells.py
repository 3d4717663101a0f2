"""The notebook that Python runs in: its cells, and which of their outputs holds the page that the others share."""
from __future__ import annotations

import sys
from typing import Any, Dict, Optional, Tuple


def notebook() -> Any:
    """The shell of IPython if it runs in a notebook's kernel, or None."""
    module = sys.modules.get("IPython")
    shell = module.get_ipython() if module is not None and hasattr(module, "get_ipython") else None
    return shell if getattr(shell, "kernel", None) is not None else None


def cell() -> Tuple[Any, int]:
    """What tells the cell that is executed from others, its id or else its text, and the number of this execution."""
    shell = notebook()
    try:
        request = shell.get_parent()
        which = request["metadata"].get("cellId") or request["content"]["code"]
    except (AttributeError, KeyError, TypeError):
        which = None
    return which, int(getattr(shell, "execution_count", 0))


class SharedPage:
    """Which output of the notebook carries a page that the outputs of other cells use, too, so that a notebook with
    several has it once.

    The first output carries it, and does so when its cell is executed again. So does that of another cell which is
    executed twice while the carrier is not: that puts a page right whose carrier was deleted.
    """

    def __init__(self) -> None:
        self._carrier: Dict[str, Tuple[Any, int]] = {}  # by digest
        self._seen: Dict[Any, Tuple[int, int]] = {}  # by cell: its last execution, and the one before or 0

    def must_carry(self, digest: str) -> bool:
        """Whether the output that is made now has to carry the page with that digest."""
        which, execution = cell()
        last, before = self._seen.get(which, (execution, 0))
        if last != execution:
            before = last
        self._seen[which] = execution, before
        carrier, carried = self._carrier.get(digest, (which, -1))
        if (carrier, carried) == (which, execution):  # the same output has it
            return False
        if carrier != which and carried > before and not outputs_are_apart():
            return False
        self._carrier[digest] = which, execution
        return True


def outputs_are_apart() -> bool:
    """Whether the output of one cell cannot reach those of others, as in Colab, where each is a frame of its own."""
    return "google.colab" in sys.modules


shared = SharedPage()


def display(data: Dict[str, str], name: str, again: bool = False) -> None:
    """Shows something, by type, below the cell that is executed; or `again` in place of what was shown by that name."""
    from IPython.display import display as show_now, update_display
    (update_display if again else show_now)(data, raw=True, display_id=name)


def display_object(value: Optional[Any]) -> None:
    """Shows an object, such as a widget, below the cell that is executed."""
    from IPython.display import display as show_now
    if value is not None:
        show_now(value)
