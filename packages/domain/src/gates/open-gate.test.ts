import { expect, test } from 'vitest';
import { exitCodeOfGate, type RunToOpen, wordOfGate } from './open-gate.ts';

const run = (more: Partial<RunToOpen>): RunToOpen => ({
  status: 'completed',
  verdict: 'passed',
  isWaived: false,
  ...more,
});
const failed = { verdict: 'failed' } as const;
const waived = { isWaived: true };
const excused = { excusesAll: true, stale: [] };
const stale = { excusesAll: false, stale: ['old'] };
const both = { excusesAll: true, stale: ['old'] };

test.each<readonly [string, Partial<RunToOpen>, string, number]>([
  ['passed', {}, 'PASSED', 0],
  ['failed', failed, 'FAILED', 1],
  ['failed and is waived', { ...failed, ...waived }, 'WAIVED', 0],
  ['is inconclusive though waived', { verdict: 'inconclusive', ...waived }, 'INCONCLUSIVE', 3],
  ['has no verdict though waived', { verdict: 'notEstablished', ...waived }, 'INCONCLUSIVE', 3],
  ['was cancelled', { status: 'cancelled' }, 'INCONCLUSIVE', 3],
  ['failed and timed out', { ...failed, status: 'timed_out', ...waived }, 'INCONCLUSIVE', 3],
  ['is a replay that diverged', { wentAsRecorded: false }, 'INCONCLUSIVE', 3],
  ['failed in quarantine alone', { ...failed, quarantine: excused }, 'QUARANTINED', 0],
  [
    'failed in quarantine alone, and is waived',
    { ...failed, ...waived, quarantine: excused },
    'QUARANTINED',
    0,
  ],
  ['passed beside a stale entry', { quarantine: stale }, 'FAILED', 1],
  ['failed in quarantine beside a stale entry', { ...failed, quarantine: both }, 'FAILED', 1],
  [
    'failed beside a stale entry, and is waived',
    { ...failed, ...waived, quarantine: stale },
    'WAIVED',
    0,
  ],
  [
    'is inconclusive beside a stale entry',
    { verdict: 'inconclusive', quarantine: stale },
    'INCONCLUSIVE',
    3,
  ],
  ['passed without seeing the drop', { isBlind: true }, 'INCONCLUSIVE', 3],
  [
    'failed in quarantine alone without seeing the drop',
    { ...failed, quarantine: excused, isBlind: true },
    'INCONCLUSIVE',
    3,
  ],
  ['failed without seeing the drop', { ...failed, isBlind: true }, 'FAILED', 1],
  ['failed, within its bounds', { ...failed, bounds: 'passed' }, 'PASSED', 0],
  ['passed, outside its bounds', { bounds: 'failed' }, 'FAILED', 1],
  ['is outside its bounds and waived', { bounds: 'failed', ...waived }, 'WAIVED', 0],
  [
    'is outside its bounds, in quarantine alone',
    { ...failed, bounds: 'failed', quarantine: excused },
    'FAILED',
    1,
  ],
  [
    'is within its bounds beside a stale entry',
    { bounds: 'passed', quarantine: stale },
    'FAILED',
    1,
  ],
  ['has bounds without an answer', { bounds: 'incomplete', ...waived }, 'INCONCLUSIVE', 3],
])('a run that %s: %o gives %s and %i', (_, more, word, exitCode) => {
  const found = wordOfGate(run(more));
  expect(found).toBe(word);
  expect(exitCodeOfGate[found]).toBe(exitCode);
});
