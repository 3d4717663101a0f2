// Runs the code of the page without a browser: what it makes of links and of what its file brings along.
// usage: node page_code.mjs PAGE_FOLDER, requests as JSON lines on standard input, an answer each.

import {createInterface} from 'node:readline';
import {Duplex} from 'node:stream';
import {join} from 'node:path';
import {pathToFileURL} from 'node:url';
import zlib from 'node:zlib';

// Older versions of Node lack "deflate-raw", which browsers have.
const makers = {
  'gzip': [zlib.createGzip, zlib.createGunzip], 'deflate-raw': [zlib.createDeflateRaw, zlib.createInflateRaw],
};
globalThis.CompressionStream = class { constructor(format) { return Duplex.toWeb(makers[format][0]()); } };
globalThis.DecompressionStream = class { constructor(format) { return Duplex.toWeb(makers[format][1]()); } };

/** Stands for whatever the modules ask of a document when they are loaded: everything is there and does nothing. */
function anything(own = {}) {
  return new Proxy(function() {}, {
    get: (_, name) => {
      if (name in own) return own[name];
      if (name === Symbol.toPrimitive) return () => '';
      if (name === Symbol.iterator) return [][Symbol.iterator].bind([]);
      if (name === 'then') return undefined;
      return own[name] = anything();
    },
    set: (_, name, value) => { own[name] = value; return true; },
    has: () => true,
    apply: () => anything(),
    construct: () => anything(),
  });
}

const elements = {};
globalThis.document = anything({
  getElementById: (id) => elements[id] === undefined ? elements[id] = anything() : elements[id],
});
globalThis.window = globalThis;
for (const name of ['matchMedia', 'addEventListener', 'requestAnimationFrame', 'indexedDB', 'localStorage', 'Node', 'CustomEvent',
                    'ResizeObserver', 'IntersectionObserver', 'MutationObserver', 'getComputedStyle', 'parent', 'history', 'qrcode'])
  globalThis[name] = anything();
globalThis.location = {href: 'https://example.org/page.html#old', hash: '', protocol: 'https:'};

const page = process.argv[2];
const load = (name) => import(pathToFileURL(join(page, name)).href);
const {lab} = await load('store.js');
const {openAddress, askedFor, openLink} = await load('links.js');
const {takeGiven} = await load('embedded.js');
const {files} = await load('assets.js');

// The engine notes what it is asked to open, and saves it again.
let opened = null, message = '';
lab.engine = {
  request: (name) => ({heads: [], stages: [], notes: []}),
  requestAbout: (bytes) => {
    opened = Buffer.from(bytes);
    return {heads: [], stages: [], notes: []};
  },
  output: () => new Uint8Array(opened),
};
lab.state = {heads: [], stages: []};

const answers = {
  async open({link}) {
    opened = null;
    try {
      await openAddress(askedFor(link.slice(link.indexOf('#'))), []);
    } catch (problem) {
      message = problem.message;
    }
    return {session: opened?.toString('base64') ?? null, message};
  },
  async link({session}) {
    opened = Buffer.from(session, 'base64');
    await openLink();
    return {link: elements['link-text'].value};
  },
  async given({found}) {
    files.files.clear();
    for (const id of ['given-data', 'attention-lab-session']) {
      elements[id] = found[id] === undefined ? null : {textContent: found[id], remove() {}};
    }
    let given = null;
    try {
      given = await takeGiven();
    } catch (problem) {
      return {error: problem.message};
    }
    return {given, files: Object.fromEntries([...files.files].map(([path, bytes]) => [path, Buffer.from(bytes).toString('base64')]))};
  },
};

for await (const line of createInterface({input: process.stdin})) {
  const request = JSON.parse(line);
  console.log(JSON.stringify(await answers[request.do](request)));
}
process.exit(0);
