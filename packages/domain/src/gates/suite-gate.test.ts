import { expect, test } from 'vitest';
import type { RunEvidence } from './run-evidence.ts';
import { gateSuite } from './suite-gate.ts';

function run(results: string, latencyMs: number | undefined = 50, more: Partial<RunEvidence> = {}) {
  return {
    status: 'completed',
    allTrialsRead: true,
    scenarioConfigHash: null,
    evaluationConfigHash: null,
    trials: [...results].map((letter, index) => ({
      caseKey: `case-${index}`,
      result: letter === 'p' ? ('passed' as const) : ('failed' as const),
      latencyMs: latencyMs ?? Number.NaN,
      scoreIntegrity: 'valid',
      scores: [
        {
          scorerId: 's',
          role: 'gating' as const,
          status: letter === 'e' ? ('error' as const) : ('scored' as const),
          value: 1,
          passThreshold: 1,
        },
      ],
    })),
    ...more,
  };
}
const sized = (surfaceTokens: number, ...results: number[]): RunEvidence => {
  const plain = run('p'.repeat(results.length), 50, { surfaceTokens });
  const trials = plain.trials.map((trial, at) => ({
    ...trial,
    largestResultTokens: results[at] as number,
  }));
  return { ...plain, trials };
};
const eight = run('ppppppppff');
const seven = run('pppppppfff');

test.each<[string, unknown, RunEvidence | undefined, RunEvidence, string]>([
  ['no policy', undefined, eight, seven, 'not_configured'],
  ['null policy', null, eight, seven, 'not_configured'],
  ['no gate', {}, eight, seven, 'not_configured'],
  [
    'a baseline alone',
    { baseline: { kind: 'previous_completed' } },
    eight,
    seven,
    'not_configured',
  ],
  ['gates switched off', { noGatingScoreErrors: false }, eight, seven, 'not_configured'],
  ['a drop at the bound', { maximumPassRateDrop: 0.1 }, eight, seven, 'passed'],
  ['a drop above it', { maximumPassRateDrop: 0.09 }, eight, seven, 'failed'],
  ['a rise', { maximumPassRateDrop: 0 }, seven, eight, 'passed'],
  ['no baseline', { maximumPassRateDrop: 0 }, undefined, seven, 'non_gateable'],
  ['other cases', { maximumPassRateDrop: 0 }, run('pp'), seven, 'non_gateable'],
  ['a flip', { noDeterministicRegressions: true }, run('pp'), run('pf'), 'failed'],
  ['a flip in unlike runs', { noDeterministicRegressions: true }, run('pp'), run('pfp'), 'failed'],
  ['no flip', { noDeterministicRegressions: true }, run('pf'), run('pp'), 'passed'],
  ['flips, no baseline', { noDeterministicRegressions: true }, undefined, eight, 'non_gateable'],
  [
    'slower at the bound',
    { maximumP95LatencyIncreaseMs: 10 },
    run('p', 50),
    run('p', 60),
    'passed',
  ],
  ['slower above it', { maximumP95LatencyIncreaseMs: 10 }, run('p', 50), run('p', 61), 'failed'],
  [
    'untimed',
    { maximumP95LatencyIncreaseMs: 10 },
    run('p', Number.NaN),
    run('p', 1),
    'non_gateable',
  ],
  ['scores fine', { noGatingScoreErrors: true }, undefined, run('pp'), 'passed'],
  ['a score broke', { noGatingScoreErrors: true }, undefined, run('pe'), 'failed'],
  ['tools at the limit', { maximumSurfaceTokens: 9 }, undefined, sized(9, 3, 7), 'passed'],
  ['tools above it', { maximumSurfaceTokens: 8 }, undefined, sized(9, 3, 7), 'failed'],
  ['tools not captured', { maximumSurfaceTokens: 8 }, undefined, run('pp'), 'non_gateable'],
  ['results at the limit', { maximumResultTokens: 7 }, undefined, sized(9, 3, 7), 'passed'],
  ['one result above it', { maximumResultTokens: 6 }, undefined, sized(9, 3, 7), 'failed'],
  [
    'a result unmeasured',
    { maximumResultTokens: 6 },
    undefined,
    sized(9, 3, Number.NaN),
    'non_gateable',
  ],
  ['no tokens allowed', { maximumResultTokens: 0 }, undefined, sized(9, 3, 7), 'non_gateable'],
  [
    'failed before non-gateable',
    { noGatingScoreErrors: true, maximumPassRateDrop: 0 },
    undefined,
    run('pe'),
    'failed',
  ],
  [
    'a cancelled run',
    { noGatingScoreErrors: true, noDeterministicRegressions: true, maximumPassRateDrop: 0 },
    run('pp'),
    run('ff', 50, { status: 'cancelled' }),
    'non_gateable',
  ],
  ['percent for a fraction', { maximumPassRateDrop: 5 }, eight, seven, 'non_gateable'],
  ['unknown field', { maximumDrop: 0 }, eight, eight, 'non_gateable'],
  ['unknown baseline', { baseline: { kind: 'best' } }, eight, eight, 'non_gateable'],
])('%s', (_, policy, base, compared, outcome) => {
  const input = { policy, run: compared, ...(base === undefined ? {} : { base }) };
  expect(gateSuite(input).outcome).toBe(outcome);
});
