import {
  createLauncher,
  type Launcher,
  weatherSteps as steps,
} from '@proofmark/harness/launcher.ts';
import type { ProjectCaller } from '@proofmark/harness/project-caller.ts';
import { createReporter, passing, unique } from '@proofmark/harness/reporter.ts';
import { startTestService, type TestService } from '@proofmark/harness/test-service.ts';
import { createTenant, type Tenant } from '@proofmark/harness/two-tenants.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createModelGateway } from '../../../../outside/model/create-model-gateway.ts';
import { defaultRunLimits } from '../../../../platform/spending/run-limits.ts';

const modelsAt = (inputPerMillion: number) =>
  createModelGateway({
    egress: { allowLoopback: true, allowedPrivateHosts: [] },
    providers: [
      {
        name: 'local',
        kind: 'openai-compatible',
        baseUrl: 'http://127.0.0.1:1/v1',
        models: [{ name: 'paid', inputPerMillion, outputPerMillion: 8 }, { name: 'unpriced' }],
      },
    ],
  });
const models = modelsAt(2);

let service: TestService;
let tenant: Tenant;
let other: Tenant;
let ask: ProjectCaller;
let suite: Launcher['suite'];
beforeAll(async () => {
  const runLimits = { ...defaultRunLimits, concurrentRuns: 10_000 };
  service = await startTestService({ models, runLimits });
  tenant = await createTenant(service, 'acme');
  other = await createTenant(service, 'globex');
  ({ ask, suite } = createLauncher(service, tenant));
});
afterAll(async () => {
  await service.stop();
  await models.close();
});

