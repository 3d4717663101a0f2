// The part of the operating system that the engine asks for (WASI, preview 1): files in memory, a clock, and texts for the
// console. There is nothing to be written to.

const SUCCESS = 0, BAD_DESCRIPTOR = 8, INVALID = 28, NOT_A_FOLDER = 54, NO_ENTRY = 44, NOT_SUPPORTED = 58;
const DIRECTORY = 3, REGULAR_FILE = 4;
const ROOT = 3;  // the descriptor of the folder "/"; 0 to 2 are the standard streams

/** A folder of files in memory: their bytes by path, "/assets/languages/de.json". */
export class MemoryFiles {
  constructor() {
    /** @type {Map<string, Uint8Array>} */
    this.files = new Map();
  }

  /** Adds a file, or replaces it. */
  set(path, bytes) {
    this.files.set(path, typeof bytes === 'string' ? new TextEncoder().encode(bytes) : bytes);
  }

  /** The bytes of a file; undefined when there is none. */
  get(path) {
    return this.files.get(path);
  }

  /** Names of what is in a folder, files and folders. */
  list(folder) {
    const begin = folder === '/' ? '/' : `${folder}/`;
    const names = new Map();
    for (const path of this.files.keys()) {
      if (!path.startsWith(begin)) continue;
      const [name, ...rest] = path.slice(begin.length).split('/');
      names.set(name, rest.length > 0 ? DIRECTORY : REGULAR_FILE);
    }
    return names;
  }

  /** What is at a path: {type, bytes}; undefined when nothing is. */
  find(path) {
    const bytes = this.files.get(path);
    if (bytes) return {type: REGULAR_FILE, bytes};
    return path === '/' || this.list(path).size > 0 ? {type: DIRECTORY, bytes: new Uint8Array()} : undefined;
  }
}

/** `path` from the root, without "." and "..": "/a/b". */
function absolute(path) {
  const parts = [];
  for (const part of path.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  }
  return `/${parts.join('/')}`;
}

/**
 * The functions of the import "wasi_snapshot_preview1". `memory()` is the memory of the module, `print(text)` takes a line
 * that the engine writes to its standard streams.
 */
