import { expect, test } from 'vitest';
import { EvalCaseDefinition } from './eval-case.ts';
import { setupFields } from './setup-and-teardown.ts';

const ask = { id: 'ask', kind: 'prompt', prompt: 'Hello?' };
const call = { id: 'call', kind: 'toolCall', serverName: 'a', toolName: 'b', arguments: {} };
const isCase = (more: object) => EvalCaseDefinition.safeParse({ title: 'One', ...more }).success;

test.each([
  [1, true],
  [600_000, true],
  [0, false],
  [600_001, false],
  [1.5, false],
])('a limit of %d ms can be stated: %s', (timeoutMs, isGood) => {
  expect(isCase({ steps: [{ ...ask, timeoutMs }] })).toBe(isGood);
  expect(isCase({ steps: [{ ...call, timeoutMs }] })).toBe(isGood);
  expect(isCase({ steps: [ask], timeoutMs })).toBe(isGood);
});

test('a call around a trial has no limit of its own', () => {
  const { before } = setupFields;
  expect(before.safeParse([call]).success).toBe(true);
  const read = before.safeParse([{ ...call, timeoutMs: 5 }]);
  expect(read.error?.issues).toMatchObject([
    {
      path: [0, 'timeoutMs'],
      message: expect.stringContaining('set beforeTimeoutMs or afterTimeoutMs'),
    },
  ]);
});
