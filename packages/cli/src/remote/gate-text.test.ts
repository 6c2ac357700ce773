import {
  decideRun,
  gateQuarantine,
  type ReadRun,
  resolvePolicy,
  summaryOfRun,
} from '@proofmark/domain';
import { describe, expect, test } from 'vitest';
import { type GateTextOptions, type GateToRead, gateText } from './gate-text.ts';

const terminal = { ascii: true, width: 200 };
const service = { url: 'http://service' };
const gateWaiver = {
  active: true,
  expiresAt: Date.UTC(2026, 10, 18),
  createdByEmail: 'ops@example.com',
  reason: 'Rebuild',
};
const entry = {
  id: 'qrn_1',
  caseId: 'find',
  model: null,
  owner: 'Mika',
  reason: 'Races',
  expiresAt: Date.UTC(2026, 10, 20),
  source: 'api',
  state: 'inForce',
  daysLeft: 3,
  decisionCaseIds: ['find'],
  title: null,
} as const;
const expired = { ...entry, state: 'expired', daysLeft: 0 } as const;

interface Given {
  readonly verdict?: 'passed' | 'failed';
  readonly more?: object;
  readonly entries?: readonly (typeof entry | typeof expired)[];
}

function decision({ verdict = 'failed', more = {}, entries = [] }: Given): GateToRead {
  const answer = decideRun({
    policy: resolvePolicy(),
    cases: [
      {
        caseId: 'find',
        configuredTrials: 1,
        effectivePassThreshold: 1,
        trials: [{ status: 'completed', taskVerdict: verdict }],
      },
    ],
  });
  if (!('decision' in answer)) throw new Error(answer.integrityError);
  const run = {
    id: 'run_1',
    projectId: 'prj_1',
    source: 'api',
    status: 'completed',
    result: verdict,
    verdictPolicyVersion: 2,
    verdictSummary: answer.decision,
    summary: { total: 1, passed: verdict === 'passed' ? 1 : 0 },
    iterationCount: 1,
    gateWaiver: null,
    ...more,
  };
  const summary = summaryOfRun(run as unknown as ReadRun, { items: [], isAll: true });
  const cases = summary.verdictSource === 'policyV2' ? summary.decision.cases : undefined;
  const quarantine = gateQuarantine({ cases, entries }) as unknown as GateToRead['quarantine'];
  return { run: run as unknown as GateToRead['run'], summary, quarantine };
}

const waived = { gateWaiver };
const replay = {
  runId: 'run_0',
  model: 'recorded',
  servers: 'recorded',
  onDivergence: 'stop',
  trials: 1,
  diverged: 1,
  notRecorded: 0,
  mostFrequent: null,
};
const cancelled = { status: 'cancelled', verdictSummary: null, verdictPolicyVersion: null };
const failedBound = {
  word: 'FAILED',
  bounds: {
    outcome: 'failed',
    gates: [{ gate: 'minimumPassRate', outcome: 'failed', reason: 'Few.' }],
  },
  unseenDrop: null,
} as const;

describe('the first line of a gate', () => {
  test.each<readonly [string, Given, RegExp]>([
    ['passed', { verdict: 'passed' }, /^PASSED: the only case variant/],
    ['failed', {}, /^FAILED: 1 of 1 case variant/],
    ['waived', { more: waived }, /^WAIVED until .* by ops@example\.com\.\nFAILED: 1 of 1/],
    ['in quarantine', { entries: [entry] }, /^QUARANTINED: 1 of 1 case failed, and it is in quar/],
    ['both', { more: waived, entries: [entry] }, /^QUARANTINED: .*\nA waiver is also in force/],
    ['stale', { verdict: 'passed', entries: [expired] }, /^FAILED: 1 entry is stale .*\n.*Delete/],
    ['stale and failed', { entries: [expired] }, /^FAILED\.\n.*ended on .*\nFAILED: 1 of 1/],
    ['stale and waived', { more: waived, entries: [expired] }, /^WAIVED until .*\n.*ended on /],
    ['a replay that diverged', { more: { replay } }, /^INCONCLUSIVE: the run has no result/],
    ['cancelled', { more: cancelled }, /^INCONCLUSIVE: .*\nNOT ESTABLISHED/],
    ['without a call', { verdict: 'passed', more: { nothingCalled: true } }, /^PASSED\.\nNOTHING/],
  ])('of a run that is %s', (_, given, expected) => {
    const text = (options: GateTextOptions) => gateText(service, decision(given), options);
    const gate = text({ ...terminal, brief: true });
    expect(gate).toMatch(expected);
    const watched = text({ ...terminal, listsPassed: true });
    expect(watched.split('\n').slice(0, 3)).toEqual(gate.split('\n').slice(0, 3));
  });

  test('of bounds that failed lets nothing through by its quarantine', () => {
    const text = gateText(service, decision({ entries: [entry] }), {
      ...terminal,
      stated: failedBound,
    });
    expect(text).toMatch(/^FAILED\.\n {2}"find" failed and is in quarantine/);
    expect(text).not.toContain('lets it through');
  });
});
