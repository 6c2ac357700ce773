import type { CarriedOutPlan } from '@proofmark/domain';
import { expect, test } from 'vitest';
import { planErrorSentence, planSentences, planStopSentence } from './plan-words.ts';
import { plainSentence } from './write-text.ts';

const plan: CarriedOutPlan = {
  caseId: 'weather',
  testCaseId: 'cas_1',
  healthyRate: 0.95,
  drop: 0.15,
  falseFail: 0.05,
  miss: 0.1,
  look: 4,
  cap: 40,
  passThreshold: 0.8897,
  exactFalseFail: 0.0471,
  exactMiss: 0.0994,
  lower: -2.25,
  upper: 2.89,
  trials: 16,
  passed: 16,
  stop: 'passedEarly',
  walk: [],
};

test.each<[Partial<CarriedOutPlan>, string]>([
  [{}, 'passed early after 16 of at most 40 trials'],
  [{ stop: 'failedEarly', trials: 4 }, 'failed early after 4 of at most 40 trials'],
  [{ stop: 'atCap', trials: 40 }, 'decided at the cap of 40 trials'],
  [
    { stop: 'deterministic', cap: 1, trials: 1 },
    'one trial is enough, because no language model is involved',
  ],
  [{ stop: 'notDecided', trials: 2 }, 'stopped without an answer after 2 of at most 40 trials'],
  [{ stop: null, trials: 8 }, '8 of at most 40 trials so far'],
])('how a plan stopped: %j', (more, words) => {
  expect(planStopSentence({ ...plan, ...more })).toBe(words);
});

test('a plan tells how often it errs', () => {
  expect(planErrorSentence(plan)).toBe(
    'a case that passes 95 % of its trials fails with a chance of 4.7 %, one that passes 80 % passes with 9.9 %',
  );
});

test.each<[CarriedOutPlan[], string[]]>([
  [[], ['By plan, 0 case variants had 0 trials.']],
  [
    [plan],
    [
      'By plan, 1 case variant had 16 trials; at most 40 could have been needed.',
      `By its plan, ${planErrorSentence(plan)}.`,
    ],
  ],
  [
    [plan, { ...plan, caseId: 'other', healthyRate: 0.9 }],
    [
      'By plan, 2 case variants had 32 trials; at most 80 could have been needed.',
      'If all of them are healthy, the run fails with a chance of at most 9.8 %.',
    ],
  ],
  [
    [{ ...plan, stop: 'deterministic', cap: 1, trials: 1 }],
    ['By plan, 1 case variant had 1 trial.'],
  ],
  [
    [plan, { ...plan, caseId: 'other', stop: 'notDecided', trials: 0 }],
    [
      'By plan, 2 case variants had 16 trials; at most 80 could have been needed.',
      `By its plan, ${planErrorSentence(plan)}.`,
    ],
  ],
])('what the plans of a run spent', (cases, sentences) => {
  const plans = { planned: cases.length, falseFailOfRun: 1 - 0.95 ** cases.length, cases };
  expect(planSentences(plans).map((one) => plainSentence(one, false))).toEqual(sentences);
});

test('a run without plans tells nothing of them', () => {
  expect(planSentences(null)).toEqual([]);
});
