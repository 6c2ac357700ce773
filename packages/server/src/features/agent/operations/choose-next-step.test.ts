import { expect, test } from 'vitest';
import { shownResult } from './choose-next-step.ts';

test('a model is shown at most 24,000 characters of a result', () => {
  expect(shownResult({ result: { a: 1 } })).toBe('{"a":1}');
  expect(shownResult({ result: 'x'.repeat(23_998) })).toHaveLength(24_000);
  const cut = shownResult({ result: 'x'.repeat(23_999) });
  expect(cut).toHaveLength(24_000);
  expect(cut.endsWith(' … (cut off)')).toBe(true);
  const halved = shownResult({ result: `${'x'.repeat(23_986)}😀${'x'.repeat(99)}` });
  expect(halved.isWellFormed()).toBe(true);
  expect(shownResult({ error: 'x'.repeat(30_000) })).toHaveLength(24_000);
});
