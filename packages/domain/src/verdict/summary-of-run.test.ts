import { describe, expect, it } from 'vitest';
import { creditsOfRunUsedUp, creditsUsedUp } from '../chain/error-causes.ts';
import { stages } from '../chain/vocabulary.ts';
import { decideRun } from './decide-run.ts';
import { DecisionSummary } from './decision-summary.ts';
import { resolvePolicy } from './resolve-policy.ts';
import { knownOfRun, type ReadRun, summaryOfRun, type TrialsNotPassed } from './summary-of-run.ts';

const legacyRun: ReadRun = {
  id: 'run-1',
  projectId: 'project-1',
  source: 'sdk',
  status: 'completed',
  result: 'failed',
  verdictPolicyVersion: null,
  verdictSummary: null,
  summary: { total: 5, passed: 3 },
  iterationCount: 4,
};
const decision = decideOneCase();
const decidedRun: ReadRun = {
  ...legacyRun,
  result: 'passed',
  verdictPolicyVersion: 2,
  verdictSummary: decision,
};
const undecidedRun: ReadRun = { ...decidedRun, verdictSummary: null };
const ended = ['completed', 'failed', 'cancelled', 'timed_out'];
const notEnded = ['pending', 'running', 'paused', ''];

describe('the summary of a run', () => {
  it('of a percent threshold has its recorded result and counts', () => {
    expect(summaryOfRun(legacyRun)).toEqual({
      schemaVersion: 1,
      runId: 'run-1',
      runStatus: 'completed',
      verdict: 'failed',
      verdictSource: 'legacy',
      counts: { measurementUnit: 'trial', total: 5, passed: 3 },
      diagnostics: { items: [], complete: false, scannedIterations: 0 },
    });
  });

  it('of a decision has its verdict, its counts and the decision', () => {
    expect(summaryOfRun(decidedRun)).toEqual({
      schemaVersion: 1,
      runId: 'run-1',
      runStatus: 'completed',
      verdict: 'passed',
      verdictSource: 'policyV2',
      counts: { measurementUnit: 'caseVariant', total: 1, passed: 1, failed: 0, inconclusive: 0 },
      decision,
      plans: null,
      diagnostics: { items: [], complete: false, scannedIterations: 0 },
    });
  });

  it('without a decision states the recorded reason', () => {
    const undecided = { reason: 'verdictSummaryUnavailable', detail: 'It broke.' } as const;
    expect(summaryOfRun({ ...undecidedRun, undecided })).toMatchObject({
      verdict: 'notEstablished',
      undecided,
    });
    expect(summaryOfRun(undecidedRun)).toMatchObject({
      undecided: { reason: 'verdictSummaryUnavailable' },
    });
    expect(summaryOfRun(undecidedRun)).not.toHaveProperty('undecided.detail');
  });

  it('has every addition that the run has, and none that it lacks', () => {
    const additions = {
      samples: [{ title: 'Refund', rows: 2, of: 9, seed: 7 }],
      refusedCalls: [
        { serverName: 's', toolName: 'drop', by: 'allowWrites', calls: 3, trials: 2 } as const,
      ],
      leftOut: { cases: { total: 1, titles: ['Off'] } },
      plans: { planned: 1, falseFailOfRun: 0.05, cases: [] },
      nothingCalled: true as const,
      decidedBy: { passThreshold: 0.5 },
      replay: {
        runId: 'run-0',
        model: 'recorded',
        servers: 'live',
        onDivergence: 'stop',
        trials: 1,
        diverged: 0,
        notRecorded: 0,
        mostFrequent: null,
      } as const,
    };
    const summary = summaryOfRun({ ...decidedRun, ...additions });
    expect(summary).toStrictEqual({ ...summaryOfRun(decidedRun), ...additions });
    expect(DecisionSummary.safeParse(summary).error).toBeUndefined();
  });
});

