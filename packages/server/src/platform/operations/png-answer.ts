/** A picture as an answer. It is only ever sent as a PNG, which browsers display and never run. */
export class PngAnswer {
  readonly png: Uint8Array<ArrayBuffer>;

  constructor(png: Uint8Array) {
    this.png = new Uint8Array(png);
  }

  /**
   * The picture at a path never changes, so a viewer's browser may cache it for a while. Shared
   * caches may not, since they would serve it to others.
   */
  readonly headers = {
    'content-disposition': 'inline; filename="widget.png"',
    'cache-control': 'private, max-age=3600, immutable',
  };
}
