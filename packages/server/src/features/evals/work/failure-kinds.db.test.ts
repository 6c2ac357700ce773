/**
 * Tests that three kinds of failure stay separate. An unreachable model provider, an unreachable
 * server and a failure of Proofmark give no verdict on a working server, while a broken server is
 * still measured as broken.
 */
import { randomBytes } from 'node:crypto';
import { type EvalFixture, startEvalFixture } from '@proofmark/harness/eval-fixture.ts';
import { rpcResult, sendJson } from '@proofmark/harness/mcp-servers/fake-mcp-server.ts';
import type {
  ChatOutcome,
  ModelScript,
} from '@proofmark/harness/model-servers/start-openai-server.ts';
import { ask, whole } from '@proofmark/harness/stage-row.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createModelGateway } from '../../../outside/model/create-model-gateway.ts';
import type { ModelGateway } from '../../../outside/model/model-gateway.ts';

let fixture: EvalFixture;
let goodId: string;
let badId: string;

const isAnswered: (request: Parameters<ModelScript>[0]) => boolean = ({ messages }) =>
  messages.some(({ role }) => role === 'tool');
const calls = { toolCalls: [{ name: 'weather', arguments: { city: 'Rome' } }] };
const good: ModelScript = (request) =>
  isAnswered(request) ? { text: 'It is sunny in Rome.' } : calls;
const atOnce =
  (outcome: ChatOutcome): ModelScript =>
  () =>
    outcome;
const afterCall =
  (outcome: ChatOutcome): ModelScript =>
  (request) =>
    isAnswered(request) ? outcome : calls;

const outages: Record<string, ChatOutcome> = {
  'answers with HTTP 500': { status: 500 },
  'refuses the key': { status: 401 },
  'limits us': { status: 429 },
  'answers with garbage': 'garbage',
  'cuts the connection': 'cut',
};
const kinds = Object.keys(outages);

beforeAll(async () => {
  const scripts: Record<string, ModelScript> = { one: good, sometimes: good, judge: good };
  for (const [index, kind] of kinds.entries()) {
    scripts[`first-${index}`] = atOnce(outages[kind] as ChatOutcome);
    scripts[`later-${index}`] = afterCall(outages[kind] as ChatOutcome);
  }
  fixture = await startEvalFixture(scripts);
  goodId = (await fixture.mcpServer()).id;
  badId = (
    await fixture.mcpServer({
      'tools/call': { content: [{ type: 'text', text: 'No such city.' }], isError: true },
    })
  ).id;
});
afterAll(() => fixture.stop());

async function play(serverIds: readonly string[], model: string, cases: object[] = [{}]) {
  const suiteId = await fixture.suite({
    serverIds,
    model: `local/${model}`,
    cases: cases.map((more, index) => ({ title: `Case ${index}`, steps: whole, ...more })),
  });
  return fixture.run(suiteId);
}

function chainOf(trial: { stageResults: { state: string; reason: string }[] }) {
  return trial.stageResults.map(({ state, reason }) => `${state} ${reason}`);
}

const unmeasured = 'notMeasured providerError';

describe.each(kinds.map((kind, index) => [kind, index] as const))(
  'a model provider that %s',
  (_, index) => {
    test('before anything was called says nothing about a good server, nor about a bad one', async () => {
      for (const serverId of [goodId, badId]) {
        const { run, summary, trials } = await play([serverId], `first-${index}`);
        expect([run.result, summary.verdict]).toEqual([null, 'inconclusive']);
        expect(trials[0]).toMatchObject({ status: 'failed', result: null });
        expect(trials[0].failureCategory).toBe('setup');
        expect(trials[0].firstFailedStage).toBeUndefined();
        expect(chainOf(trials[0])).toEqual([
          ...['passed observed', 'passed observed', ...Array(4).fill(unmeasured)],
        ]);
      }
    });

    test('after the call leaves what was seen: nothing wrong of a good server', async () => {
      const { summary, trials } = await play([goodId], `later-${index}`);
      expect(summary.verdict).toBe('inconclusive');
      expect(trials[0].firstFailedStage).toBeUndefined();
      expect(trials[0].failureCategory).toBe('setup');
      expect(chainOf(trials[0]).slice(3)).toEqual([
        ...['passed observed', 'passed observed', unmeasured],
      ]);
    });

    test('after the call leaves what was seen: the error of a bad server', async () => {
      const { summary, trials } = await play([badId], `later-${index}`);
      expect(summary.verdict).toBe('inconclusive');
      expect(trials[0]).toMatchObject({
        firstFailedStage: 'response',
        failureCategory: 'serverData',
        result: null,
      });
    });
  },
);

