import { ask, called, contains, promptCase, sunny, weatherCase, weatherOfRome } from '../cases.ts';
import {
  failed,
  passed,
  passedWithFailedStage,
  providerFailed,
  timedOut,
} from '../expectations.ts';
import type { Line } from '../lines.ts';
import type { ExpectedTrial, RunSituation, Theme } from '../situation.ts';

const wrong = failed('userValue', 'predicateFailed', 'userValue');
const rain: Line = { text: 'It rains.' };

/**
 * Answers the n-th trial with the n-th line: each trial sends one request to the model, in order.
 */
function trialsOf(...lines: readonly Line[]): Line[] {
  return [(_, count) => lines[count - 1] ?? sunny];
}

function decided(
  what: string,
  lines: readonly Line[],
  policy: object,
  verdict: RunSituation['expected']['verdict'],
  trials: readonly ExpectedTrial[],
  more: Partial<RunSituation> & { reasons?: string[]; test?: object } = {},
): RunSituation {
  const { reasons, test, ...rest } = more;
  return {
    name: what,
    settings: { verdictPolicyDefaults: policy },
    limits: { trialsAtOncePerRun: 1, trialTimeoutMs: 3000 },
    cases: [
      promptCase('Say sunny.', [contains('sunny')], trialsOf(...lines), {
        runs: lines.length,
        ...test,
      }),
    ],
    expected: { verdict, trials, ...(reasons && { reasons }) },
    ...rest,
  };
}

const oneWrong = [sunny, sunny, rain, sunny, sunny];
const fourAndOne = [passed({ times: 4 }), wrong];

function judged(what: string, judge: string, trial: ExpectedTrial): RunSituation {
  return {
    name: what,
    judge,
    cases: [{ title: 'Goal', steps: [ask], says: [sunny], expectedOutput: 'It is sunny.' }],
    expected: { verdict: 'passed', trials: [trial] },
  };
}

const pattern = (
  what: string,
  source: string,
  text: string,
  trial: ExpectedTrial,
): RunSituation => ({
  name: what,
  cases: [promptCase('Say sunny.', [{ type: 'responseMatches', pattern: source }], [{ text }])],
  expected: { verdict: trial.result === 'passed' ? 'passed' : 'failed', trials: [trial] },
});

