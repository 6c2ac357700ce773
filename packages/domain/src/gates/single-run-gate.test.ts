import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { percentile95 } from './measures.ts';
import type { GateScore, RunEvidence, TrialGateEvidence } from './run-evidence.ts';
import { gateExitCode, gateSingleRun } from './single-run-gate.ts';

const score = (more: Partial<GateScore> = {}): GateScore => ({
  scorerId: 'quality',
  role: 'gating',
  status: 'scored',
  value: 0.8,
  passThreshold: 0.7,
  ...more,
});
const trial = (more: Partial<TrialGateEvidence> = {}): TrialGateEvidence => ({
  caseKey: 'a',
  result: 'passed',
  totalTokens: 100,
  latencyMs: 50,
  scoreIntegrity: 'valid',
  scores: [score()],
  ...more,
});
function run(trials: TrialGateEvidence[], more: Partial<RunEvidence> = {}): RunEvidence {
  return {
    status: 'completed',
    allTrialsRead: true,
    scenarioConfigHash: null,
    evaluationConfigHash: null,
    trials,
    ...more,
  };
}
const { result: _result, ...unresolved } = trial();
const { totalTokens: _tokens, ...untokened } = trial();
const { latencyMs: _latency, ...untimed } = trial();
const { scoreIntegrity: _integrity, ...unchecked } = trial();
const { scores: _scores, ...unscored } = trial();
const failed = trial({ result: 'failed' });
const everyGate = {
  minimumPassRate: 0,
  maximumTotalTokens: 1000,
  maximumP95LatencyMs: 1000,
  noGatingScoreErrors: true,
  minimumScorerPassRate: { quality: 0 },
  minimumMeanScore: { quality: 0 },
};

test.each<[string, object, TrialGateEvidence[], string]>([
  ['rate at the bound', { minimumPassRate: 0.5 }, [trial(), failed], 'passed'],
  ['rate below', { minimumPassRate: 0.51 }, [trial(), failed], 'failed'],
  ['a trial without result', { minimumPassRate: 0 }, [trial(), unresolved], 'incomplete'],
  ['tokens at the bound', { maximumTotalTokens: 200 }, [trial(), trial()], 'passed'],
  ['tokens above', { maximumTotalTokens: 199 }, [trial(), trial()], 'failed'],
  ['tokens of one unknown', { maximumTotalTokens: 1 }, [trial(), untokened], 'incomplete'],
  ['latency at the bound', { maximumP95LatencyMs: 50 }, [trial()], 'passed'],
  ['latency above', { maximumP95LatencyMs: 49 }, [trial()], 'failed'],
  ['latency of one unknown', { maximumP95LatencyMs: 1 }, [trial(), untimed], 'incomplete'],
  ['no score errors', { noGatingScoreErrors: true }, [trial()], 'passed'],
  [
    'a gating score error',
    { noGatingScoreErrors: true },
    [trial(), trial({ scores: [score({ status: 'error' })] })],
    'failed',
  ],
  [
    'an advisory score error',
    { noGatingScoreErrors: true },
    [trial({ scores: [score(), score({ role: 'advisory', status: 'error' })] })],
    'passed',
  ],
  ['no gating scores', { noGatingScoreErrors: true }, [trial({ scores: [] })], 'incomplete'],
  [
    'integrity null',
    { noGatingScoreErrors: true },
    [trial({ scoreIntegrity: null })],
    'incomplete',
  ],
  ['integrity absent', { noGatingScoreErrors: true }, [trial(), unchecked], 'incomplete'],
  [
    'integrity bad',
    { noGatingScoreErrors: true },
    [trial({ scoreIntegrity: 'invalid' })],
    'incomplete',
  ],
  ['scores absent', { minimumMeanScore: { quality: 0 } }, [trial(), unscored], 'incomplete'],
  ['scorer rate at the bound', { minimumScorerPassRate: { quality: 1 } }, [trial()], 'passed'],
  [
    'scorer rate below',
    { minimumScorerPassRate: { quality: 0.51 } },
    [trial(), trial({ scores: [score({ value: 0.69 })] })],
    'failed',
  ],
  ['mean at the bound', { minimumMeanScore: { quality: 0.8 } }, [trial()], 'passed'],
  ['mean below', { minimumMeanScore: { quality: 0.81 } }, [trial()], 'failed'],
  ['unknown scorer', { minimumMeanScore: { other: 0 } }, [trial()], 'incomplete'],
  [
    'a scorer that broke once',
    { minimumMeanScore: { quality: 0 } },
    [trial(), trial({ scores: [score({ status: 'error' })] })],
    'incomplete',
  ],
  [
    'a scorer that did not apply once',
    { minimumMeanScore: { quality: 0.8 } },
    [trial(), trial({ scores: [score({ status: 'not_applicable' })] })],
    'passed',
  ],
  [
    'generated id',
    { minimumMeanScore: { 'predicate:noToolErrors#1': 0 } },
    [trial()],
    'usage_error',
  ],
  ['percent for a fraction', { minimumPassRate: 80 }, [trial()], 'usage_error'],
  ['unknown gate', { minimumPassrate: 0.8 }, [trial()], 'usage_error'],
  ['no gate', {}, [trial()], 'usage_error'],
  ['a gate switched off', { noGatingScoreErrors: false }, [trial()], 'usage_error'],
  [
    'failed before incomplete',
    { minimumPassRate: 1, maximumTotalTokens: 1 },
    [failed, { ...untokened }],
    'failed',
  ],
  [
    'usage before failed',
    { minimumPassRate: 1, minimumMeanScore: { 'predicate:x#1': 0 } },
    [failed],
    'usage_error',
  ],
])('%s', (_, policy, trials, outcome) => {
  expect(gateSingleRun(policy, run(trials)).outcome).toBe(outcome);
});

