// Addresses: what is open as a link and as a QR code, and what a link opens.

import {byId} from '../../figure/html/page/elements.js';
import {say} from '../../figure/html/page/words.js';
import {openSession, sessionBytes} from './files.js';
import {openModel} from './models.js';
import {apply, tell} from './store.js';

const LONGEST_LINK = 60000;   // characters, beyond which browsers and mail programs cut
const LONGEST_CODE = 2900;    // … and beyond which no QR code holds them
const LARGEST_SESSION = 32e6;  // bytes that a link may unfold to

/** Bytes through a stream that changes them; fails beyond `most` bytes. */
async function through(bytes, stream, most = Infinity) {
  const reader = new Blob([bytes]).stream().pipeThrough(stream).getReader();
  const parts = [];
  let size = 0;
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    parts.push(part.value);
    size += part.value.length;
    if (size > most) throw new Error(say('The link holds more than a session can be.'));
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}

/** Base64 with the letters that addresses may hold. */
function toAddress(bytes) {
  let text = '';
  for (let i = 0; i < bytes.length; i += 4096) text += String.fromCharCode(...bytes.subarray(i, i + 4096));
  return btoa(text).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

function fromAddress(text) {
  const letters = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  return Uint8Array.from(letters, (letter) => letter.charCodeAt(0));
}

/** The address of what is open. */
async function linkOf() {
  const bytes = await through(sessionBytes(false), new CompressionStream('deflate-raw'));
  return `${location.href.replace(/#.*/, '')}#session=${toAddress(bytes)}`;
}

/** What the address asks for: {session, example, model, text, lesson, language}, none of them or some. */
export function askedFor(hash = location.hash) {
  return Object.fromEntries(new URLSearchParams(hash.replace(/^#/, '').replaceAll('+', '%2B')));
}

/** Opens what the address asks for; whether that was anything. `examples` are files by their names. */
export async function openAddress(asked, examples) {
  if (asked.session !== undefined) {
    try {
      return await openSession(await through(fromAddress(asked.session), new DecompressionStream('deflate-raw'), LARGEST_SESSION));
    } catch {
      tell(say('The session in this link is damaged: the link may have been cut.'));
      return false;
    }
  }
  if (asked.model !== undefined) return openModel(asked.model, asked.text);
  if (asked.example !== undefined) {
    const example = examples.find(({name}) => name === asked.example);
    if (!example) tell(say('There is no example “{}”.', asked.example));
    else await openSession(example.bytes, example.title);
    if (!example) return false;
  }
  if (asked.text !== undefined) {
    if (asked.example === undefined) await openSession(examples[0].bytes, examples[0].title);
    return apply({do: 'set_sentence', text: asked.text});
  }
  return asked.example !== undefined;
}

/** Draws the QR code of a text into a canvas. */
function drawCode(canvas, text) {
  // @ts-ignore: of the package qrcode-generator
  const code = qrcode(0, 'L');
  code.addData(text, 'Byte');
  code.make();
  const count = code.getModuleCount(), side = Math.max(3, Math.floor(320 / (count + 8)));
  canvas.width = canvas.height = side * (count + 8);
  const context = canvas.getContext('2d');
  context.fillStyle = '#fff';
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.fillStyle = '#000';
  for (let row = 0; row < count; ++row) {
    for (let col = 0; col < count; ++col) if (code.isDark(row, col)) context.fillRect((col + 4) * side, (row + 4) * side, side, side);
  }
}

/** Shows the link of what is open, and its code. */
export async function openLink() {
  const link = await linkOf();
  const isShort = link.length <= LONGEST_CODE;
  byId('link-text').value = link;
  byId('link-code').hidden = !isShort;
  if (isShort) drawCode(byId('link-code'), link);
  const notes = [];
  if (location.protocol === 'file:') notes.push(say('This page is a file on this computer: others need the file, too.'));
  if (!isShort) notes.push(say('The session is too large for a QR code.'));
  if (link.length > LONGEST_LINK) notes.push(say('Some programs cut links as long as this: send the saved session instead.'));
  byId('link-note').textContent = notes.join(' ');
  byId('link-copied').textContent = '';
  const dialog = byId('link');
  if (!dialog.open) dialog.showModal();
}

byId('link-copy').addEventListener('click', async () => {
  const input = byId('link-text');
  try {
    await navigator.clipboard.writeText(input.value);
  } catch {
    input.select();
    document.execCommand('copy');
  }
  byId('link-copied').textContent = say('Copied');
});

