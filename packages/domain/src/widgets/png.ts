/** Files of other formats are not shown as pictures, regardless of their declared type. */
export interface PngSize {
  readonly width: number;
  readonly height: number;
}

/** A browser needs hundreds of megabytes to show a larger picture. */
const mostPixels = 32_000_000;

/** Returns undefined if the bytes are no PNG or the picture is too large to show. */
export function pngSize(bytes: Uint8Array): PngSize | undefined {
  if (bytes.length < 45 || beginning.some((byte, index) => bytes[index] !== byte)) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const [width, height] = [view.getUint32(16), view.getUint32(20)];
  return width > 0 && height > 0 && width * height <= mostPixels ? { width, height } : undefined;
}

/** The signature, then the header chunk, which is 13 bytes long and named IHDR. */
const beginning = [137, 80, 78, 71, 13, 10, 26, 10, 0, 0, 0, 13, 73, 72, 68, 82];
