import fc from 'fast-check';
import { expect, test } from 'vitest';
import { resultTypeOf } from './result-type.ts';

test('a result without a type is complete, as one that says so', () => {
  expect(resultTypeOf({ content: [] })).toBe('complete');
  expect(resultTypeOf({ resultType: 'complete' })).toBe('complete');
});

test('a task and a question are told apart', () => {
  expect(resultTypeOf({ resultType: 'task' })).toBe('task');
  expect(resultTypeOf({ resultType: 'input_required' })).toBe('input_required');
});

test('every other type is unknown, also one that is no text', () => {
  fc.assert(
    fc.property(
      fc.oneof(fc.string(), fc.integer(), fc.constant(null), fc.object()),
      (resultType) => {
        fc.pre(!['complete', 'task', 'input_required'].includes(resultType as never));
        expect(resultTypeOf({ resultType })).toBe('unknown');
      },
    ),
  );
});
