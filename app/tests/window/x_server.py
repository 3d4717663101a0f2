"""What the tests ask the X server itself: a key for any character, and whether a window has read its events."""
import select
import time

from Xlib import X, display, error
from Xlib.protocol import event


def key_for(character):
    """The code of a key that types `character`, which no key of the keyboard does. xdotool gives it a key for the
    moment of the stroke alone: a window that reads the stroke later finds nothing on that key."""
    server = display.Display()
    first, last = server.display.info.min_keycode, server.display.info.max_keycode
    keys = server.get_keyboard_mapping(first, last - first + 1)
    code = max(first + index for index, meanings in enumerate(keys) if not any(meanings))
    server.change_keyboard_mapping(code, [[0x1000000 + ord(character)]])
    server.sync()  # the server drops what it has not read yet from a program that has hung up
    server.close()
    return str(code)


class Pings:
    """Asks a window for signs of life, as a window manager does (_NET_WM_PING). A window reads its events in their
    order: when it answers, it has read everything that was sent to it before."""

    def __init__(self, window):
        self.server = display.Display()
        self.window = self.server.create_resource_object("window", int(window))
        self.root = self.server.screen().root
        self.root.change_attributes(event_mask=X.SubstructureNotifyMask)  # where answers go
        self.protocols, self.ping = map(self.server.intern_atom, ("WM_PROTOCOLS", "_NET_WM_PING"))
        self.count = 0

    def answered(self, timeout):
        """Sends one, and returns whether an answer came within so many seconds; None when the window is gone."""
        self.count += 1
        message = event.ClientMessage(window=self.window, client_type=self.protocols,
                                      data=(32, [self.ping, self.count, self.window.id, 0, 0]))
        gone = error.CatchError(error.BadWindow)
        self.window.send_event(message, onerror=gone)
        self.server.sync()
        if gone.get_error():
            return None
        end = time.monotonic() + timeout
        while time.monotonic() < end:
            while self.server.pending_events():
                answer = self.server.next_event()
                if answer.type == X.ClientMessage and answer.data[1][1] == self.count:
                    return True
            select.select([self.server.fileno()], [], [], 0.05)
        return False