describe('comparing', () => {
  const report = async (suiteName: string, results: object[]) => {
    const answer = await createReporter(service, tenant).ingest('report', { suiteName, results });
    if (answer.status !== 200) throw new Error(answer.text);
    return answer.body.runId as string;
  };
  const result = (caseTitle: string, passed: boolean, tokens = 10) => ({
    ...passing,
    caseTitle,
    passed,
    tokens: { total: tokens },
    ...(passed ? {} : { error: `${caseTitle} broke.` }),
  });

  test('finds what regressed, was fixed, is new, is gone and is flaky', async () => {
    const suiteName = unique('Compared');
    const base = await report(suiteName, [
      result('same', true),
      result('worse', true),
      result('better', false),
      result('gone', true),
      result('flaky', true),
    ]);
    const run = await report(suiteName, [
      result('same', true),
      result('worse', false),
      result('better', true),
      result('new', true),
      result('flaky', true),
      result('flaky', false, 20),
    ]);
    const compared = await ask('GET', `eval-runs/${run}/compare`);
    expect(compared.status, compared.text).toBe(200);
    expect(compared.body.baseline).toEqual({ policy: 'previous_completed', baseRunId: base });
    const byTitle = Object.fromEntries(
      compared.body.cases.map((one: { title: string; status: string }) => [one.title, one.status]),
    );
    expect(byTitle).toEqual({
      same: 'unchanged_passed',
      worse: 'regressed',
      better: 'fixed',
      new: 'new_case',
      gone: 'removed_case',
      flaky: 'regressed',
    });
    const worse = compared.body.cases.find((one: { title: string }) => one.title === 'worse');
    expect(worse).toMatchObject({
      configChanged: false,
      base: { outcome: 'passed', error: null },
      compare: { outcome: 'failed', error: 'worse broke.' },
    });
    expect(worse.compare.representativeIterationId).toBe(worse.compare.iterationIds[0]);
    expect(compared.body).toMatchObject({
      baseRun: { id: base, runNumber: 1 },
      compareRun: { id: run, runNumber: 2, result: 'failed' },
      passSummary: { total: { base: 5, compare: 6, delta: 1, percentDelta: 20 } },
      metrics: {
        totalTokens: { base: 50, compare: 70, delta: 20, percentDelta: 40 },
        estimatedCostUsd: { base: null, compare: null, delta: null, percentDelta: null },
      },
      scoreContract: { evaluationConfigChanged: false, scorers: [] },
    });
    expect(compared.text).not.toContain('cas_');
  });

  test('says of each change whether chance alone could have brought it', async () => {
    const suiteName = unique('Noise');
    const times = (title: string, results: string) =>
      [...results].map((letter) => result(title, letter === 'p'));
    await report(suiteName, [
      ...times('real', 'ppppp'),
      ...times('noise', 'ppppp'),
      ...times('few', 'pp'),
      ...times('gone', 'ppppp'),
    ]);
    const run = await report(suiteName, [
      ...times('real', 'fffff'),
      ...times('noise', 'ppppf'),
      ...times('few', 'ff'),
      ...times('new', 'ppppp'),
    ]);
    const { body } = await ask('GET', `eval-runs/${run}/compare`);
    const rows = body.cases.map((one: { title: string; status: string; significance: string }) => [
      ...[one.title, one.status, one.significance],
    ]);
    expect(rows).toEqual([
      ['real', 'regressed', 'outside_noise'],
      ['noise', 'regressed', 'within_noise'],
      ['few', 'regressed', 'too_few'],
      ['new', 'new_case', 'too_few'],
      ['gone', 'removed_case', 'too_few'],
    ]);
    expect(body.correction).toEqual({
      cases: 3,
      level: 0.05,
      gate: 'holm',
      list: 'benjaminiHochberg',
    });
    expect(body.cases[0]).toMatchObject({
      p: expect.closeTo(2 / 252, 12),
      holm: expect.closeTo(6 / 252, 12),
      bh: expect.closeTo(6 / 252, 12),
    });
    expect(body.cases[3]).toMatchObject({ p: null, holm: null, bh: null });
    expect(body.paired).toMatchObject({
      pairs: 3,
      clusters: 3,
      difference: expect.closeTo(-2.2 / 3, 12),
      method: 'none',
      p: null,
      level: 0.05,
      left: [body.cases[4].caseKey],
      right: [body.cases[3].caseKey],
      ungraded: [],
    });
    expect(body.cases[1]).toMatchObject({
      base: { passedTrials: 5, eligibleTrials: 5 },
      compare: { passedTrials: 4, eligibleTrials: 5 },
    });
  });

  test('pairs each of several models of a case with itself, in one cluster', async () => {
    const suiteName = unique('Models');
    const on = (model: string, passed: boolean) => ({
      ...result('asks', passed),
      model,
      provider: 'local',
    });
    await report(suiteName, [on('one', true), on('two', true), on('two', true), on('old', true)]);
    const run = await report(suiteName, [on('one', true), on('two', false), on('two', true)]);
    const { body } = await ask('GET', `eval-runs/${run}/compare`);
    expect(body.paired).toMatchObject({
      pairs: 2,
      clusters: 1,
      difference: -0.25,
      left: [`${body.cases[0].caseKey} on local/old`],
      right: [],
    });
    expect(body.correction.cases).toBe(1);
  });

  test('names what a launched case asked for before and asks for now', async () => {
    const suiteId = await suite({
      tests: [
        { title: 'A', steps },
        { title: 'B', steps: [steps[0]] },
      ],
    });
    const cases = (await ask('GET', `eval-suites/${suiteId}/cases`)).body.items;
    const base = (await ask('POST', 'eval-runs', { suiteId })).body.runId;
    const edited = await ask('PATCH', `eval-suites/${suiteId}/cases/${cases[0].id}`, {
      steps: [steps[0]],
    });
    expect(edited.status, edited.text).toBe(200);
    const run = (await ask('POST', 'eval-runs', { suiteId })).body.runId;
    const compared = await ask('GET', `eval-runs/${run}/compare?baseRunId=${base}`);
    expect(compared.status, compared.text).toBe(200);
    expect(compared.body.baseline).toEqual({ policy: 'run', baseRunId: base });
    expect(compared.body.baseRun.result).toBe('pending');
    const changed = compared.body.cases.map((one: { configChanged: boolean }) => one.configChanged);
    expect(changed).toEqual([true, false]);
    for (const one of compared.body.cases) {
      expect(one).toMatchObject({ status: 'changed', base: { outcome: 'absent' } });
    }
  });

  test('estimates the cost by the prices at the launch, and not where one is missing', async () => {
    const call = { id: 'call', kind: 'toolCall', serverName: 'Any', toolName: 'ping' };
    const suiteId = await suite({
      tests: [
        { title: 'Asks', steps, runs: 2 },
        { title: 'Asks nothing', steps: [{ ...call, arguments: {} }] },
      ],
    });
    const { sql } = service.owner;
    const launched = async (model = 'local/paid') => {
      await ask('PATCH', `eval-suites/${suiteId}`, { executionConfig: { model } });
      return (await ask('POST', 'eval-runs', { suiteId })).body.runId as string;
    };
    const ended = async (runId: string, usage: object | null) => {
      await sql`
        update eval_iterations set status = 'completed', result = 'passed', started_at = now(),
          usage = case when title = 'Asks' then ${usage && JSON.stringify(usage)} end
        where run_id = ${runId}`;
    };
    const priced = await launched();
    const half = await launched();
    const stopped = await launched();
    const open = await launched();
    const unpriced = await launched('local/unpriced');
    const free = await launched('proofmark/lexical-1');
    const usage = { inputTokens: 1_000_001, outputTokens: 500 };
    for (const runId of [priced, unpriced, free]) await ended(runId, usage);
    await ended(half, { inputTokens: 10 });
    await ask('POST', `eval-runs/${stopped}/cancel`);

    const dearer = modelsAt(1000);
    const later = await service.another({ models: dearer });
    const { ask: askLater } = createLauncher({ ...service, baseUrl: later.baseUrl }, tenant);
    const costs: Record<string, unknown> = {};
    try {
      for (const [name, runId] of Object.entries({ half, stopped, open, unpriced, free })) {
        const compared = await askLater('GET', `eval-runs/${runId}/compare?baseRunId=${priced}`);
        const { base, compare } = compared.body.metrics.estimatedCostUsd;
        expect(base, name).toBe(4.008004);
        costs[name] = compare;
      }
    } finally {
      await later.stop();
      await dearer.close();
    }
    expect(costs).toEqual({ half: null, stopped: 0, open: null, unpriced: null, free: 0 });
  });

  test('needs a base of the same suite', async () => {
    const first = await report(unique('First'), [result('a', true)]);
    for (const query of ['', `?baseRunId=${tenant.runId}`, `?baseRunId=${other.runId}`]) {
      const refused = await ask('GET', `eval-runs/${first}/compare${query}`);
      expect(refused.status).toBe(404);
      expect(refused.body).toMatchObject({
        code: 'NOT_FOUND',
        details: { reason: 'BASELINE_NOT_FOUND' },
      });
    }
    expect((await ask('GET', `eval-runs/${other.runId}/compare`)).body.details).toBeUndefined();
  });
});
