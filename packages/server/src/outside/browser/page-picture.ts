import { inflateSync } from 'node:zlib';
import type { Frame, Page } from 'playwright-core';
import { overNavigations } from './page-failure.ts';
import type { Picture } from './widget-renderer.ts';

const mostBytes = 500_000;
const passwords = 'input[type=password], input[autocomplete*=password]';
const coverColor = '#808080';

interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export async function takePicture(page: Page, widget: Frame, timeoutMs: number): Promise<Picture> {
  const png = await withCovers(page, await passwordBoxes(widget), () =>
    page.screenshot({
      type: 'png',
      scale: 'css',
      timeout: timeoutMs,
      mask: [widget.locator(passwords)],
      maskColor: coverColor,
    }),
  );
  let picture = pictureOf(png);
  for (let scale = 0.5; picture.png.byteLength > mostBytes && scale >= 0.125; scale /= 2) {
    picture = pictureOf(await scaled(page, png, scale));
  }
  return picture;
}

function passwordBoxes(widget: Frame): Promise<Box[]> {
  return overNavigations(() =>
    widget.locator(passwords).evaluateAll((fields: { getBoundingClientRect(): Box }[]) =>
      fields.map((field) => {
        const { x, y, width, height } = field.getBoundingClientRect();
        return { x, y, width, height };
      }),
    ),
  );
}

/**
 * Hides password fields while a screenshot is taken. Playwright draws its masks in the widget's
 * frame, where a busy machine may paint them too late. The same areas are therefore also covered in
 * the outer page, whose paint a screenshot waits for.
 */
async function withCovers<Result>(
  page: Page,
  boxes: readonly Box[],
  take: () => Promise<Result>,
): Promise<Result> {
  if (boxes.length === 0) return take();
  await page.evaluate(`for (const { x, y, width, height } of ${JSON.stringify(boxes)}) {
    const cover = document.createElement('div');
    cover.className = 'cover';
    cover.style.cssText = 'position:fixed;background:${coverColor};left:' + x + 'px;top:' + y
      + 'px;width:' + width + 'px;height:' + height + 'px';
    document.body.append(cover);
  }`);
  try {
    return await take();
  } finally {
    await page
      .evaluate(`for (const cover of document.querySelectorAll('.cover')) cover.remove();`)
      .catch(() => undefined);
  }
}

/** Scales a picture in the outer page, around the widget, because that page runs only our code. */
async function scaled(page: Page, png: Buffer, scale: number): Promise<Buffer> {
  const text = (await page.evaluate(`(async () => {
    const bytes = await (await fetch('data:image/png;base64,${png.toString('base64')}')).blob();
    const image = await createImageBitmap(bytes);
    const canvas = document.createElement('canvas');
    canvas.width = Math.max(1, Math.round(image.width * ${scale}));
    canvas.height = Math.max(1, Math.round(image.height * ${scale}));
    const context = canvas.getContext('2d');
    context.imageSmoothingQuality = 'high';
    context.drawImage(image, 0, 0, canvas.width, canvas.height);
    return canvas.toDataURL('image/png').slice('data:image/png;base64,'.length);
  })()`)) as string;
  return Buffer.from(text, 'base64');
}

function pictureOf(png: Buffer): Picture {
  return { png: new Uint8Array(png), width: png.readUInt32BE(16), height: png.readUInt32BE(20) };
}

/**
 * Returns whether a PNG as browsers write it has only one colour. Stops at the first pixel that
 * differs.
 */
export function isBlank({ png, width, height }: Picture): boolean {
  const bytes = Buffer.from(png.buffer, png.byteOffset, png.byteLength);
  const size = bytes[25] === 6 ? 4 : 3;
  const rows = inflateSync(packedPixels(bytes));
  const rowBytes = width * size;
  let above = new Uint8Array(rowBytes);
  for (let y = 0; y < height; y += 1) {
    const start = y * (rowBytes + 1);
    const row = unfiltered(
      rows.subarray(start + 1, start + 1 + rowBytes),
      rows[start] ?? 0,
      above,
      size,
    );
    for (let at = 0; at < rowBytes; at += 1) {
      // Each pixel must equal the one to its left; the first of a row must equal the one above it.
      const before = at < size ? (y === 0 ? row[at] : above[at]) : row[at - size];
      if (row[at] !== before) return false;
    }
    above = row;
  }
  return true;
}

function packedPixels(png: Buffer): Buffer {
  const parts: Buffer[] = [];
  for (let at = 8; at + 8 <= png.length; ) {
    const length = png.readUInt32BE(at);
    if (png.toString('latin1', at + 4, at + 8) === 'IDAT') {
      parts.push(png.subarray(at + 8, at + 8 + length));
    }
    at += 12 + length;
  }
  return Buffer.concat(parts);
}

function unfiltered(
  row: Uint8Array,
  filter: number,
  above: Uint8Array,
  size: number,
): Uint8Array<ArrayBuffer> {
  const plain = new Uint8Array(row.length);
  for (let at = 0; at < row.length; at += 1) {
    const left = at < size ? 0 : (plain[at - size] ?? 0);
    const up = above[at] ?? 0;
    const corner = at < size ? 0 : (above[at - size] ?? 0);
    plain[at] = (row[at] ?? 0) + predicted(filter, left, up, corner);
  }
  return plain;
}

function predicted(filter: number, left: number, up: number, corner: number): number {
  if (filter === 1) return left;
  if (filter === 2) return up;
  if (filter === 3) return (left + up) >> 1;
  if (filter !== 4) return 0;
  const [toLeft, toUp, toCorner] = [left, up, corner].map((one) =>
    Math.abs(left + up - corner - one),
  ) as [number, number, number];
  if (toLeft <= toUp && toLeft <= toCorner) return left;
  return toUp <= toCorner ? up : corner;
}