export function wasiImports(memory, files, print) {
  const open = new Map([[ROOT, {path: '/', type: DIRECTORY, bytes: new Uint8Array(), at: 0}]]);
  let next = ROOT + 1, line = '';
  const view = () => new DataView(memory().buffer);
  const bytes = (at, size) => new Uint8Array(memory().buffer, at, size);
  const textAt = (at, size) => new TextDecoder().decode(bytes(at, size).slice());

  /** Calls `step` with each of `count` buffers at `list`, until it returns fewer bytes than there is room for. */
  const eachBuffer = (list, count, step) => {
    let total = 0;
    for (let i = 0; i < count; ++i) {
      const size = view().getUint32(list + 8 * i + 4, true);
      const done = step(bytes(view().getUint32(list + 8 * i, true), size));
      total += done;
      if (done < size) break;
    }
    return total;
  };

  const writeStat = (at, {type, bytes: content}) => {
    bytes(at, 64).fill(0);
    view().setUint8(at + 16, type);
    view().setBigUint64(at + 24, 1n, true);
    view().setBigUint64(at + 32, BigInt(content.length), true);
    return SUCCESS;
  };

  const calls = {
    args_sizes_get: (count, size) => (view().setUint32(count, 0, true), view().setUint32(size, 0, true), SUCCESS),
    args_get: () => SUCCESS,
    environ_sizes_get: (count, size) => (view().setUint32(count, 0, true), view().setUint32(size, 0, true), SUCCESS),
    environ_get: () => SUCCESS,
    clock_time_get(_clock, _precision, out) {
      view().setBigUint64(out, BigInt(Math.round(performance.now() * 1e6)), true);
      return SUCCESS;
    },
    fd_prestat_get(descriptor, out) {
      if (descriptor !== ROOT) return BAD_DESCRIPTOR;
      view().setUint32(out, 0, true);
      view().setUint32(out + 4, 1, true);
      return SUCCESS;
    },
    fd_prestat_dir_name(descriptor, out) {
      if (descriptor !== ROOT) return BAD_DESCRIPTOR;
      bytes(out, 1)[0] = '/'.charCodeAt(0);
      return SUCCESS;
    },
    fd_fdstat_get(descriptor, out) {
      bytes(out, 24).fill(0);
      view().setUint8(out, open.get(descriptor)?.type ?? 2);
      view().setBigUint64(out + 8, ~0n & 0xFFFFFFFFn, true);
      view().setBigUint64(out + 16, ~0n & 0xFFFFFFFFn, true);
      return SUCCESS;
    },
    fd_fdstat_set_flags: () => SUCCESS,
    fd_write(descriptor, list, count, written) {
      if (descriptor > 2) return NOT_SUPPORTED;
      const total = eachBuffer(list, count, (buffer) => {
        line += new TextDecoder().decode(buffer.slice());
        return buffer.length;
      });
      const lines = line.split('\n');
      line = lines.pop();
      lines.forEach(print);
      view().setUint32(written, total, true);
      return SUCCESS;
    },
    path_open(_folder, _flags, path, size, create, _rights, _inherited, _fdflags, out) {
      const name = absolute(textAt(path, size));
      const found = files.find(name);
      if (!found) return create & 1 ? NOT_SUPPORTED : NO_ENTRY;
      if ((create & 2) && found.type !== DIRECTORY) return NOT_A_FOLDER;
      open.set(next, {path: name, ...found, at: 0});
      view().setUint32(out, next++, true);
      return SUCCESS;
    },
    path_filestat_get(_folder, _flags, path, size, out) {
      const found = files.find(absolute(textAt(path, size)));
      return found ? writeStat(out, found) : NO_ENTRY;
    },
    path_readlink: () => NO_ENTRY,
    fd_filestat_get(descriptor, out) {
      const file = open.get(descriptor);
      return file ? writeStat(out, file) : BAD_DESCRIPTOR;
    },
    fd_read(descriptor, list, count, read) {
      const file = open.get(descriptor);
      if (!file) return BAD_DESCRIPTOR;
      const total = eachBuffer(list, count, (buffer) => {
        const part = file.bytes.subarray(file.at, file.at + buffer.length);
        buffer.set(part);
        file.at += part.length;
        return part.length;
      });
      view().setUint32(read, total, true);
      return SUCCESS;
    },
    fd_seek(descriptor, offset, whence, out) {
      const file = open.get(descriptor);
      if (!file) return BAD_DESCRIPTOR;
      const from = [0, file.at, file.bytes.length][whence];
      if (from === undefined || from + Number(offset) < 0) return INVALID;
      file.at = from + Number(offset);
      view().setBigUint64(out, BigInt(file.at), true);
      return SUCCESS;
    },
    fd_readdir(descriptor, out, room, cookie, used) {
      const folder = open.get(descriptor);
      if (!folder) return BAD_DESCRIPTOR;
      let at = 0, number = 0n;
      for (const [name, type] of files.list(folder.path)) {
        if (number++ < cookie) continue;
        const text = new TextEncoder().encode(name);
        const entry = new DataView(new ArrayBuffer(24 + text.length));
        entry.setBigUint64(0, number, true);
        entry.setUint32(16, text.length, true);
        entry.setUint8(20, type);
        new Uint8Array(entry.buffer).set(text, 24);
        const part = new Uint8Array(entry.buffer).subarray(0, room - at);
        bytes(out + at, part.length).set(part);
        at += part.length;
        if (at === room) break;
      }
      view().setUint32(used, at, true);
      return SUCCESS;
    },
    fd_close: (descriptor) => (open.delete(descriptor) ? SUCCESS : BAD_DESCRIPTOR),
    // Files in memory are always ready: each subscription (48 bytes) becomes an event (32 bytes) of its kind.
    poll_oneoff(subscriptions, events, count, out) {
      for (let i = 0; i < count; ++i) {
        bytes(events + 32 * i, 32).fill(0);
        bytes(events + 32 * i, 8).set(bytes(subscriptions + 48 * i, 8).slice());
        view().setUint8(events + 32 * i + 10, view().getUint8(subscriptions + 48 * i + 8));
      }
      view().setUint32(out, count, true);
      return SUCCESS;
    },
    random_get(out, size) {
      crypto.getRandomValues(bytes(out, size));
      return SUCCESS;
    },
    proc_exit(code) {
      throw new Error(`the engine ended with ${code}`);
    },
  };
  return new Proxy(calls, {get: (known, name) => known[name] ?? (() => NOT_SUPPORTED)});
}
