import { runsOf } from '@proofmark/harness/fixed-seed.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decideRun } from './decide-run.ts';
import { type Decision, verdicts } from './decision.ts';
import { composeDecisionSummary, DecisionSummary } from './decision-summary.ts';
import type { DiagnosticsPage } from './diagnostics.ts';
import { resolvePolicy } from './resolve-policy.ts';
import type { RunRecord } from './verdict-source.ts';

const passed = decide('passed');
const failed = decide('failed', 'passed');
const inconclusive = decide('neither', 'failed', 'passed');
const tampered = { ...failed, verdict: 'passed' };
const v2 = { verdictPolicyVersion: 2 };
const legacy = { result: 'passed', legacySummary: { total: 3, passed: 2, failed: 1 } };

describe('the verdict and its source', () => {
  it.each<[string, Omit<RunRecord, 'runId'>, string, string]>([
    ['completed v2', { status: 'completed', ...v2, verdictSummary: passed }, 'policyV2', 'passed'],
    ['failing v2', { status: 'completed', ...v2, verdictSummary: failed }, 'policyV2', 'failed'],
    [
      'v2 without validity',
      { status: 'completed', ...v2, verdictSummary: inconclusive },
      'policyV2',
      'inconclusive',
    ],
    ['cancelled v2', { status: 'cancelled', ...v2, verdictSummary: failed }, 'policyV2', 'failed'],
    ['failed v2', { status: 'failed', ...v2, verdictSummary: passed }, 'policyV2', 'passed'],
    ['timed out v2', { status: 'timed_out', ...v2, verdictSummary: passed }, 'policyV2', 'passed'],
    [
      'v2 whose result says otherwise',
      { status: 'completed', ...v2, verdictSummary: failed, result: 'passed' },
      'policyV2',
      'failed',
    ],
    ['legacy that passed', { status: 'completed', ...legacy }, 'legacy', 'passed'],
    ['legacy that failed', { status: 'completed', result: 'failed' }, 'legacy', 'failed'],
    [
      'legacy with a decision it should not have',
      { status: 'completed', result: 'failed', verdictSummary: passed },
      'legacy',
      'failed',
    ],
    [
      'legacy whose version is the text 2',
      { status: 'completed', result: 'failed', verdictPolicyVersion: '2', verdictSummary: passed },
      'legacy',
      'failed',
    ],
  ])('of a %s run', (_title, run, verdictSource, verdict) => {
    const summary = compose(run);
    expect(summary).toMatchObject({ schemaVersion: 1, runId: 'run', runStatus: run.status });
    expect(summary).toMatchObject({ verdictSource, verdict });
    expect(summary).not.toHaveProperty('undecided');
    expect('decision' in summary).toBe(verdictSource === 'policyV2');
    if (verdictSource === 'policyV2') {
      expect(summary).toMatchObject({ decision: run.verdictSummary });
    }
  });

  it.each<[string, Omit<RunRecord, 'runId'>, string]>([
    ['pending', { status: 'pending' }, 'runNotTerminal'],
    ['running', { status: 'running', ...legacy }, 'runNotTerminal'],
    [
      'running and already decided',
      { status: 'running', ...v2, verdictSummary: passed },
      'runNotTerminal',
    ],
    ['of a status nobody knows', { status: 'paused', ...legacy }, 'runNotTerminal'],
    ['cancelled legacy', { status: 'cancelled', ...legacy }, 'runStatusNotAVerdict'],
    ['timed out legacy', { status: 'timed_out', ...legacy }, 'runStatusNotAVerdict'],
    ['failed legacy', { status: 'failed', result: 'failed' }, 'runStatusNotAVerdict'],
    ['completed without a result', { status: 'completed' }, 'runResultNotAVerdict'],
    ['completed with null', { status: 'completed', result: null }, 'runResultNotAVerdict'],
    [
      'completed legacy and inconclusive',
      { status: 'completed', result: 'inconclusive' },
      'runResultNotAVerdict',
    ],
    ['v2 without a decision', { status: 'completed', ...v2 }, 'verdictSummaryUnavailable'],
    [
      'v2 with an altered decision, legacy fields or not',
      { status: 'completed', ...v2, ...legacy, verdictSummary: tampered },
      'verdictSummaryUnavailable',
    ],
    [
      'v2 with a decision that carries statistics',
      { status: 'completed', ...v2, verdictSummary: { ...passed, trialStatistics: {} } },
      'verdictSummaryUnavailable',
    ],
    ['failed v2 without a decision', { status: 'failed', ...v2 }, 'verdictSummaryUnavailable'],
  ])('is none for a run that is %s', (_title, run, reason) => {
    expect(compose(run)).toMatchObject({
      verdictSource: 'none',
      verdict: 'notEstablished',
      undecided: { reason },
    });
    const keys = ['schemaVersion', 'runId', 'runStatus', 'verdict', 'verdictSource', 'undecided'];
    expect(Object.keys(compose(run))).toEqual([...keys, 'diagnostics']);
  });

  it.each([
    ['The case a cannot be decided.', { detail: 'The case a cannot be decided.' }],
    ['', {}],
    [null, {}],
    [{ message: 'x' }, {}],
    [undefined, {}],
  ])('tells the recorded integrity error %o and makes none up', (integrityError, detail) => {
    const summary = compose({ status: 'completed', ...v2, integrityError });
    expect(summary).toMatchObject({ undecided: { reason: 'verdictSummaryUnavailable' } });
    expect((summary as { undecided: unknown }).undecided).toEqual({
      reason: 'verdictSummaryUnavailable',
      ...detail,
    });
  });

  it('keeps an integrity error to itself for any other reason', () => {
    const summary = compose({ status: 'running', ...v2, integrityError: 'Broken.' });
    expect(summary).toMatchObject({ undecided: { reason: 'runNotTerminal' } });
    expect(JSON.stringify(summary)).not.toContain('Broken.');
  });
});

