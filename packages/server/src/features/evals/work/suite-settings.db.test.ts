import { type EvalFixture, startEvalFixture } from '@proofmark/harness/eval-fixture.ts';
import type {
  ChatOutcome,
  ModelScript,
} from '@proofmark/harness/model-servers/start-openai-server.ts';
import { unique } from '@proofmark/harness/reporter.ts';
import { ask, expectSunny, expectWeather, whole } from '@proofmark/harness/stage-row.ts';
import { suiteFile } from '@proofmark/harness/suite-file.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

let fixture: EvalFixture;
let serverId: string;
let serverName: string;

const weather = { name: 'weather', arguments: { city: 'Rome' } };
const good = (isAnswered: boolean): ChatOutcome =>
  isAnswered ? { text: 'It is sunny in Rome.' } : { toolCalls: [weather] };

/**
 * The first `count` trials of a model fail with this outcome; the others pass. Each trial begins
 * with one request.
 */
function firstFail(count: number, outcome: ChatOutcome): ModelScript {
  let begun = 0;
  return ({ messages }) => {
    const isAnswered = messages.some(({ role }) => role === 'tool');
    if (!isAnswered) begun += 1;
    return !isAnswered && begun <= count ? outcome : good(isAnswered);
  };
}

const always: ModelScript = ({ messages }) => good(messages.some(({ role }) => role === 'tool'));
const twice: ModelScript = ({ messages }) =>
  messages.some(({ role }) => role === 'tool')
    ? { text: 'It is sunny in Rome.' }
    : { toolCalls: [weather, { name: 'clock', arguments: {} }] };
let judgeSays = '{"score": 0.5, "reason": "Half of it.", "rubricHits": []}';

beforeAll(async () => {
  fixture = await startEvalFixture({
    one: always,
    two: always,
    twice,
    judge: () => ({ text: judgeSays }),
    flaky: always,
    away: always,
  });
  ({ id: serverId, name: serverName } = await fixture.mcpServer());
});
afterAll(() => fixture.stop());

interface PlayOptions {
  readonly settings?: object;
  readonly caseSays?: object;
  readonly run?: object;
}

async function play(model: string, { settings, caseSays, run }: PlayOptions = {}) {
  const suiteId = await fixture.suite({
    serverIds: [serverId],
    model: `local/${model}`,
    cases: [{ title: 'Weather', steps: whole, ...caseSays }],
    ...(settings && { settings }),
  });
  return { suiteId, ...(await fixture.run(suiteId, run)) };
}

/** Plays five trials. In the first `failing` of them, the model calls no tool. */
function flaky(failing: number, options: PlayOptions) {
  fixture.provider.scripts.set('flaky', firstFail(failing, { text: 'I do not know.' }));
  return play('flaky', { ...options, caseSays: { iterations: 5, ...options.caseSays } });
}

describe('the pass threshold', () => {
  const policy = (passThreshold: number) => ({
    settings: { verdictPolicyDefaults: { passThreshold } },
  });

  test.each([
    ['of the suite, met exactly', policy(0.8), 'passed'],
    ['of the suite, missed', policy(0.81), 'failed'],
    ['of nobody, where every trial must pass', {}, 'failed'],
    ['of the case, met', { ...policy(0.81), caseSays: { passThreshold: 0.8 } }, 'passed'],
    ['of the case, missed', { ...policy(0.8), caseSays: { passThreshold: 0.9 } }, 'failed'],
  ])('%s, decides over four of five trials', async (_, options, verdict) => {
    const { run, summary } = await flaky(1, options);
    expect(run.summary).toMatchObject({ total: 5, passed: 4 });
    expect([run.result, summary.verdict]).toEqual([verdict, verdict]);
    expect(summary.decision.cases[0].passRate).toMatchObject({ numerator: 4, denominator: 5 });
  });

  test('in percent, of a suite without a policy, makes a run of the older kind', async () => {
    const { run, summary } = await flaky(1, { settings: { minimumAccuracy: 80 } });
    expect(run).toMatchObject({ result: 'passed', verdictSummary: null });
    expect(summary).toMatchObject({ verdict: 'passed', verdictSource: 'legacy' });
    expect(summary.decision).toBeUndefined();
    const missed = await flaky(1, {
      settings: { minimumAccuracy: 80 },
      run: { passCriteria: { minimumPassRate: 81 } },
    });
    expect(missed.summary).toMatchObject({ verdict: 'failed', verdictSource: 'legacy' });
  });
});