describe('a run without a verdict', () => {
  test.each([
    ['cancelled', { status: 'cancelled' }],
    ['timed out', { status: 'timed_out' }],
    ['broken', { status: 'failed' }],
    ['still running', { status: 'running' }],
    ['not wholly read', { allTrialsRead: false }],
    ['without trials', { trials: [] }],
  ])('%s is never a failed gate', (_, more) => {
    const gate = gateSingleRun({ ...everyGate, minimumPassRate: 1 }, run([failed], more));
    expect(gate.outcome).toBe('incomplete');
    expect(gate.gates.map((one) => one.outcome)).toEqual(Array(6).fill('non_gateable'));
    expect(gateExitCode(gate.outcome)).toBe(3);
  });
});

test('every gate answers with what it measured', () => {
  const { outcome, gates } = gateSingleRun(everyGate, run([trial(), failed]));
  expect(outcome).toBe('passed');
  expect(gates.map(({ gate, scorerId, measured }) => [gate, scorerId, measured])).toEqual([
    ['minimumPassRate', undefined, 0.5],
    ['maximumTotalTokens', undefined, 200],
    ['maximumP95LatencyMs', undefined, 50],
    ['noGatingScoreErrors', undefined, 0],
    ['minimumScorerPassRate', 'quality', 1],
    ['minimumMeanScore', 'quality', 0.8],
  ]);
});

test('exit codes', () => {
  expect(
    ['passed', 'failed', 'usage_error', 'incomplete'].map((one) => gateExitCode(one as never)),
  ).toEqual([0, 1, 2, 3]);
});

describe('the 95th percentile', () => {
  test('lies between the sorted values at 0.95 × (n − 1)', () => {
    expect(percentile95([])).toBeUndefined();
    expect(percentile95([7])).toBe(7);
    expect(percentile95([20, 10])).toBe(19.5);
    expect(percentile95(Array.from({ length: 21 }, (_, index) => index))).toBe(19);
    expect(percentile95(Array.from({ length: 101 }, (_, index) => 100 - index))).toBe(95);
  });

  test('is within the values, whatever their order', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(10_000), { minLength: 1 }), (values) => {
        const measured = percentile95(values);
        expect(measured).toBe(percentile95(values.toReversed()));
        expect(measured).toBeGreaterThanOrEqual(Math.min(...values));
        expect(measured).toBeLessThanOrEqual(Math.max(...values));
      }),
    );
  });
});

test('what is no policy is a usage error, never a throw or a pass', () => {
  fc.assert(
    fc.property(fc.anything(), (policy) => {
      const { outcome } = gateSingleRun(policy, run([trial({ result: 'failed' })]));
      expect(outcome).toBe('usage_error');
    }),
  );
});
