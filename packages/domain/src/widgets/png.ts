/** What a PNG says of itself in its first bytes. Nothing else is shown as a picture, whatever it claims to be. */
export interface PngSize {
  readonly width: number;
  readonly height: number;
}

/** More would take a browser hundreds of megabytes to show. */
const mostPixels = 32_000_000;

/** undefined: it is no PNG, or one too large to be shown. */
export function pngSize(bytes: Uint8Array): PngSize | undefined {
  if (bytes.length < 45 || beginning.some((byte, index) => bytes[index] !== byte)) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const [width, height] = [view.getUint32(16), view.getUint32(20)];
  return width > 0 && height > 0 && width * height <= mostPixels ? { width, height } : undefined;
}

/** The signature, then the head, which is 13 bytes long and called IHDR. */
const beginning = [137, 80, 78, 71, 13, 10, 26, 10, 0, 0, 0, 13, 73, 72, 68, 82];
