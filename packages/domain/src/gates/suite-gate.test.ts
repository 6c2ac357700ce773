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