describe('the limit of credits that stopped a run', () => {
  const stopped: ReadRun = { ...legacyRun, status: 'cancelled', stopReason: 'credits' };
  const own = notPassed(trial({ error: creditsOfRunUsedUp }));
  const ofDay = notPassed(trial({ error: 'Boom' }), trial({ error: creditsUsedUp }));
  it.each<[string, Partial<ReadRun>, TrialsNotPassed | undefined, object]>([
    ['is the own one', { maxCredits: 5 }, own, { stopReason: 'credits', maxCredits: 5 }],
    ['is the own one, even zero', { maxCredits: 0 }, own, { stopReason: 'credits', maxCredits: 0 }],
    [
      'is the own one as long as no trial names the day',
      { maxCredits: 5 },
      undefined,
      { stopReason: 'credits', maxCredits: 5 },
    ],
    [
      'is that of the day if one trial names it',
      { maxCredits: 5 },
      ofDay,
      { stopReason: 'credits' },
    ],
    ['is that of the day without an own one', {}, ofDay, { stopReason: 'credits' }],
    ['is not known without an own one', {}, own, { stopReason: 'credits' }],
    ['is none if nothing stopped the run', { stopReason: undefined, maxCredits: 5 }, own, {}],
  ])('%s', (_title, change, trials, limit) => {
    const { stopReason, maxCredits } = summaryOfRun({ ...stopped, ...change }, trials);
    const named = {
      ...(stopReason !== undefined && { stopReason }),
      ...(maxCredits !== undefined && { maxCredits }),
    };
    expect(named).toEqual(limit);
  });
});

describe('the diagnostics of a summary', () => {
  it('list the trials under their own ids', () => {
    const trials = notPassed(trial({ id: 'b', iterationNumber: 2 }), trial({ id: 'a' }));
    const { items } = summaryOfRun(legacyRun, trials).diagnostics;
    expect(items.map((one) => [one.iterationId, one.iterationNumber, one.evidence])).toEqual([
      ['b', 2, expect.objectContaining({ runId: 'run-1', iterationId: 'b' })],
      ['a', 1, expect.objectContaining({ runId: 'run-1', iterationId: 'a' })],
    ]);
    expect(items[0]?.evidence.tracePath).toBe(
      '/projects/project-1/eval-runs/run-1/iterations/b/trace',
    );
    expect(items[0]).not.toHaveProperty('id');
    expect(DecisionSummary.safeParse(summaryOfRun(legacyRun, trials)).success).toBe(true);
  });

  it.each<[string, object, object]>([
    ['absent without any', {}, { status: 'absent' }],
    [
      'verified if they are valid',
      failedAtCall(),
      { status: 'verified', firstFailedStage: 'call' },
    ],
    ['unverified by the flag', { stageResultsUnverified: true }, { status: 'unverified' }],
    [
      'unverified by the flag, even beside valid ones',
      { ...failedAtCall(), stageResultsUnverified: true },
      { status: 'unverified' },
    ],
  ])('have stages that are %s', (_title, stored, chain) => {
    const { items } = summaryOfRun(legacyRun, notPassed(trial(stored))).diagnostics;
    expect(items[0]?.chain).toMatchObject(chain);
    expect(JSON.stringify(items)).not.toContain('stageResultsUnverified');
  });

  it.each([
    ...ended.map((status) => [status, true, true] as const),
    ...ended.map((status) => [status, false, false] as const),
    ...notEnded.map((status) => [status, true, false] as const),
    ...notEnded.map((status) => [status, false, false] as const),
  ])(
    'of a run in status “%s” with the whole list (%s) are complete: %s',
    (status, isAll, complete) => {
      const summary = summaryOfRun({ ...legacyRun, status }, { items: [], isAll });
      expect(summary.diagnostics.complete).toBe(complete);
      expect(summary.diagnostics).not.toHaveProperty('nextCursor');
    },
  );

  it.each<[string, Partial<ReadRun>, number, number]>([
    ['all counted trials of an ended run', {}, 0, 5],
    ['no trial of an ended run of none', { summary: { total: 0 } }, 0, 0],
    ['the recorded trials of an ended run without counts', { summary: null }, 0, 4],
    ['the recorded trials if the total is no number', { summary: { total: '9' } }, 0, 4],
    ['the recorded trials if the counts have no total', { summary: { passed: 3 } }, 0, 4],
    ['the recorded trials of a run that continues', { status: 'running' }, 0, 4],
    ['the listed trials, if they are more than were counted', {}, 6, 6],
    ['the listed trials of a run that continues', { status: 'running' }, 5, 5],
    ['the listed trials once, if they are as many as were counted', {}, 5, 5],
  ])('examined %s', (_title, change, listed, scanned) => {
    const items = Array.from({ length: listed }, () => trial());
    const { diagnostics } = summaryOfRun({ ...legacyRun, ...change }, { items, isAll: true });
    expect(diagnostics.scannedIterations).toBe(scanned);
    expect(diagnostics.items).toHaveLength(listed);
  });

  it('examined nothing if no trials were read', () => {
    expect(summaryOfRun(legacyRun).diagnostics.scannedIterations).toBe(0);
  });
});

