import { expect, test } from 'vitest';
import type { Decision } from './decision.ts';
import { verdictsOfCases } from './verdicts-of-cases.ts';

const verdictOf = (...verdicts: string[]) =>
  verdictsOfCases({
    cases: verdicts.map((verdict) => ({ caseId: 'a', verdict })),
  } as unknown as Decision).get('a');

test.each([
  [['passed'], 'passed'],
  [['passed', 'passed'], 'passed'],
  [['passed', 'failed'], 'failed'],
  [['failed', 'inconclusive'], 'failed'],
  [['inconclusive', 'failed'], 'failed'],
  [['inconclusive', 'passed'], undefined],
  [['passed', 'inconclusive'], undefined],
])('variants that are %j: %s', (verdicts, expected) => {
  expect(verdictOf(...verdicts)).toBe(expected);
});