describe('the counts', () => {
  it('of a decided run are the tally of the verdicts of its cases', () => {
    const outcome = fc.constantFrom('passed', 'failed', 'neither');
    fc.assert(
      fc.property(fc.array(outcome, { minLength: 1, maxLength: 12 }), (outcomes) => {
        const decision = decide(...outcomes);
        const summary = compose({ status: 'completed', ...v2, verdictSummary: decision });
        const [all, pass, fail] = [
          outcomes.length,
          outcomes.filter((name) => name === 'passed').length,
          outcomes.filter((name) => name === 'failed').length,
        ];
        expect(summary).toMatchObject({ verdict: decision.verdict });
        expect(summary).toHaveProperty('counts', {
          measurementUnit: 'caseVariant',
          total: all,
          passed: pass,
          failed: fail,
          inconclusive: all - pass - fail,
        });
      }),
    );
  });

  it.each<[string, RunRecord['legacySummary'], object | undefined]>([
    ['all three', { total: 3, passed: 2, failed: 1 }, { total: 3, passed: 2, failed: 1 }],
    ['zeros', { total: 0, passed: 0, failed: 0 }, { total: 0, passed: 0, failed: 0 }],
    ['no failed', { total: 3, passed: 2 }, { total: 3, passed: 2 }],
    ['a failed of null', { total: 3, passed: 2, failed: null }, { total: 3, passed: 2 }],
    ['one below zero', { total: 3, passed: -1 }, { total: 3 }],
    ['one that is no integer', { total: 2.5, passed: 1 }, { passed: 1 }],
    ['one that is text', { total: '3', failed: 1 }, { failed: 1 }],
    ['a pass rate', { total: 3, passRate: 0.5 } as never, { total: 3 }],
    ['only a pass rate', { passRate: 0.5 } as never, undefined],
    ['nothing', {}, undefined],
    ['null', null, undefined],
    ['no summary', undefined, undefined],
  ])('of a legacy run that recorded %s', (_title, legacySummary, counts) => {
    const summary = compose({
      status: 'completed',
      result: 'passed',
      ...(legacySummary !== undefined && { legacySummary }),
    });
    if (counts === undefined) expect(summary).not.toHaveProperty('counts');
    else expect(summary).toHaveProperty('counts', { measurementUnit: 'trial', ...counts });
  });
});

describe('the closed shape', () => {
  const decided = compose({ status: 'completed', ...v2, verdictSummary: failed });
  const old = compose({ status: 'completed', ...legacy });
  const none = compose({ status: 'running' });
  const counts = {
    measurementUnit: 'caseVariant',
    total: 2,
    passed: 1,
    failed: 1,
    inconclusive: 0,
  };
  const { diagnostics } = decided;
  const [item] = composeDecisionSummary({
    projectId: 'project',
    run: { runId: 'run', status: 'running' },
    page: { cursorGiven: false, allTrialsRecorded: true },
    trials: [
      {
        iterationId: 'trial',
        iterationNumber: 1,
        status: 'running',
        expectedToolCalls: [],
        actualToolCalls: [],
      },
    ],
  }).diagnostics.items;
  it.each<[string, unknown]>([
    ['an unknown field', { ...decided, gateWaiver: null }],
    ['an unknown field on a legacy run', { ...old, passRate: 1 }],
    ['a verdict that is not the decision’s', { ...decided, verdict: 'passed' }],
    ['counts that do not add up', { ...decided, counts: { ...counts, total: 3 } }],
    ['counts that are no tally', { ...decided, counts: { ...counts, passed: 2, failed: 0 } }],
    ['counts of trials on a decided run', { ...decided, counts: { measurementUnit: 'trial' } }],
    ['a decided run without counts', { ...decided, counts: undefined }],
    ['counts without a unit', { ...old, counts: { total: 1 } }],
    ['counts of cases on a legacy run', { ...old, counts }],
    ['a legacy run that is inconclusive', { ...old, verdict: 'inconclusive' }],
    ['a decision on a legacy run', { ...old, decision: failed }],
    ['counts on no verdict', { ...none, counts: { measurementUnit: 'trial', total: 1 } }],
    ['no verdict and no reason', { ...none, undecided: undefined }],
    [
      'a null for an absent detail',
      { ...none, undecided: { reason: 'runNotTerminal', detail: null } },
    ],
    ['complete with a cursor', withDiagnostics({ complete: true, nextCursor: 'n' })],
    ['more items than trials examined', withDiagnostics({ items: [item], scannedIterations: 0 })],
  ])('refuses %s', (_title, summary) => {
    expect(DecisionSummary.safeParse(summary).success).toBe(false);
  });

  it('accepts what it was altered from', () => {
    const listed = withDiagnostics({ items: [item], scannedIterations: 1 });
    for (const summary of [decided, old, none, listed]) {
      expect(DecisionSummary.parse(summary)).toEqual(summary);
    }
  });

  function withDiagnostics(altered: object) {
    return { ...decided, diagnostics: { ...diagnostics, ...altered } };
  }
});