describe('the facts known of a run', () => {
  const bare = {
    picked: { isAll: true, total: 2 },
    assertsNothing: undefined,
    isReported: true,
    sharesSessions: false,
    warnedTrials: undefined,
  };
  const warnedTrials = { count: 2, messages: ['Slow.'] };
  it.each<[string, Partial<ReadRun>, object]>([
    ['nothing more', {}, {}],
    [
      'no trial that did not pass',
      { summary: { total: 5, passed: 5 } },
      { picked: { isAll: true, total: 0 } },
    ],
    ['no counts', { summary: null }, { picked: { isAll: true } }],
    ['only a total', { summary: { total: 5 } }, { picked: { isAll: true } }],
    ['only passed trials', { summary: { passed: 5 } }, { picked: { isAll: true } }],
    ['a total of text', { summary: { total: '5', passed: 3 } }, { picked: { isAll: true } }],
    ['passed trials of text', { summary: { total: 5, passed: '3' } }, { picked: { isAll: true } }],
    ['cases that assert nothing', { assertsNothing: { caseVariants: 3 } }, { assertsNothing: 3 }],
    ['a launch', { source: 'api' }, { isReported: false }],
    ['a shared session', { sessions: 'run' }, { sharesSessions: true }],
    ['a session of each trial', { sessions: 'trial' }, { sharesSessions: false }],
    ['warned trials', { warnedTrials }, { warnedTrials }],
    ['expected trials after the end', { expectedIterations: 9 }, {}],
  ])('%s', (_title, change, known) => {
    const facts = knownOfRun({ ...legacyRun, ...change }, true);
    expect(facts).toStrictEqual({ ...bare, ...known });
  });

  it('include whether the list is whole', () => {
    expect(knownOfRun(legacyRun, false)).toEqual({ ...bare, picked: { isAll: false, total: 2 } });
  });

  it.each([
    [9, 5],
    [5, 1],
    [4, 0],
    [3, 0],
    [0, 0],
    [null, undefined],
    [undefined, undefined],
  ])(
    'before the end of a run of 4 trials so far and %s expected: %s to come',
    (expected, toCome) => {
      for (const status of notEnded) {
        const facts = knownOfRun({ ...legacyRun, status, expectedIterations: expected }, true);
        expect(facts).toStrictEqual({ ...bare, toCome });
      }
    },
  );

  it.each(ended)('include no trials to come of a run in status %s', (status) => {
    const facts = knownOfRun({ ...legacyRun, status, expectedIterations: 9 }, true);
    expect(facts).toStrictEqual(bare);
  });
});

type Listed = TrialsNotPassed['items'][number];

function trial(change: Partial<Listed> = {}): Listed {
  return {
    id: 'trial',
    iterationNumber: 1,
    status: 'completed',
    result: 'failed',
    expectedToolCalls: [],
    actualToolCalls: [],
    ...change,
  };
}

function notPassed(...items: Listed[]): TrialsNotPassed {
  return { items, isAll: true };
}

function failedAtCall() {
  const stageResults = stages.map((stage, index) => ({
    stage,
    state: index < 3 ? 'passed' : index === 3 ? 'failed' : 'notReached',
  }));
  return { stageResults, firstFailedStage: 'call', stageAnalyzerVersion: 2 };
}

function decideOneCase() {
  const decided = decideRun({
    policy: resolvePolicy({ minEligibleTrials: 1 }),
    cases: [
      {
        caseId: 'refund',
        configuredTrials: 1,
        effectivePassThreshold: 1,
        trials: [{ status: 'completed', taskVerdict: 'passed' }],
      },
    ],
  });
  if ('integrityError' in decided) throw new Error(decided.integrityError);
  return decided.decision;
}
