import { expect, test } from 'vitest';
import { resultProblemOf } from './schema-problems.ts';

const properties = { count: { type: 'integer' }, tokensUsed: { type: 'integer' } };
const tool = {
  name: 'stock',
  outputSchema: { type: 'object', properties, required: ['count', 'tokensUsed'] },
};
const problemOf = (structuredContent: object) =>
  resultProblemOf('stock', tool, { result: { structuredContent }, durationMs: 0 } as never);

test('what was taken out of a recording breaks no output schema; what stands beside it may', async () => {
  expect(await problemOf({ count: 1, tokensUsed: '[redacted]' })).toBeUndefined();
  expect(await problemOf({ count: 'one', tokensUsed: '[redacted]' })).toContain('output schema');
  expect(await problemOf({ tokensUsed: '[redacted]' })).toContain('output schema');
  expect(await problemOf({ count: 1, tokensUsed: 'two' })).toContain('output schema');
});