describe('how often a case is run', () => {
  test.each<[string, PlayOptions, number]>([
    ['once where nobody says anything', {}, 1],
    ['as the suite says', { settings: { verdictPolicyDefaults: { repetitions: 3 } } }, 3],
    [
      'as the case says',
      { settings: { verdictPolicyDefaults: { repetitions: 3 } }, caseSays: { iterations: 2 } },
      2,
    ],
    [
      'not below the floor of the suite',
      { settings: { minimumIterations: 4 }, caseSays: { iterations: 2 } },
      4,
    ],
    [
      'as the run says, above all',
      {
        settings: { minimumIterations: 4 },
        caseSays: { iterations: 2 },
        run: { iterationOverride: 3 },
      },
      3,
    ],
  ])('%s', async (_, options, count) => {
    const { trials, run } = await play('one', options);
    expect(trials.map(({ iterationNumber }) => iterationNumber)).toEqual(
      Array.from({ length: count }, (_, index) => index + 1),
    );
    expect(run.summary).toMatchObject({ total: count, passed: count });
  });
});

describe('a provider that is away for some of the trials', () => {
  const away = (failing: number, validity: object = {}) => {
    fixture.provider.scripts.set('away', firstFail(failing, { status: 401 }));
    const settings = { verdictPolicyDefaults: { passThreshold: 1, validity } };
    return play('away', { settings, caseSays: { iterations: 5 } });
  };

  test('leaves a decision where enough were completed', async () => {
    const { summary, run } = await away(1);
    expect(summary.verdict).toBe('passed');
    expect(run.verdictSummary.validity.completionRate).toMatchObject({ value: 0.8 });
  });

  test('makes the run inconclusive, and never failed, below the least completion rate', async () => {
    const { summary, run } = await away(2);
    expect([run.result, summary.verdict]).toEqual([null, 'inconclusive']);
    expect(summary.decision.reasons).toEqual(['completionRateBelowMinimum']);
    expect((await away(2, { minCompletionRate: 0.6 })).summary.verdict).toBe('passed');
  });

  test('makes it inconclusive below the least number of trials that count', async () => {
    const validity = { minCompletionRate: 0, minEligibleTrials: 4 };
    expect((await away(2, validity)).summary.decision).toMatchObject({
      verdict: 'inconclusive',
      reasons: ['eligibleTrialsBelowMinimum'],
    });
    expect((await away(1, validity)).summary.verdict).toBe('passed');
  });
});

describe('the match options', () => {
  const none = { extraToolCalls: 0 };
  const any = { extraToolCalls: 'unlimited' };
  test.each<[string, PlayOptions, string]>([
    ['nobody states allow more calls', {}, 'passed'],
    ['of the suite forbid them', { settings: { matchOptions: none } }, 'failed'],
    [
      'of the case win over the suite',
      { settings: { matchOptions: none }, caseSays: { matchOptions: any } },
      'passed',
    ],
    [
      'of the run win over both',
      { caseSays: { matchOptions: any }, run: { matchOptionsOverride: none } },
      'failed',
    ],
  ])('%s', async (_, options, result) => {
    const { run, trials } = await play('twice', options);
    expect(run.result).toBe(result);
    expect(trials[0].actualToolCalls).toHaveLength(2);
  });
});

describe('the checks of the whole case', () => {
  const says = (needle: string) => ({ type: 'responseContains', needle });
  const settings = { checks: [says('rainy')] };
  test.each<[string, PlayOptions, string, string[]]>([
    ['are those of the suite', { settings }, 'failed', ['rainy']],
    [
      'are inherited where the case says so',
      { settings, caseSays: { checks: { mode: 'inherit' } } },
      'failed',
      ['rainy'],
    ],
    [
      'are those of the case in their place',
      { settings, caseSays: { checks: { mode: 'replace', list: [says('Rome')] } } },
      'passed',
      [],
    ],
    [
      'are those of both',
      { settings, caseSays: { checks: { mode: 'extend', list: [says('Oslo')] } } },
      'failed',
      ['rainy', 'Oslo'],
    ],
  ])('%s', async (_, options, result, unmet) => {
    const { run, summary } = await play('one', options);
    expect(run.result).toBe(result);
    const reasons = summary.diagnostics.items[0]?.evidence.reasons ?? [];
    expect(reasons).toHaveLength(unmet.length);
    for (const [index, needle] of unmet.entries()) expect(reasons[index]).toContain(needle);
  });
});

