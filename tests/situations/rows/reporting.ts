import { unique } from '@proofmark/harness/reporter.ts';
import { ask, expectWeather } from '../cases.ts';
import { readRun } from '../play-run.ts';
import { report } from '../report.ts';
import { weather } from '../servers/weather-server.ts';
import type { Answer, AskSituation, Ids, SituationFixture, Theme } from '../situation.ts';
import { reportedScores } from './reported-scores.ts';

const green = { caseTitle: 'adds', passed: true };
const red = { caseTitle: 'adds', passed: false, error: 'Expected 4, received 5.' };

function twice(what: string, second: object, expected: AskSituation['expected']): AskSituation {
  return {
    name: what,
    expected,
    ask: async (fixture) => {
      const body = { suiteName: unique('Reported'), externalRunId: unique('run') };
      const first = await report(fixture, { ...body, results: [green] });
      const again = await report(fixture, { ...body, results: [green], ...second });
      const { summary } = await readRun(fixture, first.runId);
      return {
        first: first.status,
        second: again.status,
        reused: again.reused,
        code: again.code === 'CONFLICT' ? again.reason : again.code,
        isSame: again.runId === undefined || again.runId === first.runId,
        verdict: summary.verdict,
      };
    },
  };
}

async function declared(fixture: SituationFixture, ids: Ids, policy: object): Promise<string> {
  const name = unique('Declared');
  await fixture.get(201, 'POST', 'eval-suites', {
    name,
    serverIds: [ids.servers['A']],
    model: 'proofmark/lexical-1',
    settings: { verdictPolicyVersion: 2, verdictPolicyDefaults: policy },
    tests: [{ id: 'adds', title: 'adds', steps: [ask, expectWeather] }],
  });
  return name;
}

function underPolicy(
  what: string,
  policy: object,
  results: readonly object[],
  verdict: string,
): AskSituation {
  return {
    name: what,
    servers: { A: weather() },
    expected: { status: 200, verdict },
    ask: async (fixture, ids) => {
      const suiteName = await declared(fixture, ids, policy);
      const named = results.map((result) => ({ ...result, caseId: 'adds' }));
      return report(fixture, { suiteName, results: named });
    },
  };
}

const shown = (
  what: string,
  result: object,
  facts: (item: Answer) => object,
  expected: object,
): AskSituation => ({
  name: what,
  expected: { ...expected },
  ask: async (fixture) => {
    const { seen } = await report(fixture, { results: [result] });
    return { ...facts(seen?.summary.diagnostics.items[0]) };
  },
});

const long = 'x'.repeat(100_000);
const stages = ['connection', 'discovery', 'selection', 'call', 'response', 'userValue'];
const chainOf = (failureCategory: string) => ({
  stageResults: stages.map((stage, index) => {
    if (index < 2) return { stage, state: 'passed', reason: 'observed' };
    if (index > 2) return { stage, state: 'notReached', reason: 'earlierStageFailed' };
    return { stage, state: 'failed', reason: 'missingToolCall' };
  }),
  firstFailedStage: 'selection',
  failureCategory,
  stageAnalyzerVersion: 1,
});
const brokenChain = {
  stageResults: [{ stage: 'connection', state: 'failed', reason: 'observed' }],
  firstFailedStage: 'connection',
  stageAnalyzerVersion: 1,
};