export const measuring: Theme = {
  theme: 'measuring',
  situations: [
    pattern('a nested quantifier that matches', '^(su+n+)+y$', 'sunny', passed()),
    pattern(
      'a nested quantifier that does not match a long text',
      '^(a+)+$',
      `${'a'.repeat(5000)}b`,
      wrong,
    ),
    {
      name: 'a pattern that cannot be run at grading is an error of the evaluator',
      cases: [
        promptCase(
          'Say sunny.',
          [{ type: 'responseMatches', pattern: 'a{500}b{500}' }],
          [{ text: 'ab'.repeat(40_000) }],
        ),
      ],
      expected: {
        verdict: 'inconclusive',
        trials: [
          {
            status: 'completed',
            result: null,
            category: 'evaluator',
            rows: { userValue: 'evaluatorError' },
          },
        ],
      },
    },
    decided(
      'four of five pass at a threshold of 0.8',
      oneWrong,
      { passThreshold: 0.8 },
      'passed',
      fourAndOne,
    ),
    decided(
      'four of five fail at a threshold of 0.81',
      oneWrong,
      { passThreshold: 0.81 },
      'failed',
      fourAndOne,
    ),
    decided(
      'a case has a threshold of its own',
      oneWrong,
      { passThreshold: 1 },
      'passed',
      fourAndOne,
      { test: { passThreshold: 0.5 } },
    ),
    decided(
      'two of five time out and the run is not decided',
      ['hang', 'hang', sunny, sunny, sunny],
      {},
      'inconclusive',
      [timedOut({ times: 2 }), passed({ times: 3 })],
      { reasons: ['completionRateBelowMinimum'] },
    ),
    decided(
      'a floor of the completion rate that holds',
      ['hang', sunny, sunny],
      { validity: { minCompletionRate: 0.6 } },
      'passed',
      [timedOut(), passed({ times: 2 })],
    ),
    decided(
      'a floor of eligible trials that does not hold',
      [{ status: 401 }, sunny, sunny],
      { validity: { minEligibleTrials: 3, minCompletionRate: 0.5 } },
      'inconclusive',
      [providerFailed(), passed({ times: 2 })],
      { reasons: ['eligibleTrialsBelowMinimum'] },
    ),
    decided(
      'a run of which no trial was measured',
      [{ status: 401 }],
      {},
      'inconclusive',
      [providerFailed()],
      { reasons: ['noGradeableTrials', 'completionRateBelowMinimum', 'caseHasNoEligibleTrials'] },
    ),
    {
      name: 'a disabled case is not run',
      cases: [weatherCase(), weatherCase([rain], { title: 'Off', disabled: true })],
      expected: { verdict: 'passed', trials: [passed()] },
    },
    {
      name: 'repetitions of a test are its trials',
      cases: [weatherCase(undefined, { repetitions: 3 })],
      expected: { verdict: 'passed', trials: [passed({ times: 3 })] },
    },
    {
      name: 'checks of a test are asked of the whole case',
      cases: [
        {
          title: 'Weather',
          steps: [ask],
          says: [weatherOfRome, rain],
          checks: { mode: 'replace', list: [called('weather'), contains('sunny')] },
        },
      ],
      expected: { verdict: 'failed', trials: [wrong] },
    },
    {
      name: 'isNegative in a test is a negative test',
      cases: [promptCase('Say hello.', [], [weatherOfRome, sunny], { isNegative: true })],
      expected: {
        verdict: 'failed',
        trials: [failed('selection', 'unexpectedToolCall', 'selection')],
      },
    },
    {
      name: 'a budget of tokens counts the halves where they are more than the total',
      cases: [
        promptCase(
          'Say sunny.',
          [],
          [{ ...sunny, usage: { prompt_tokens: 300, completion_tokens: 300, total_tokens: 5 } }],
          { checks: { mode: 'replace', list: [{ type: 'tokenBudgetUnder', tokens: 100 }] } },
        ),
      ],
      expected: { verdict: 'failed', trials: [wrong] },
    },
    judged(
      'a judge finds the goal reached',
      '{"score": 0.7, "reason": "All of it.", "rubricHits": []}',
      passed({ rows: { userValue: 'judgeObserved' } }),
    ),
    judged(
      'a judge finds half of the goal',
      '{"score": 0.4, "reason": "Half of it.", "rubricHits": []}',
      passedWithFailedStage('userValue', 'judgePartial', 'userValue', { says: ['Half of it.'] }),
    ),
    judged(
      'a judge finds nothing of the goal',
      '{"score": 0.39, "reason": "Nothing of it.", "rubricHits": []}',
      passedWithFailedStage('userValue', 'judgeFailed', 'userValue'),
    ),
    judged('a judge answers with nonsense', '{"score": 7, "reason": "!", "rubricHits": []}', {
      ...passed({ rows: { userValue: 'evaluatorError' } }),
      category: 'evaluator',
    }),
    {
      name: 'a judge does not overturn an assertion',
      judge: '{"score": 1, "reason": "All of it.", "rubricHits": []}',
      cases: [
        promptCase('Say sunny.', [contains('sunny')], [rain], { expectedOutput: 'It is sunny.' }),
      ],
      expected: { verdict: 'failed', trials: [wrong] },
    },
    {
      name: 'nobody asked a judge',
      cases: [{ title: 'Goal', steps: [ask], says: [sunny], expectedOutput: 'It is sunny.' }],
      expected: {
        verdict: 'passed',
        trials: [passed({ rows: { userValue: 'judgeNotRequested' } })],
      },
    },
  ],
};
