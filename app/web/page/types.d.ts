// What the compiler's own lists of the browser lack, or know only of some elements.
declare class CompressionStream {
  constructor(format: 'gzip' | 'deflate-raw');
  readonly readable: ReadableStream<Uint8Array>;
  readonly writable: WritableStream<Uint8Array>;
}
declare class DecompressionStream extends CompressionStream {}
declare function qrcode(version: number, level: string): any;
interface EventTarget { value?: any; detail?: any }
interface Event { detail?: any }
interface Element {
  readonly dataset: DOMStringMap;
  hidden: any;
  tabIndex: number;
  type?: any;
  disabled?: any;
  inert?: boolean;
  focus(options?: FocusOptions): void;
  blur(): void;
  click(): void;
  close?(): void;
}
