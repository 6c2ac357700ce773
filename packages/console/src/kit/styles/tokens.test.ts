import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';

const css = readFileSync(new URL('tokens.css', import.meta.url), 'utf8');
const [light = '', dark = ''] = css.split('@media (prefers-color-scheme: dark)');
const families = ['evals', 'swarms', 'people'];

function colour(theme: string, name: string): readonly number[] {
  const [, hex = ''] = new RegExp(`--${name}: #([0-9a-f]+);`).exec(theme) ?? [];
  const pairs = hex.length === 3 ? [...hex].map((one) => one + one) : (hex.match(/../g) ?? []);
  expect(pairs).toHaveLength(3);
  return pairs.map((pair) => Number.parseInt(pair, 16));
}

function brightness(channels: readonly number[]): number {
  const [red = 0, green = 0, blue = 0] = channels
    .map((value) => value / 255)
    .map((value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(theme: string, one: string, other: string): number {
  const [low = 0, high = 0] = [one, other]
    .map((name) => brightness(colour(theme, name)))
    .sort((first, second) => first - second);
  return (high + 0.05) / (low + 0.05);
}

describe.each([
  ['light', light],
  ['dark', dark],
])('%s', (_, theme) => {
  test.each(families)('the accent of %s is readable on both grounds', (family) => {
    expect(contrast(theme, family, 'bg')).toBeGreaterThanOrEqual(4.5);
    expect(contrast(theme, family, 'panel')).toBeGreaterThanOrEqual(4.5);
  });

  test('accents are unlike each other, and unlike passed, failed and held back', () => {
    const names = [...families, 'pass', 'fail', 'hold'];
    const close = names.flatMap((one, at) =>
      names
        .slice(at + 1)
        .filter((other) => families.includes(one) || families.includes(other))
        .map((other) => [one, other, distance(colour(theme, one), colour(theme, other))] as const)
        .filter(([, , apart]) => apart < 60),
    );
    expect(close).toEqual([]);
  });
});

function distance(one: readonly number[], other: readonly number[]): number {
  return Math.hypot(...one.map((value, at) => value - (other[at] ?? 0)));
}
