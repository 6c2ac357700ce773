import { expect, test } from 'vitest';
import { gateOfBounds, gateOfVerdict } from './open-gate.ts';

test.each([
  ['completed', 'passed', false, 'open'],
  ['completed', 'failed', false, 'closed'],
  ['completed', 'failed', true, 'open'],
  ['completed', 'inconclusive', true, 'undecided'],
  ['completed', 'notEstablished', true, 'undecided'],
  ['cancelled', 'passed', false, 'undecided'],
  ['cancelled', 'failed', true, 'undecided'],
  ['timed_out', 'failed', true, 'undecided'],
] as const)('a %s run that %s (waived: %s) has its gate %s', (status, verdict, waived, state) => {
  expect(gateOfVerdict(status, verdict, waived)).toBe(state);
});

test.each([
  ['passed', false, 'open'],
  ['failed', false, 'closed'],
  ['failed', true, 'open'],
  ['incomplete', true, 'undecided'],
] as const)('bounds that are %s (waived: %s) leave the gate %s', (outcome, waived, state) => {
  expect(gateOfBounds(outcome, waived)).toBe(state);
});
