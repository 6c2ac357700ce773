// Reduces the size of a page's picture: it keeps 256 colours, maps the other colours to them, and
// compresses the result as much as zlib can. Pages have few colours except at the edges of letters,
// so the difference is not visible.
import { crc32, deflateSync, inflateSync } from 'node:zlib';

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const mostColours = 256;
/**
 * The number of colours chosen by frequency. The rest are the colours most unlike them, for example
 * a green that occurs once.
 */
const frequentColours = 160;

/** @param {Buffer} png 8 bits each of red, green, blue and perhaps alpha, as browsers write it. */
export function palettePng(png) {
  const { width, height, pixels } = readPixels(png);
  const { palette, indexOf } = choosePalette(pixels);
  const rows = Buffer.alloc(height * (width + 1));
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      rows[y * (width + 1) + 1 + x] = indexOf.get(pixels[y * width + x]);
    }
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  // Bit depth 8 and colour type 3: each pixel is an index into the palette.
  header.set([8, 3, 0, 0, 0], 8);
  const colours = Buffer.from(palette.flatMap((colour) => channelsOf(colour)));
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('PLTE', colours),
    chunk('IDAT', deflateSync(rows, { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function readPixels(png) {
  const width = png.readUInt32BE(16);
  const height = png.readUInt32BE(20);
  const [depth, kind] = [png[24], png[25]];
  if (depth !== 8 || (kind !== 2 && kind !== 6)) throw new Error('This PNG is of another kind.');
  const size = kind === 2 ? 3 : 4;
  const packed = [];
  for (let at = 8; at < png.length; ) {
    const length = png.readUInt32BE(at);
    if (png.toString('latin1', at + 4, at + 8) === 'IDAT') {
      packed.push(png.subarray(at + 8, at + 8 + length));
    }
    at += length + 12;
  }
  const bytes = unfilter(inflateSync(Buffer.concat(packed)), width * size, height, size);
  const pixels = Array.from({ length: width * height }, (_, at) => {
    const from = at * size;
    return (bytes[from] << 16) | (bytes[from + 1] << 8) | bytes[from + 2];
  });
  return { width, height, pixels };
}

/** Reverses the row filters, which store each byte as a difference from its neighbours. */
function unfilter(filtered, stride, height, size) {
  const bytes = Buffer.alloc(stride * height);
  for (let y = 0; y < height; y += 1) {
    const filter = filtered[y * (stride + 1)];
    for (let x = 0; x < stride; x += 1) {
      const at = y * stride + x;
      const left = x >= size ? bytes[at - size] : 0;
      const up = y > 0 ? bytes[at - stride] : 0;
      const corner = x >= size && y > 0 ? bytes[at - stride - size] : 0;
      const expected = [0, left, up, (left + up) >> 1, nearestOf(left, up, corner)][filter];
      bytes[at] = filtered[y * (stride + 1) + 1 + x] + expected;
    }
  }
  return bytes;
}

function nearestOf(left, up, corner) {
  const guess = left + up - corner;
  const [toLeft, toUp, toCorner] = [left, up, corner].map((one) => Math.abs(guess - one));
  if (toLeft <= toUp && toLeft <= toCorner) return left;
  return toUp <= toCorner ? up : corner;
}

function choosePalette(pixels) {
  const counts = new Map();
  for (const colour of pixels) counts.set(colour, (counts.get(colour) ?? 0) + 1);
  const byCount = [...counts].sort(([one, many], [other, more]) => more - many || one - other);
  const nearest = byCount.map(([colour]) => ({ colour, index: 0, away: Number.POSITIVE_INFINITY }));
  const palette = [];
  while (palette.length < Math.min(mostColours, nearest.length)) {
    const chosen =
      palette.length < frequentColours
        ? nearest[palette.length]
        : nearest.reduce((most, one) => (one.away > most.away ? one : most));
    for (const one of nearest) {
      const away = distance(one.colour, chosen.colour);
      if (away < one.away) Object.assign(one, { away, index: palette.length });
    }
    palette.push(chosen.colour);
  }
  return { palette, indexOf: new Map(nearest.map(({ colour, index }) => [colour, index])) };
}

function distance(one, other) {
  const [channels, others] = [channelsOf(one), channelsOf(other)];
  return channels.reduce((sum, value, at) => sum + (value - others[at]) ** 2, 0);
}

function channelsOf(colour) {
  return [colour >> 16, (colour >> 8) & 255, colour & 255];
}

function chunk(name, data) {
  const named = Buffer.concat([Buffer.from(name, 'latin1'), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, sum]);
}
