import { expect, test } from 'vitest';
import { pngSize } from './png.ts';

const signature = [137, 80, 78, 71, 13, 10, 26, 10];
const head = [0, 0, 0, 13, 73, 72, 68, 82];

/** Builds the shortest PNG: signature, header, an empty data chunk, end. */
function png(width: number, height: number, length = 45): Uint8Array {
  const bytes = new Uint8Array(length);
  bytes.set([...signature, ...head].slice(0, length));
  const view = new DataView(bytes.buffer);
  if (length >= 20) view.setUint32(16, width);
  if (length >= 24) view.setUint32(20, height);
  return bytes;
}

test.each([
  [1, 1],
  [640, 480],
  [480, 640],
  [65_536, 1],
  [1, 65_536],
  // The largest allowed size.
  [32_000_000, 1],
  [8000, 4000],
])('%i by %i is shown', (width, height) => {
  expect(pngSize(png(width, height))).toEqual({ width, height });
  expect(pngSize(png(width, height, 4000))).toEqual({ width, height });
});

test.each([
  [0, 1],
  [1, 0],
  [0, 0],
  [32_000_001, 1],
  [1, 32_000_001],
  [8001, 4000],
  [4_294_967_295, 4_294_967_295],
])('%i by %i is not', (width, height) => {
  expect(pngSize(png(width, height))).toBeUndefined();
});

test('a size is read from where the bytes begin, also within larger ones', () => {
  const around = new Uint8Array(145);
  around.set(png(7, 9), 100);
  expect(pngSize(around.subarray(100))).toEqual({ width: 7, height: 9 });
  expect(pngSize(around)).toBeUndefined();
});

test.each([0, 8, 16, 24, 44])('%i bytes are too few', (length) => {
  expect(pngSize(png(7, 9, length))).toBeUndefined();
});

test.each([...signature, ...head].map((_, at) => at))(
  'one whose byte %i is another is none',
  (at) => {
    const bytes = png(7, 9);
    bytes[at] = (bytes[at] as number) ^ 1;
    expect(pngSize(bytes)).toBeUndefined();
  },
);