export const reporting: Theme = {
  theme: 'reported runs',
  situations: [
    twice(
      'the same run is reported again',
      {},
      {
        first: 200,
        second: 200,
        reused: true,
        isSame: true,
        verdict: 'passed',
      },
    ),
    twice(
      'a red run is reported under the name of a green one',
      { results: [red] },
      {
        first: 200,
        second: 409,
        code: 'RUN_ALREADY_REPORTED',
        isSame: true,
        verdict: 'passed',
      },
    ),
    twice(
      'a longer run is reported under the name of a shorter one',
      { results: [green, { ...green, caseTitle: 'subtracts' }] },
      {
        first: 200,
        second: 409,
        code: 'RUN_ALREADY_REPORTED',
        verdict: 'passed',
      },
    ),
    underPolicy(
      'one passing trial of five that were declared',
      { repetitions: 5 },
      [green],
      'inconclusive',
    ),
    underPolicy(
      'five passing trials of five that were declared',
      { repetitions: 5 },
      Array(5).fill(green),
      'passed',
    ),
    underPolicy(
      'more trials than were declared are all configured',
      { repetitions: 2 },
      Array(4).fill(green),
      'passed',
    ),
    underPolicy(
      'four of five at a declared threshold of 0.8',
      { repetitions: 5, passThreshold: 0.8 },
      [green, green, green, green, red],
      'passed',
    ),
    underPolicy(
      'four of five at a declared threshold of 0.9',
      { repetitions: 5, passThreshold: 0.9 },
      [green, green, green, green, red],
      'failed',
    ),
    underPolicy(
      'a declared floor of eligible trials',
      { repetitions: 5, validity: { minEligibleTrials: 1 } },
      [green],
      'passed',
    ),
    shown(
      'a trial without a trace does not send anybody to one',
      red,
      ({ advice = '', nextAction, observed }) => ({
        failure: observed?.failure,
        sends: /trace/i.test(`${advice} ${nextAction}`),
      }),
      { failure: 'Expected 4, received 5.', sends: false },
    ),
    shown(
      'a large error is shown bounded',
      { ...red, error: long },
      ({ observed }) => ({
        isBounded: observed.failure.length <= 2000,
        isThere: observed.failure.startsWith('xxx'),
      }),
      { isBounded: true, isThere: true },
    ),
    shown(
      'a chain whose failed row gives no reason of a failure is not shown',
      { ...red, metadata: brokenChain },
      ({ chain }) => ({ chain: chain.status }),
      { chain: 'unverified' },
    ),
    shown(
      'a chain whose category its failed stage cannot have is not shown',
      { ...red, metadata: chainOf('serverData') },
      ({ chain }) => ({ chain: chain.status }),
      { chain: 'unverified' },
    ),
    shown(
      'a chain that holds is shown',
      { ...red, metadata: chainOf('selection') },
      ({ chain }) => ({ chain: chain.status, category: chain.failureCategory }),
      { chain: 'verified', category: 'selection' },
    ),
    {
      name: 'a reported run that nobody finishes can be cancelled',
      expected: { cancelled: 200, status: 'cancelled' },
      ask: async (fixture) => {
        const { runId } = await fixture.get(200, 'POST', 'eval-ingest/runs/start', {
          suiteName: unique('Left'),
        });
        const { status } = await fixture.ask('POST', `eval-runs/${runId}/cancel`);
        const run = await fixture.get(200, 'GET', `eval-runs/${runId}`);
        return { cancelled: status, status: run.status };
      },
    },
    {
      name: 'a trial whose set-up failed is not a failing trial',
      expected: { status: 200, verdict: 'inconclusive', trials: ['setup_failed/- setup'] },
      ask: (fixture) =>
        report(fixture, {
          verdictPolicy: {},
          results: [{ caseTitle: 'adds', status: 'setup_failed', error: 'No database.' }],
        }),
    },
    {
      name: 'one evaluator error of ten does not undo the run',
      expected: { status: 200, verdict: 'passed' },
      ask: (fixture) =>
        report(fixture, {
          verdictPolicy: {},
          results: [...Array(9).fill(green), { caseTitle: 'adds', evaluatorError: true }],
        }),
    },
    {
      name: 'two evaluator errors of ten make it inconclusive',
      expected: { status: 200, verdict: 'inconclusive' },
      ask: (fixture) =>
        report(fixture, {
          verdictPolicy: {},
          results: [
            ...Array(8).fill(green),
            ...Array(2).fill({ caseTitle: 'adds', evaluatorError: true }),
          ],
        }),
    },
    {
      name: 'a run that was reported in parts is finished once',
      expected: { started: 200, appended: 200, finished: 200, verdict: 'failed', again: 200 },
      ask: async (fixture) => {
        const body = { suiteName: unique('Parts'), externalRunId: unique('run') };
        const ingest = (path: string, sent: object) =>
          fixture.ask('POST', `eval-ingest/runs/${path}`, sent);
        const started = await ingest('start', body);
        const { runId } = started.body;
        const appended = await ingest('iterations', { runId, results: [green, red] });
        const finished = await ingest('finalize', { runId });
        const again = await ingest('finalize', { runId });
        const { summary } = await readRun(fixture, runId);
        return {
          started: started.status,
          appended: appended.status,
          finished: finished.status,
          verdict: summary.verdict,
          again: again.status,
        };
      },
    },
    {
      name: 'only the failing trials are listed where they are asked for',
      expected: { failed: ['c3'], notPassed: ['c3', 'c4'], ofCase: 1, atStage: 0 },
      ask: async (fixture) => {
        const results = [1, 2, 3, 4].map((number) => ({
          caseTitle: `c${number}`,
          caseId: `c${number}`,
          passed: number !== 3,
        }));
        Object.assign(results[3] as object, { passed: undefined, status: 'timed_out' });
        const { runId } = await report(fixture, { verdictPolicy: {}, results });
        const list = async (query: string) =>
          (await fixture.get(200, 'GET', `eval-runs/${runId}/iterations?${query}`)).items.map(
            ({ title }: Answer) => title,
          );
        return {
          failed: await list('result=failed'),
          notPassed: await list('result=notPassed'),
          ofCase: (await list('caseId=c2')).length,
          atStage: (await list('stage=call')).length,
        };
      },
    },
    ...reportedScores,
  ],
};
