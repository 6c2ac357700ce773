import { type EvalFixture, startEvalFixture } from '@proofmark/harness/eval-fixture.ts';
import type { ModelScript } from '@proofmark/harness/model-servers/start-openai-server.ts';
import { createReporter, passing, unique } from '@proofmark/harness/reporter.ts';
import { whole } from '@proofmark/harness/stage-row.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

let fixture: EvalFixture;
let serverId: string;

const answers: ModelScript = ({ messages }) =>
  messages.some(({ role }) => role === 'tool')
    ? { text: 'It is sunny in Rome.' }
    : { toolCalls: [{ name: 'weather', arguments: { city: 'Rome' } }] };

beforeAll(async () => {
  fixture = await startEvalFixture(
    { one: answers },
    {},
    { one: { inputPerMillion: 1, outputPerMillion: 2 } },
  );
  serverId = (await fixture.mcpServer()).id;
});
afterAll(() => fixture.stop());

const suite = () =>
  fixture.suite({
    serverIds: [serverId],
    cases: [{ title: 'Weather', steps: whole, iterations: 5, passThreshold: 0.8 }],
  });

const plan = (suiteId: string, body: object, status = 200) =>
  fixture.get(status, 'POST', `eval-suites/${suiteId}/plan`, body);

describe('planning for a drop', () => {
  test('tells trials of both plans, of today, and no cost without a history', async () => {
    const suiteId = await suite();
    const planned = await plan(suiteId, { drop: 0.1 });
    expect(planned).toMatchObject({ suiteId, drop: 0.1 });
    expect(planned.cases).toEqual([
      expect.objectContaining({
        title: 'Weather',
        model: 'local/one',
        healthyRate: 0.95,
        deterministic: false,
        fixed: expect.objectContaining({ trials: 77, passes: 70 }),
        sequential: expect.objectContaining({ cap: 92, look: 4 }),
        today: { trials: 5, passThreshold: 0.8, smallestDrop: 0.534 },
        cost: null,
      }),
    ]);
    expect(planned.cases[0].sequential.meanHealthy).toBeCloseTo(43.47, 2);
    expect(planned.run).toMatchObject({ cases: 1, fixed: 77, worst: 92, cost: null });
    expect(planned.run.falseFailOfRun).toBeCloseTo(0.0454, 4);
  });

  test('costs what trials of earlier runs cost', async () => {
    const suiteId = await suite();
    const { run } = await fixture.run(suiteId);
    const { cases, run: whole } = await plan(suiteId, { drop: 0.1 });
    const [{ cost, sequential }] = cases;
    expect(cost.fixed.credits).toBeCloseTo((run.spending.credits / 5) * 77, 6);
    expect(cost.worst.credits).toBeCloseTo((run.spending.credits / 5) * 92, 6);
    expect(cost.mean.minutes / cost.worst.minutes).toBeCloseTo(sequential.meanHealthy / 92, 6);
    expect(cost.worst.minutes).toBeGreaterThan(0);
    expect(whole.cost).toEqual(cost);
  });

  test('names the smallest drop where 200 trials show none so small', async () => {
    const { cases } = await plan(await suite(), { drop: 0.02, healthyRate: 0.9, look: 1 });
    expect(cases[0]).toMatchObject({ sequential: null, healthyRate: 0.9 });
    expect(cases[0].smallestDrop).toBeGreaterThan(0.02);
  });

  test('takes the healthy rate of the plan that a suite states', async () => {
    const suiteId = await fixture.suite({
      serverIds: [serverId],
      cases: [{ title: 'Weather', steps: whole, trials: { healthyRate: 0.8, drop: 0.2 } }],
    });
    const [{ healthyRate, today }] = (await plan(suiteId, { drop: 0.2 })).cases;
    expect([healthyRate, today.trials]).toEqual([0.8, 52]);
    expect(today.passThreshold).toBeCloseTo(0.7067, 4);
  });

  test('needs one trial of a case on the built-in model', async () => {
    const server = await fixture.mcpServer();
    const call = {
      id: 's1',
      kind: 'toolCall',
      serverName: server.name,
      toolName: 'weather',
      arguments: { city: 'Rome' },
    };
    const planOn = async (models: object) => {
      const cases = [{ title: 'Calls', steps: [call], ...models }];
      return plan(await fixture.suite({ serverIds: [server.id], cases }), { drop: 0.1 });
    };
    const { cases, run } = await planOn({ models: [{ model: 'proofmark/lexical-1' }] });
    expect(cases[0]).toMatchObject({ deterministic: true, fixed: { trials: 1, passes: 1 } });
    expect(run).toMatchObject({ fixed: 1, mean: 1, worst: 1, falseFailOfRun: 0 });
    // A server may ask the model in the middle of a call.
    expect((await planOn({})).cases[0]).toMatchObject({ deterministic: false });
  });

  test.each([
    [{}, 'body.drop'],
    [{ drop: 0.95 }, 'body.drop'],
    [{ drop: 0.5, healthyRate: 0.4 }, 'body.drop'],
    [{ drop: 0.1, miss: 0.5 }, 'body.miss'],
    [{ drop: 0.1, look: 21 }, 'body.look'],
    [{ drop: 0.1, more: 1 }, 'body.more'],
  ])('refuses %j', async (body, path) => {
    const answer = await fixture.ask('POST', `eval-suites/${await suite()}/plan`, body);
    expect([answer.status, answer.body.details.path]).toEqual([400, path]);
  });
});

describe('the flaky cases of a suite', () => {
  const report = async (suiteName: string, results: string) => {
    const { body } = await createReporter(fixture.service, fixture.tenant).ingest('report', {
      suiteName,
      results: Array.from(results, (one) => ({ ...passing, caseId: 'adds', passed: one === '1' })),
    });
    return (await fixture.get(200, 'GET', `eval-runs/${body.runId}`)).suiteId as string;
  };

  test('are named with the lines that let them fail', async () => {
    const suiteName = unique('suite');
    await report(suiteName, '0011');
    const suiteId = await report(suiteName, '0101');
    const flaky = await fixture.get(200, 'GET', `eval-suites/${suiteId}/flaky`);
    expect(flaky.cases).toEqual([
      {
        testCaseId: expect.any(String),
        caseId: 'adds',
        title: 'adds numbers',
        model: null,
        state: 'flaky',
        steady: false,
        runs: 2,
        trials: 8,
        passed: 4,
        quarantined: false,
      },
    ]);
    expect(flaky.suggestion).toContain('  - case: "adds"\n');
    const expiresAt = Date.now() + 86_400_000;
    const entry = { caseId: 'adds', owner: 'ann', reason: 'Looked into.', expiresAt };
    await fixture.get(201, 'POST', `eval-suites/${suiteId}/quarantine`, entry);
    const after = await fixture.get(200, 'GET', `eval-suites/${suiteId}/flaky`);
    expect(after).toMatchObject({ cases: [{ quarantined: true }], suggestion: null });
  });

  test('are none where all trials passed, which is told as steady', async () => {
    const suiteId = await report(unique('suite'), '1'.repeat(59));
    expect(await fixture.get(200, 'GET', `eval-suites/${suiteId}/flaky`)).toMatchObject({
      cases: [{ state: 'undetermined', steady: true }],
      suggestion: null,
    });
  });
});