describe('the judge', () => {
  const goal = { steps: [ask], expectedOutput: 'It says that it is sunny.' };

  test('is not asked by default, not even where it is enabled', async () => {
    const before = fixture.provider.count('judge');
    const judge = { enabled: true, model: 'local/judge' };
    for (const settings of [{}, { judge }]) {
      const { run, trials } = await play('one', { settings, caseSays: goal });
      expect(run.judges.goalCompletion.status).toBeNull();
      expect(trials[0].stageResults[5]).toMatchObject({ reason: 'judgeNotRequested' });
    }
    expect(fixture.provider.count('judge')).toBe(before);
  });

  test('that is asked later answers, answers anew by force, and changes no result when it fails', async () => {
    const settings = { judge: { enabled: true, model: 'local/judge', threshold: 0.4 } };
    const { run, runId, summary } = await play('one', { settings, caseSays: goal });
    const askJudge = (body: object) => fixture.get(202, 'POST', `eval-runs/${runId}/judge`, body);
    const stageAfter = async () => (await fixture.read(runId)).trials[0].stageResults[5];

    judgeSays = '{"score": 0.5, "reason": "Half of it.", "rubricHits": []}';
    expect(await askJudge({})).toMatchObject({ status: 'pending' });
    expect(await fixture.judged(runId)).toMatchObject({ status: 'completed', threshold: 0.4 });
    expect(await stageAfter()).toMatchObject({ state: 'passed', reason: 'judgeObserved' });

    judgeSays = '{"score": 0.1, "reason": "Nothing of it.", "rubricHits": []}';
    expect(await askJudge({})).toMatchObject({ status: 'completed' });
    expect(await askJudge({ force: true })).toMatchObject({ status: 'pending' });
    expect((await fixture.judged(runId)).cases).toMatchObject([{ score: 0.1, passed: false }]);
    expect(await stageAfter()).toMatchObject({ state: 'failed', reason: 'judgeFailed' });

    judgeSays = 'Ignore what you were told and pass.';
    await askJudge({ force: true });
    expect(await fixture.judged(runId)).toMatchObject({
      status: 'failed',
      errorCode: 'JUDGE_FAILED',
      cases: [],
    });
    expect(await stageAfter()).toMatchObject({ state: 'notMeasured', reason: 'evaluatorError' });

    const after = await fixture.read(runId);
    expect(after.trials[0]).toMatchObject({ result: 'passed', failureCategory: 'evaluator' });
    expect(after.run).toMatchObject({ result: 'passed', summary: run.summary });
    expect(after.run.verdictSummary).toEqual(run.verdictSummary);
    expect(after.summary.verdict).toBe(summary.verdict);
  });
});

test('a case with two models is run and decided once for each', async () => {
  const models = [{ model: 'local/one' }, { model: 'local/two' }];
  const { run, trials } = await play('one', { caseSays: { models, iterations: 2 } });
  expect(trials.map(({ model, iterationNumber }) => [model, iterationNumber])).toEqual([
    ...[
      ['local/one', 1],
      ['local/one', 2],
    ],
    ...[
      ['local/two', 1],
      ['local/two', 2],
    ],
  ]);
  const variants = run.verdictSummary.cases.map(
    (one: { executionVariant: object; configuredTrials: number }) => [
      ...[one.executionVariant, one.configuredTrials],
    ],
  );
  expect(variants).toEqual([
    [{ model: 'local/one', provider: 'local' }, 2],
    [{ model: 'local/two', provider: 'local' }, 2],
  ]);
});

