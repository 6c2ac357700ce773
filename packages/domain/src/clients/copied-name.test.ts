import fc from 'fast-check';
import { expect, test } from 'vitest';
import { copiedName } from './copied-name.ts';

test.each<[string, string[], string]>([
  ['Desk', [], 'Desk copy'],
  ['Desk', ['Desk', 'DESK COPY'], 'Desk copy 2'],
  ['Desk', ['desk copy', 'desk copy 2', 'desk copy 4'], 'Desk copy 3'],
  ['Desk copy', ['Desk', 'Desk copy'], 'Desk copy copy'],
  ['x'.repeat(200), [], `${'x'.repeat(195)} copy`],
  [`${'x'.repeat(194)}😀${'x'.repeat(4)}`, [], `${'x'.repeat(194)} copy`],
])('a copy of %j beside %j is called %j', (name, taken, copy) => {
  expect(copiedName(name, taken)).toBe(copy);
});

test('a copy has a name of its own that is still a name', () => {
  const name = fc.string({ unit: 'binary', minLength: 1, maxLength: 200 });
  fc.assert(
    fc.property(name, fc.integer({ min: 0, max: 12 }), (source, copies) => {
      const taken = [source];
      for (let at = 0; at <= copies; at += 1) {
        const copy = copiedName(source, taken);
        expect(copy.length).toBeLessThanOrEqual(200);
        expect(copy).toBe(copy.toWellFormed());
        expect(taken).not.toContain(copy);
        taken.push(copy);
      }
    }),
  );
});
