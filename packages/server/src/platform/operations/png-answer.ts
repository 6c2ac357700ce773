/** A picture as an answer. It is only sent as a PNG, which browsers display and never run. */
export class PngAnswer {
  readonly png: Uint8Array<ArrayBuffer>;

  constructor(png: Uint8Array) {
    this.png = new Uint8Array(png);
  }

  /**
   * The content of a path never changes, so the browser of a viewer may cache it for a while;
   * shared caches may not.
   */
  readonly headers = {
    'content-disposition': 'inline; filename="widget.png"',
    'cache-control': 'private, max-age=3600, immutable',
  };
}