describe('every summary', () => {
  const stored = fc.oneof(
    fc.constantFrom<unknown>(passed, failed, inconclusive, tampered),
    fc.anything(),
  );
  const text = fc.oneof(fc.constantFrom('', 'a', 'a b'), fc.string({ unit: 'binary' }));
  const run = fc.record(
    {
      status: fc.constantFrom(
        'pending',
        'running',
        'completed',
        'failed',
        'cancelled',
        'timed_out',
        '?',
      ),
      result: fc.constantFrom(...verdicts, null),
      verdictPolicyVersion: fc.constantFrom(2, '2', 1, null),
      verdictSummary: stored,
      integrityError: fc.oneof(text, fc.anything()),
      legacySummary: fc.record({ total: fc.anything(), passed: fc.nat() }, { requiredKeys: [] }),
    },
    { requiredKeys: ['status'] },
  );
  const call = fc.oneof(fc.anything(), fc.record({ toolName: text }), fc.record({ name: text }));
  const trial = fc.record(
    {
      iterationId: text,
      iterationNumber: fc.nat(),
      status: text,
      caseId: text,
      testCaseId: text,
      title: text,
      result: fc.constantFrom('passed', 'failed', null, 'inconclusive'),
      stageResults: fc.anything(),
      firstFailedStage: fc.anything(),
      failureCategory: fc.anything(),
      stageAnalyzerVersion: fc.oneof(fc.nat(), fc.anything()),
      expectedToolCalls: fc.array(call),
      actualToolCalls: fc.array(call),
      error: fc.oneof(text, fc.anything()),
    },
    {
      requiredKeys: [
        ...(['iterationId', 'iterationNumber', 'status'] as const),
        ...(['expectedToolCalls', 'actualToolCalls'] as const),
      ],
    },
  );
  const page = fc.record(
    { cursorGiven: fc.boolean(), nextCursor: text, allTrialsRecorded: fc.boolean() },
    { requiredKeys: ['cursorGiven', 'allTrialsRecorded'] },
  );
  const input = fc.record({
    projectId: text,
    run: run.map((fields) => ({ runId: 'run', ...fields })),
    trials: fc.array(trial, { maxLength: 5 }),
    page,
  });

  it('has the closed shape and the same bytes each time, whatever was stored', () => {
    fc.assert(
      fc.property(input, (given) => {
        const summary = composeDecisionSummary(given);
        expect(DecisionSummary.safeParse(summary).error).toBeUndefined();
        const bytes = JSON.stringify(summary);
        expect(JSON.stringify(composeDecisionSummary(given))).toBe(bytes);
        expect(JSON.stringify(DecisionSummary.parse(JSON.parse(bytes)))).toBe(bytes);
      }),
      runsOf(150),
    );
  });
});

function compose(run: Omit<RunRecord, 'runId'>): DecisionSummary {
  const page: DiagnosticsPage = { cursorGiven: false, allTrialsRecorded: true };
  return composeDecisionSummary({
    projectId: 'project',
    run: { runId: 'run', ...run },
    trials: [],
    page,
  });
}

function decide(...outcomes: string[]): Decision {
  const decided = decideRun({
    policy: resolvePolicy({ minEligibleTrials: 1, minCompletionRate: 0 }),
    cases: outcomes.map((outcome, index) => ({
      caseId: `c${index}`,
      configuredTrials: 1,
      effectivePassThreshold: 1,
      trials: [
        outcome === 'passed' || outcome === 'failed'
          ? { status: 'completed' as const, taskVerdict: outcome as 'passed' | 'failed' }
          : { status: 'setup_failed' as const },
      ],
    })),
  });
  if ('integrityError' in decided) throw new Error(decided.integrityError);
  return decided.decision;
}
