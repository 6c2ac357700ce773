import type { DecisionDiagnostic, StageReason } from '@proofmark/domain';
import { expect, test } from 'vitest';
import { chainStoppedAt } from './example-summaries.ts';
import { groupTrials } from './group-trials.ts';
import { sharedCause } from './shared-cause.ts';

function trial(number: number, changed: Partial<DecisionDiagnostic> = {}): DecisionDiagnostic {
  return {
    iterationId: `itr_${number}`,
    iterationNumber: number,
    title: `Case ${number}`,
    status: 'completed',
    result: 'failed',
    nextAction: 'Look.',
    chain: chainOf('connectFailed'),
    observed: { failure: 'Connection refused.' },
    evidence: { runId: 'run_1', iterationId: `itr_${number}`, tracePath: '/trace' } as never,
    ...changed,
  };
}

function chainOf(reason: StageReason): DecisionDiagnostic['chain'] {
  const { stageResults, ...rest } = chainStoppedAt('connection', reason as never, 'setup');
  return { status: 'verified', stages: stageResults, analyzerVersion: 2, ...rest } as never;
}

const causeOf = (trials: DecisionDiagnostic[], isAll = true) =>
  sharedCause(groupTrials(trials, false, {}), isAll);
const many = (changed: Partial<DecisionDiagnostic> = {}) =>
  [1, 2, 3, 4].map((number) => trial(number, changed));

test('a server that took trials of many cases down is named once, with how many', () => {
  const cause = causeOf([...many(), trial(9, { observed: { toolNames: ['add'] } })]);
  expect(cause?.sentence).toBe('A server that could not be connected to took 4 trials down');
  expect(cause?.group.members).toHaveLength(4);
  expect(causeOf(many(), false)?.sentence).toContain('at least 4 trials');
});

test('trials of one case count as well', () => {
  const cause = causeOf(many({ title: 'One' }));
  expect(cause?.group.isAcrossCases).toBe(false);
  expect(cause?.group.members).toHaveLength(4);
});

test.each<[string, DecisionDiagnostic[]]>([
  ['two are not many', many().slice(0, 2)],
  ['somebody stopped them', many({ status: 'cancelled' })],
  ['tools were called', many({ observed: { toolNames: ['add'] } })],
  ['a case was not met', many({ chain: chainOf('missingToolCall') })],
  ['nothing is known of them', many({ chain: { status: 'absent' } })],
])('there is none where %s', (_, trials) => {
  expect(causeOf(trials)).toBeUndefined();
});
