import { deflateSync, inflateSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { palettePng } from './palette-png.mjs';

const red = [255, 0, 0];
const green = [0, 255, 0];
const blue = [0, 0, 255];

function chunk(name: string, data: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  return Buffer.concat([length, Buffer.from(name, 'latin1'), data, Buffer.alloc(4)]);
}

function png(width: number, rows: readonly (readonly number[])[]): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(rows.length, 4);
  header.set([8, 2, 0, 0, 0], 8);
  const data = deflateSync(Buffer.from(rows.flat()));
  return Buffer.concat([Buffer.alloc(8), chunk('IHDR', header), chunk('IDAT', data)]);
}

function coloursOf(picture: Buffer): number[][] {
  const part = (name: string) => {
    const at = picture.indexOf(name);
    return picture.subarray(at + 4, at + 4 + picture.readUInt32BE(at - 4));
  };
  const palette = part('PLTE');
  const width = picture.readUInt32BE(16);
  return [...inflateSync(part('IDAT'))]
    .filter((_, at) => at % (width + 1) !== 0)
    .map((index) => [...palette.subarray(index * 3, index * 3 + 3)]);
}

test('every way to write a row is read', () => {
  const written = [
    [0, ...red, ...green],
    // Filter 1 uses the left pixel: green is red plus the difference.
    [1, ...red, 1, 255, 0],
    [2, 0, 0, 0, 0, 0, 0],
    // Filter 3 uses the average of the left and upper pixels.
    [3, 128, 0, 0, 129, 128, 0],
    [4, 0, 0, 0, 0, 0, 0],
    [0, ...blue, ...blue],
  ];
  const row = [red, green];
  expect(coloursOf(palettePng(png(2, written)))).toEqual([
    ...[...row, ...row, ...row, ...row, ...row],
    ...[blue, blue],
  ]);
});

test('of too many colours the rare one that is unlike all others stays', () => {
  const greys = Array.from({ length: 4 }, () =>
    Array.from({ length: 256 }, (_, value) => [value, value, value]),
  ).flat();
  const near = Array.from({ length: 256 }, (_, value) => [value, value, (value + 1) % 256]);
  const all = [...greys, ...near, green];
  const shown = coloursOf(palettePng(png(all.length, [[0, ...all.flat()]])));
  expect(shown.at(-1)).toEqual(green);
  expect(new Set(shown.map(String)).size).toBe(256);
});
