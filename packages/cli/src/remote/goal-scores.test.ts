import type { GoalScore } from '@proofmark/domain';
import { expect, test } from 'vitest';
import { type JudgedGoal, judgeLines } from './goal-scores.ts';
import { sentenceWrapper } from './indented-lines.ts';

const say = sentenceWrapper({ ascii: true, width: 80 });
const target = {
  targetId: 't',
  hostId: 'cli_1',
  hostName: 'Desk',
  modelId: 'm',
  environmentId: null,
  environmentName: 'Shop',
  environmentRevision: null,
};
const run: Parameters<typeof judgeLines>[0] = {
  judgeModel: 'local/small',
  status: 'completed',
  targets: [target],
};

function goal(sessionIndex: number, fields: Partial<GoalScore>): JudgedGoal {
  return {
    sessionId: `cht_${sessionIndex}`,
    targetId: 't',
    sessionIndex,
    goalScore: {
      status: 'completed',
      score: null,
      passed: null,
      threshold: 0.7,
      reason: null,
      judgeModel: 'local/small',
      ...fields,
    },
  };
}

test('the judge is told with its threshold, and every session with its score', () => {
  const goals = [
    goal(0, { score: 1, passed: true, reason: 'All of it.' }),
    goal(1, { score: 0.4, passed: false, reason: 'The date was not told.' }),
    goal(2, { status: 'pending' }),
    goal(3, { status: 'failed', reason: 'The judge could not be asked.' }),
  ];
  expect(judgeLines(run, goals, say)).toEqual([
    'Judge (advises and decides nothing)',
    '  local/small, threshold 70 %: goal met in 1 of 2 judged sessions, mean score',
    '    70 %; 2 of 4 sessions judged.',
    '  Shop, session 1: score 100 %, passed',
    '  Shop, session 2: score 40 %, not passed: The date was not told.',
    '  Shop, session 3: to be judged',
    '  Shop, session 4: not judged: The judge could not be asked.',
  ]);
});

test('of many sessions those to look at come first, and the others are counted', () => {
  const goals = Array.from({ length: 14 }, (_, index) =>
    goal(index, index === 13 ? { score: 0, passed: false } : { score: 0.9, passed: true }),
  );
  const lines = judgeLines(run, goals, say);
  expect(lines[3]).toBe('  Shop, session 14: score 0 %, not passed');
  expect(lines).toHaveLength(14);
  expect(lines.at(-1)).toBe('  and 4 more; all of them: --json');
});

test('a judge that had nothing to judge says why, and without a judge nothing is said', () => {
  expect(judgeLines(run, [], say).at(-1)).toBe(
    '  local/small judged no session: none was played to its end.',
  );
  expect(judgeLines({ ...run, status: 'running' }, [], say).at(-1)).toBe(
    '  local/small starts when all sessions have ended.',
  );
  expect(judgeLines({ ...run, judgeModel: null }, [], say)).toEqual([]);
});
