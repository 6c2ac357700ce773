import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const folder = new URL('../../', import.meta.url);
const sheets = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.css'))
  .map((file) => ({ file, text: readFileSync(new URL(file, folder), 'utf8') }));

/** Returns the pixels that the properties of a style sheet state, with the place of each. */
function pixels(property: RegExp): { readonly place: string; readonly value: number }[] {
  return sheets.flatMap(({ file, text }) =>
    [...text.matchAll(/^\s*([\w-]+): ([^;{}]+);/gm)]
      .filter(([, name = '']) => property.test(name))
      .flatMap(([line, , value = '']) =>
        [...value.replace(/\/ *[\d.]+px/g, '').matchAll(/(?<![\w.-])([\d.]+)px/g)].map(
          ([, size]) => ({ place: `${file}: ${line.trim()}`, value: Number(size) }),
        ),
      ),
  );
}

const places = (found: readonly { readonly place: string }[]) => found.map(({ place }) => place);

test('gaps are on a grid of 4 pixels, or hairlines of 1 or 2', () => {
  const gaps = pixels(/^(margin|padding|gap|row-gap|column-gap)/);
  expect(gaps.length).toBeGreaterThan(300);
  const odd = gaps.filter(({ value }) => value > 2 && value % 4 !== 0);
  // With their borders, buttons and fields are 36 pixels high.
  const controls = ['padding: 7px 12px;', 'padding: 6px 12px;'];
  expect(places(odd).filter((place) => !controls.some((one) => place.endsWith(one)))).toEqual([]);
});

test('text has few sizes', () => {
  const sizes = pixels(/^font(-size)?$/);
  const unusual = sizes.filter(
    ({ value }) => ![12, 13, 14, 15, 16, 17, 19, 20, 26].includes(value),
  );
  expect(places(unusual)).toEqual([]);
});

test('corners have few radii', () => {
  const radii = pixels(/^border-radius$/);
  expect(places(radii.filter(({ value }) => ![2, 4, 8, 12].includes(value)))).toEqual([]);
});
