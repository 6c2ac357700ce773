import { expect, test } from 'vitest';
import { readinessOf, type SessionToShip } from './readiness.ts';

const played: SessionToShip = {
  outcome: 'succeeded',
  gradingStatus: 'completed',
  result: 'passed',
  criteria: [],
  toolErrorCount: 0,
  endReason: 'personaEnded',
  isJudgedBelow: false,
};
const failed = {
  result: 'failed' as const,
  criteria: [{ passed: false, role: 'gating' as const }],
};

test.each([
  ['all well', {}, {}, 'ready', 0],
  ['a gating criterion', failed, { firstFailedStage: 'userValue' as const }, 'not_ready', 1],
  ['a stage', {}, { firstFailedStage: 'response' as const }, 'not_ready', 0],
  ['a tool', { toolErrorCount: 2 }, {}, 'needs_attention', 2],
  ['the turn cap', { endReason: 'turnCap' as const }, {}, 'needs_attention', 1],
  ['the judge', { isJudgedBelow: true }, {}, 'needs_attention', 0],
  [
    'the judge, of whom the last stage is',
    { isJudgedBelow: true },
    { firstFailedStage: 'userValue' as const },
    'needs_attention',
    0,
  ],
  [
    'the judge and a stage before it',
    { isJudgedBelow: true },
    { firstFailedStage: 'call' as const },
    'not_ready',
    0,
  ],
])('%s', (_, more, chain, verdict, issueCount) => {
  const readiness = readinessOf({ ...played, ...more }, chain);
  expect(readiness).toEqual({ status: 'completed', verdict, issueCount });
});

test.each([{ outcome: 'failed' }, { gradingStatus: 'pending' }, { gradingStatus: 'failed' }])(
  'nothing is said of a session with %o',
  (more) => {
    expect(readinessOf({ ...played, ...(more as Partial<SessionToShip>) }, {})).toBeNull();
  },
);