test('a provider that is away for one trial of five takes no verdict from the other four', async () => {
  for (const [serverId, verdict] of [
    [goodId, 'passed'],
    [badId, 'failed'],
  ] as const) {
    let begun = 0;
    fixture.provider.scripts.set('sometimes', (request, ...rest) => {
      if (!isAnswered(request)) begun += 1;
      return begun === 1 ? { status: 401 } : good(request, ...rest);
    });
    const { summary, trials } = await play([serverId], 'sometimes', [{ iterations: 5 }]);
    expect(trials.filter(({ status }) => status === 'failed')).toHaveLength(1);
    expect(summary.verdict).toBe(verdict);
  }
});

test('a case that the provider took away leaves the others as they were measured', async () => {
  const cases = [{ models: [{ model: 'local/first-1' }] }, {}];
  const [ofGood, ofBad] = [await play([goodId], 'one', cases), await play([badId], 'one', cases)];
  const verdicts = ({ summary }: typeof ofGood) =>
    summary.decision.cases.map(({ verdict }: { verdict: string }) => verdict).sort();
  expect([ofGood.summary.verdict, verdicts(ofGood)]).toEqual([
    ...['inconclusive', ['inconclusive', 'passed']],
  ]);
  expect([ofBad.summary.verdict, verdicts(ofBad)]).toEqual([
    ...['inconclusive', ['failed', 'inconclusive']],
  ]);
});

describe('a provider that nobody reaches', () => {
  test('is no verdict on the server', async () => {
    const nowhere = createModelGateway({
      egress: { allowLoopback: true, allowedPrivateHosts: [] },
      limits: { sends: 2, firstWaitMs: 5 },
      providers: [
        {
          name: 'local',
          kind: 'openai-compatible',
          baseUrl: 'http://127.0.0.1:9/v1',
          apiKey: 'sk-operator',
          models: [{ name: 'one' }],
        },
      ],
    });
    await fixture.restartWorker({ models: nowhere });
    const { summary, trials } = await play([goodId], 'one');
    expect(summary.verdict).toBe('inconclusive');
    expect(chainOf(trials[0])[2]).toBe(unmeasured);
    await fixture.restartWorker();
    await nowhere.close();
  });
});

describe('an MCP server that is down', () => {
  test('makes the run inconclusive at the connection, never failed', async () => {
    const down = await fixture.save('http://127.0.0.1:9/mcp');
    const { run, summary, trials } = await play([down.id], 'one', [{}, { iterations: 2 }]);
    expect([run.result, summary.verdict]).toEqual([null, 'inconclusive']);
    for (const trial of trials) {
      expect(trial).toMatchObject({ status: 'setup_failed', firstFailedStage: 'connection' });
      expect(trial.failureCategory).toBe('setup');
    }
  });

  test('takes a good server beside it with it, and neither is failed', async () => {
    const down = await fixture.save('http://127.0.0.1:9/mcp');
    const { summary, trials } = await play([goodId, down.id], 'one');
    expect(summary.verdict).toBe('inconclusive');
    expect(trials[0]).toMatchObject({ status: 'setup_failed', result: null });
  });
});