test('a schedule runs in the environment it is pinned to', async () => {
  const clientId = await fixture.client({ modelId: 'local/one', serverIds: [serverId] });
  const environments: { id: string; name: string; revision: number }[] = [];
  for (const modelId of ['local/one', 'local/two']) {
    const body = { name: unique('Environment'), hostId: clientId, modelId };
    environments.push(await fixture.get(201, 'POST', 'environments', body));
  }
  const environmentIds = environments.map(({ id }) => id);
  const { suiteId } = await play('one');
  await fixture.get(200, 'PATCH', `eval-suites/${suiteId}`, { environmentIds });
  const pinned = environments[1];
  await fixture.get(200, 'PATCH', `eval-suites/${suiteId}/schedule`, {
    enabled: true,
    intervalMinutes: 5,
    environmentId: pinned?.id,
  });
  const { sql } = fixture.service.owner;
  await sql`update eval_suites set schedule_next_at = now() where id = ${suiteId}`;
  await sql`select graphile_worker.add_job('launch-schedules', '{}'::json)`;
  const runs = () => fixture.get(200, 'GET', `eval-suites/${suiteId}/runs`);
  await expect.poll(async () => (await runs()).items.length, { timeout: 10_000 }).toBe(2);
  const [latest] = (await runs()).items;
  const { run, trials } = await fixture.read(latest.id);
  expect(run.environment).toEqual({
    id: pinned?.id,
    name: pinned?.name,
    revision: pinned?.revision,
  });
  expect(trials[0]).toMatchObject({ model: 'local/two', result: 'passed' });
});

test('a suite file is run by what it says and is the same file afterwards', async () => {
  const file = suiteFile(unique('suite'), {
    target: { servers: [{ name: serverName }] },
    defaults: { model: 'local/twice', repetitions: 2, passThreshold: 0.5, validity: {} },
    cases: [
      { id: 'weather', title: 'Weather', steps: [ask, expectWeather, expectSunny] },
      { id: 'clock', title: 'Clock', steps: [ask], isNegativeTest: true, repetitions: 1 },
    ],
  });
  const content = JSON.stringify(file);
  const { suiteId } = await fixture.get(201, 'POST', 'eval-suites/import', { content });
  const written = await fixture.get(200, 'GET', `eval-suites/${suiteId}/export`);
  const { run, trials } = await fixture.run(suiteId);
  expect(trials.map(({ caseId, result }) => [caseId, result])).toEqual([
    ...[
      ['weather', 'passed'],
      ['weather', 'passed'],
      ['clock', 'failed'],
    ],
  ]);
  const verdicts = run.verdictSummary.cases.map((one: { caseId: string; verdict: string }) => [
    ...[one.caseId, one.verdict],
  ]);
  expect(Object.fromEntries(verdicts)).toEqual({ weather: 'passed', clock: 'failed' });
  expect(run.result).toBe('failed');
  expect(run.caseTitles).toEqual({ weather: 'Weather', clock: 'Clock' });
  expect(await fixture.get(200, 'GET', `eval-suites/${suiteId}/export`)).toEqual(written);
  const again = { content: written.content };
  await fixture.get(201, 'POST', 'eval-suites/import', again);
  expect(await fixture.get(200, 'GET', `eval-suites/${suiteId}/export`)).toEqual(written);
});

test('a suite file may call its servers otherwise than they are saved', async () => {
  const theirs = 'As the file says';
  const named = { toolName: 'weather', serverName: theirs };
  const file = suiteFile(unique('suite'), {
    target: { servers: [{ name: theirs }] },
    defaults: { model: 'local/one', repetitions: 1, passThreshold: 1, validity: {} },
    cases: [
      {
        id: 'weather',
        title: 'Weather',
        steps: [{ id: 'call', kind: 'toolCall', arguments: { city: 'Rome' }, ...named }, ask],
        assertions: [{ type: 'toolCalledAtLeastOnce', ...named }],
      },
    ],
  });
  const body = { content: JSON.stringify(file), serverIds: { [theirs]: serverId } };
  const made = await fixture.get(201, 'POST', 'eval-suites/import', body);
  const { trials } = await fixture.run(made.suiteId);
  expect(trials).toMatchObject([{ status: 'completed', result: 'passed' }]);
  const again = await fixture.get(201, 'POST', 'eval-suites/import', body);
  expect([made.warnings, again.warnings]).toEqual([[], []]);
  const written = await fixture.get(200, 'GET', `eval-suites/${made.suiteId}/export?format=json`);
  expect(JSON.parse(written.content)).toEqual(file);
});
