import { expect, test } from 'vitest';
import { coverageWords } from './coverage-words.ts';

test('what insights rest on is told by the rule of what was read', () => {
  const coverage = { analyzed: 500, total: 900, truncated: true, lowConfidence: true };
  const words = (kind: 'eval_run' | 'swarm_wave', unit: string) =>
    coverageWords({ scope: { kind }, coverage } as Parameters<typeof coverageWords>[0], unit);
  expect(words('eval_run', 'trial')).toEqual([
    '500 of 900 trials were read, failing ones first.',
    'More than half of the trials were not graded.',
  ]);
  expect(words('swarm_wave', 'session')).toEqual([
    '500 of 900 sessions were read, the newest.',
    'More than half of the sessions were not played to their end.',
  ]);
});
