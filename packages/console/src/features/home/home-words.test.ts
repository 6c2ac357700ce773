import type { Home } from '@proofmark/contract';
import { expect, test } from 'vitest';
import {
  decisionWords,
  homeHeadline,
  homeIntro,
  moreWords,
  splitSentence,
  whyOfTrial,
} from './home-words.ts';

const none = { total: 0, items: [] };
const empty: Home = {
  firstStart: false,
  running: none,
  failing: none,
  waived: 0,
  decisions: none,
  findings: none,
  schedules: none,
  latest: none,
};
const some = (total: number) => ({ total, items: [] });
const headlineOf = (home: Partial<Home>) => {
  const { word, rest, tone } = homeHeadline({ ...empty, ...home });
  return [tone, `${word}${word.endsWith(':') ? ' ' : ''}${rest}`];
};

test('only a failing suite is red, and what waits is told beside it', () => {
  expect(headlineOf({})).toEqual(['none', 'Nothing has run yet']);
  expect(headlineOf({ latest: some(3) })).toEqual(['pass', 'Nothing is red']);
  expect(headlineOf({ latest: some(3), findings: some(2) })).toEqual([
    'hold',
    '2 open findings, nothing is red',
  ]);
  expect(homeIntro({ ...empty, latest: some(3), findings: some(1) })).toContain(
    '1 finding of swarms and visitors is open.',
  );
  expect(headlineOf({ latest: some(3), decisions: some(1) })).toEqual([
    'hold',
    '1 thing to decide, nothing is red',
  ]);
  expect(headlineOf({ latest: some(3), failing: some(2), decisions: some(4) })).toEqual([
    'fail',
    'Failing: 2 suites; 4 things to decide',
  ]);
});

test('numbers name what they are of, and waivers are never left out', () => {
  expect(homeIntro({ ...empty, latest: some(5), failing: some(2) })).toBe(
    'Of 5 suites that ran, 2 failed last time. Nothing is running now.',
  );
  expect(homeIntro({ ...empty, latest: some(1), failing: some(1), running: some(1) })).toBe(
    'The latest run of the only suite that ran failed. 1 run going on.',
  );
  expect(homeIntro({ ...empty, latest: some(4), waived: 1 })).toBe(
    'Of 4 suites that ran, none failed last time without a waiver. 1 failing run is waived. Nothing is running now.',
  );
});

test('why a trial failed is one sentence, where that is known', () => {
  const trial = { trialId: 'itr_1', title: 'A', status: 'completed' };
  expect(whyOfTrial({ ...trial, stage: 'userValue', reason: 'predicateFailed' })).toBe(
    'User value failed: a check of the case failed.',
  );
  expect(whyOfTrial({ ...trial, stage: null, reason: null })).toBeUndefined();
});

test('a decision says what it is about in one sentence', () => {
  const place = { projectId: 'prj_1', projectName: 'Default', at: 0 };
  const server = { serverId: 'srv_1', serverName: 'Shop', failedCheck: 'probe' } as const;
  expect(
    decisionWords({ kind: 'serverInTrouble', ...place, ...server, status: 'error' }).sentence,
  ).toBe('does not answer: nothing came back from its address.');
});

test('a verdict is told in words, not in capitals; a list that was cut says so', () => {
  expect(splitSentence('FAILED: 1 of 4 case variants')).toEqual({
    verdict: 'Failed:',
    rest: ' 1 of 4 case variants',
  });
  expect(moreWords({ total: 12, items: [1, 2] })).toBe('and 10 more');
  expect(moreWords({ total: 2, items: [1, 2] })).toBeUndefined();
});