describe('credentials that are refused in mid-run', () => {
  test.each([401, 403])('HTTP %i: that trial is not graded, and the others stand', async (code) => {
    let begun = 0;
    const { id } = await fixture.mcpServer({
      'tools/call': (response, request) => {
        begun += 1;
        if (begun === 3) return response.writeHead(code).end();
        return sendJson(response, rpcResult(request, { content: [] }));
      },
    });
    const { summary, trials } = await play([id], 'one', [{ iterations: 5 }]);
    expect(summary.verdict).toBe('passed');
    const lost = trials.filter(({ status }) => status === 'setup_failed');
    expect(lost).toHaveLength(1);
    expect(lost[0]).toMatchObject({ result: null, failureCategory: 'setup' });
    expect(chainOf(lost[0])).toEqual([
      ...['passed observed', 'passed observed', ...Array(4).fill('notMeasured setupAborted')],
    ]);
    const trace = `eval-runs/${summary.runId}/iterations/${lost[0].id}/trace`;
    const { spans } = await fixture.get(200, 'GET', trace);
    expect(spans).toContainEqual(expect.objectContaining({ category: 'tool', status: 'error' }));
    expect(trials.filter(({ result }) => result === 'passed')).toHaveLength(4);
  });
});

describe('a failure of our own', () => {
  /**
   * Returns models that sometimes throw a `TypeError`, an error inside Proofmark that no provider
   * causes.
   */
  function broken(breaks: (asked: number) => boolean): ModelGateway {
    let asked = 0;
    return {
      ...fixture.models,
      async generate(...request) {
        asked += 1;
        if (breaks(asked))
          throw new TypeError(`Nobody expected this ${randomBytes(4).toString('hex')}.`);
        return fixture.models.generate(...request);
      },
      close: async () => undefined,
    };
  }

  test('that passes is not seen in what comes of the run', async () => {
    await fixture.restartWorker({ models: broken((asked) => asked <= 2) });
    expect((await play([goodId], 'one')).run.result).toBe('passed');
    await fixture.restartWorker({ models: broken((asked) => asked <= 2) });
    const { run, trials } = await play([badId], 'one');
    expect(run.result).toBe('failed');
    expect(trials[0]).toMatchObject({ firstFailedStage: 'response', iterationNumber: 1 });
    await fixture.restartWorker();
  });

  test('that stays is told as ours: no trace, no stage, no verdict on any server', async () => {
    await fixture.restartWorker({ models: broken(() => true) });
    const [ofGood, ofBad] = await Promise.all([play([goodId], 'one'), play([badId], 'one')]);
    await fixture.restartWorker();
    for (const { run, summary, trials } of [ofGood, ofBad]) {
      expect([run.status, run.result, summary.verdict]).toEqual([
        ...['completed', null, 'inconclusive'],
      ]);
      expect(trials[0]).toMatchObject({ status: 'failed', result: null, failureCategory: 'setup' });
      expect(trials[0].error).toContain('This says nothing about the server.');
      expect(trials[0].error).not.toContain('Nobody expected this');
      expect(new Set(chainOf(trials[0]))).toEqual(new Set(['notMeasured setupAborted']));
    }
  });

  test('of the database, while trials are written, is outlasted', async () => {
    const { sql } = fixture.service.owner;
    await sql`
      create function fail_some_writes() returns trigger language plpgsql as $$
      begin
        if nextval('failing_writes') <= 3 then
          raise exception 'no space left on device' using errcode = '53100';
        end if;
        return new;
      end $$`;
    await sql`create sequence failing_writes`;
    await sql`grant usage on sequence failing_writes to public`;
    await sql`
      create trigger fail_some_writes before update on eval_iterations
      for each row when (new.status in ('completed', 'failed')) execute function fail_some_writes()`;
    try {
      expect((await play([goodId], 'one', [{ iterations: 2 }])).run.result).toBe('passed');
      await sql`alter sequence failing_writes restart`;
      expect((await play([badId], 'one')).run.result).toBe('failed');
      const [row] = await sql`select last_value::int as writes from failing_writes`;
      expect(row?.['writes']).toBeGreaterThan(3);
    } finally {
      await sql`drop trigger fail_some_writes on eval_iterations`;
    }
  });

  test('of the database that stays for one trial is told as ours, and the others are measured', async () => {
    const { sql } = fixture.service.owner;
    await sql`
      create function refuse_trace() returns trigger language plpgsql as $$
      begin raise exception 'not this one' using errcode = '22000'; end $$`;
    await sql`
      create trigger refuse_trace before insert on eval_traces
      for each row when (new.trace like '%unspeakable%') execute function refuse_trace()`;
    try {
      const unspeakable = { ...ask, prompt: 'Something unspeakable' };
      const cases = [{ iterations: 6 }, { steps: [unspeakable] }, { iterations: 5 }];
      const { summary, trials } = await play([goodId], 'one', cases);
      expect(summary.verdict).toBe('inconclusive');
      expect(trials[6]).toMatchObject({ status: 'failed', result: null, failureCategory: 'setup' });
      expect(new Set(chainOf(trials[6]))).toContain('notMeasured setupAborted');
      const others = trials.filter((_, index) => index !== 6);
      expect(others.map(({ result }) => result)).toEqual(Array(11).fill('passed'));
    } finally {
      await sql`drop trigger refuse_trace on eval_traces`;
    }
  });
});

