/** A picture as an answer. It is only ever sent as a PNG, to be looked at and not to be run. */
export class PngAnswer {
  readonly png: Uint8Array<ArrayBuffer>;

  constructor(png: Uint8Array) {
    this.png = new Uint8Array(png);
  }

  /** What a path shows never changes, and whoever was shown it once may keep it for a while, alone. */
  readonly headers = {
    'content-disposition': 'inline; filename="widget.png"',
    'cache-control': 'private, max-age=3600, immutable',
  };
}