describe('a judge that cannot be asked', () => {
  const goal = { steps: [ask], expectedOutput: 'It says that it is sunny.' };
  const judge = { enabled: true, autoRun: true, model: 'local/judge' };
  const ownKey = { models: [{ model: 'one', provider: 'local' }] };
  const without = (models: Partial<ModelGateway>): ModelGateway => ({
    ...fixture.models,
    close: async () => undefined,
    ...models,
  });

  test.each<[string, () => ModelGateway]>([
    [
      'because its model is not offered any more',
      () => {
        const { hosted, ...offer } = fixture.models.offer;
        const others = hosted.filter(({ id }) => id !== judge.model);
        return without({ offer: { ...offer, hosted: others } });
      },
    ],
    [
      'because we ourselves fail',
      () =>
        without({
          async generate(model, ...rest) {
            if (model.name === 'judge') throw new TypeError('Nobody expected this.');
            return fixture.models.generate(model, ...rest);
          },
        }),
    ],
  ])('has failed in the end, %s, and the result stays', async (_, models) => {
    await fixture.restartWorker({ models: models() });
    const suiteId = await fixture.suite({
      serverIds: [goodId],
      settings: { judge },
      cases: [{ title: 'Goal', ...goal, ...ownKey }],
    });
    const { runId } = await fixture.run(suiteId, { modelApiKeys: { local: 'sk-caller' } });
    const { sql } = fixture.service.owner;
    const goalStatus = async () => {
      // Skips the pauses between attempts, which are not tested here.
      await sql`update leased_work set not_before = now() where not_before > now()`;
      const { judges } = await fixture.get(200, 'GET', `eval-runs/${runId}`);
      return judges.goalCompletion.status;
    };
    await expect.poll(goalStatus, { timeout: 20_000, interval: 100 }).toBe('failed');
    await fixture.restartWorker();
    const { run, trials } = await fixture.read(runId);
    expect(run.result).toBe('passed');
    expect(trials[0]).toMatchObject({ result: 'passed', failureCategory: 'evaluator' });
    expect(trials[0].stageResults[5].reason).toBe('evaluatorError');
    const [row] = await sql`
      select sealed_keys from eval_run_plans where run_id = ${runId}`;
    expect(row?.['sealedKeys']).toBeNull();
  });
});

describe('what was measured', () => {
  test('of a bad server is failed, and of a good one passed', async () => {
    const [ofGood, ofBad] = [await play([goodId], 'one'), await play([badId], 'one')];
    expect([ofGood.summary.verdict, ofBad.summary.verdict]).toEqual(['passed', 'failed']);
    expect(ofBad.trials[0]).toMatchObject({ status: 'completed', failureCategory: 'serverData' });
  });
});
