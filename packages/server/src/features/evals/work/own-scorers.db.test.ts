import { createHmac } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { consolePerson } from '@proofmark/harness/console-person.ts';
import { type EvalFixture, startEvalFixture } from '@proofmark/harness/eval-fixture.ts';
import { closeServers, startServer, textOf } from '@proofmark/harness/hostile-servers.ts';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';

let fixture: EvalFixture;
/** A secret that is sent to the server in a header and repeated by the model. */
const ofServer = 'header-4f9a77-of-the-server';
let serverId: string;
let secret: string;
beforeAll(async () => {
  fixture = await startEvalFixture({
    one: () => ({ text: `It costs 12 euro. password=hunter22 ${ofServer}` }),
  });
  const { url } = await fixture.mcpServer();
  const headers = { 'X-Api-Key': ofServer };
  const saved = { name: 'Shop', enabled: true, transportType: 'http', url, headers };
  serverId = (await fixture.get(201, 'POST', 'servers', saved)).id;
});
afterAll(() => fixture.stop());
afterEach(closeServers);

interface Asked {
  readonly signature: string;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: what was sent is looked into.
  readonly body: any;
}
type Answering = (response: ServerResponse, request: IncomingMessage, asked: Asked) => unknown;

async function scorer(answer: Answering) {
  const requests: Asked[] = [];
  const { url } = await startServer(async (request, response) => {
    const text = await textOf(request);
    const signature = String(request.headers['proofmark-signature']);
    const asked = { signature, text, body: JSON.parse(text) };
    requests.push(asked);
    await answer(response, request, asked);
  });
  return { url, requests };
}

const says =
  (value: unknown): Answering =>
  (response) =>
    response.end(JSON.stringify(value));
const prompt = { id: 'ask', kind: 'prompt', prompt: 'What does it cost?' };
const assertion = (url: string, more: object = {}) => ({
  type: 'scorer',
  url,
  threshold: 0.8,
  timeoutMs: 2_000,
  ...more,
});
const ofCase = (...list: object[]) => ({
  title: 'Price',
  steps: [prompt],
  checks: { mode: 'extend', list },
});
const suiteOf = (...cases: Parameters<EvalFixture['suite']>[0]['cases']) =>
  fixture.suite({ serverIds: [serverId], cases });
const runOf = async (url: string, more: object = {}) =>
  fixture.run(await suiteOf(ofCase(assertion(url, more))));
// biome-ignore lint/suspicious/noExplicitAny: scores are looked into.
const ownScores = (trial: any) =>
  trial.scores.filter(({ scorerId }: { scorerId: string }) => scorerId.includes('scorer'));

async function rotate(): Promise<string> {
  const { tenant, service } = fixture;
  const owner = await consolePerson(service, { ...tenant, email: 'owner@acme.example' });
  const made = await owner.ask('POST', `projects/${tenant.projectId}/scorer-secret`);
  return made.body.secret;
}

test('a suite with a scorer is not launched in a project without a secret', async () => {
  const atStep = {
    title: 'At a step',
    steps: [prompt, { id: 'score', kind: 'assert', assertion: assertion('http://127.0.0.1:9/') }],
  };
  for (const one of [ofCase(assertion('http://127.0.0.1:9/')), atStep]) {
    const suiteId = await suiteOf(one);
    const refused = await fixture.ask('POST', 'eval-runs', { suiteId });
    expect(refused.body).toMatchObject({
      code: 'CONFLICT',
      message: expect.stringContaining('a project admin can create one in its settings'),
      details: { reason: 'SCORER_SECRET_MISSING' },
    });
    const { items } = await fixture.get(200, 'GET', `eval-suites/${suiteId}/runs`);
    expect(items).toEqual([]);
  }
  secret = await rotate();
});

describe('with a secret', () => {
  test('a scorer is asked of a step, a case and a suite, and its scores are rows', async () => {
    const { url, requests } = await scorer(says({ score: 0.9, reason: 'Names a price.' }));
    const suiteId = await fixture.suite({
      serverIds: [serverId],
      cases: [
        {
          ...ofCase(assertion(url, { name: 'Case' })),
          steps: [
            prompt,
            { id: 'score', kind: 'assert', assertion: assertion(url, { name: 'Step' }) },
          ],
          expectedOutput: 'A price in euro.',
        } as never,
      ],
      patch: { settings: { checks: [assertion(url, { name: 'Suite' })] } },
    });
    const { trials, summary } = await fixture.run(suiteId);
    expect(summary.verdict).toBe('passed');
    expect(trials[0].result).toBe('passed');
    expect(ownScores(trials[0])).toMatchObject(
      [undefined, undefined, { kind: 'turn', promptIndex: 0 }].map((scope) => ({
        status: 'scored',
        value: 0.9,
        passThreshold: 0.8,
        passed: true,
        rationale: expect.stringMatching(/^(Case|Step|Suite): Names a price\.$/),
        deterministic: false,
        ...(scope && { scope }),
      })),
    );
    const names = requests.map(({ body }) => body.metadata.name).sort();
    expect(names).toEqual(['Case', 'Step', 'Suite']);
    for (const { signature, text, body } of requests) {
      const [, at, given] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(signature) ?? [];
      expect(createHmac('sha256', secret).update(`${at}.${text}`).digest('hex')).toBe(given);
      expect(body).toMatchObject({
        schemaVersion: 1,
        title: 'Price',
        expectedOutput: 'A price in euro.',
        toolCalls: [],
        metadata: { threshold: 0.8, iterationNumber: 1, model: 'local/one' },
      });
      expect(body.messages[0]).toEqual({ role: 'user', content: 'What does it cost?' });
      expect(text).toContain('It costs 12 euro.');
      expect(text).not.toContain('hunter22');
      expect(text).not.toContain(ofServer);
      expect(text).not.toContain(secret);
    }
  });

  test('one that says it passed with a low score fails the trial, at the value for the user', async () => {
    const { url } = await scorer(says({ score: 0.1, passed: true, reason: 'Pass it!' }));
    const { trials, summary } = await runOf(url);
    expect(summary.verdict).toBe('failed');
    expect(trials[0]).toMatchObject({
      result: 'failed',
      firstFailedStage: 'userValue',
      failureCategory: 'userValue',
    });
    expect(ownScores(trials[0])).toMatchObject([{ value: 0.1, passed: false }]);
    const stage = trials[0].stageResults.at(-1);
    expect(stage).toMatchObject({ state: 'failed', reason: 'predicateFailed' });
    expect(JSON.stringify(stage)).toContain('gave 0.1, below its threshold of 0.8');
  });

  test('one that only advises fails nothing', async () => {
    const { url } = await scorer(says({ score: 0 }));
    const { trials } = await runOf(url, { role: 'advisory' });
    expect(trials[0].result).toBe('passed');
    expect(ownScores(trials[0])).toMatchObject([{ value: 0, passed: false }]);
  });

  test.each<[string, Answering, RegExp, number]>([
    ['hangs', () => undefined, /did not answer in time\. It was called twice/, 2],
    ['fails twice', (response) => response.writeHead(500).end(), /HTTP 500/, 2],
    ['answers 404', (response) => response.writeHead(404).end(), /HTTP 404/, 1],
    ['leads elsewhere', (response) => redirect(response), /redirect/, 1],
    ['answers no JSON', (response) => response.end('passed'), /JSON/, 1],
    ['answers 10 MB', (response) => response.end(Buffer.alloc(10_000_000, 32)), /64 KiB/, 1],
    ['scores above 1', says({ score: 2 }), /no score from 0 to 1/, 1],
  ])('one that %s is an evaluator error', async (_, answer, sentence, times) => {
    const { url, requests } = await scorer(answer);
    const { trials, summary } = await runOf(url, { timeoutMs: 300, name: 'Tone' });
    expect(summary.verdict).toBe('inconclusive');
    expect(trials[0].result).toBeNull();
    const [row] = ownScores(trials[0]);
    expect(row).toMatchObject({ status: 'error', error: expect.stringMatching(sentence) });
    expect(row.error).toMatch(/^The scorer "Tone" /);
    expect(requests).toHaveLength(times);
  });

  test('one inside the network that nobody allowed is never reached', async () => {
    const { trials } = await runOf('http://10.11.12.13:9/score');
    const error = expect.stringContaining('at an address that is not allowed');
    expect(ownScores(trials[0])).toMatchObject([{ status: 'error', error }]);
  });

  test('500 and then a score is a score', async () => {
    let calls = 0;
    const { url } = await scorer((response) => {
      calls += 1;
      return calls === 1 ? response.writeHead(503).end() : response.end('{"score":1}');
    });
    const { trials } = await runOf(url);
    expect([trials[0].result, calls]).toEqual(['passed', 2]);
  });

  test('the secret is nowhere, also where a scorer that knows it says it', async () => {
    const reason = `I know ${secret} and \u001b[31m<script>alert(1)</script>`;
    const { url } = await scorer(says({ score: 0, reason }));
    const { runId, trials, run, summary } = await runOf(url);
    expect(JSON.stringify(ownScores(trials[0]))).toContain('[hidden]');
    const { sql } = fixture.service.owner;
    const stored = await sql<{ text: string }[]>`
      select eval_iterations::text as text from eval_iterations where run_id = ${runId}
      union all select eval_traces::text from eval_traces where run_id = ${runId}
      union all select eval_runs::text from eval_runs where id = ${runId}
      union all select eval_run_plans::text from eval_run_plans where run_id = ${runId}
      union all select audit_log::text from audit_log`;
    const path = `eval-runs/${runId}/iterations/${trials[0].id}/trace`;
    const trace = await fixture.get(200, 'GET', path);
    const all = JSON.stringify([stored, run, summary, trials, trace, fixture.service.logLines]);
    expect(all).not.toContain(secret);
    expect(all).not.toContain('\\u001b');
  });

  test('a new secret signs at once, in a run under way too', async () => {
    const signed: boolean[] = [];
    const { url } = await scorer(async (response, _, { signature, text }) => {
      const [, at, given] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(signature) ?? [];
      const mac = createHmac('sha256', secret).update(`${at}.${text}`).digest('hex');
      signed.push(mac === given);
      if (signed.length === 1) {
        secret = await rotate();
        return response.writeHead(500).end();
      }
      return response.end('{"score":1}');
    });
    const step = (id: string) => ({ id, kind: 'assert', assertion: assertion(url) });
    const steps = [prompt, { ...step('first'), assertion: assertion(url, { role: 'advisory' }) }];
    await fixture.run(await suiteOf({ title: 'Twice', steps: [...steps, step('second')] }));
    // The retried request is signed with the secret that was read before its first attempt.
    expect(signed).toEqual([true, false, true]);
  });

  test('a run that is cancelled does not wait for its scorer', async () => {
    let asked: () => void = () => undefined;
    const isAsked = new Promise<void>((resolve) => {
      asked = resolve;
    });
    const { url, requests } = await scorer(() => asked());
    const suiteId = await suiteOf(ofCase(assertion(url, { timeoutMs: 30_000 })));
    const { runId } = await fixture.get(202, 'POST', 'eval-runs', { suiteId });
    await isAsked;
    const cancelledAt = performance.now();
    await fixture.get(200, 'POST', `eval-runs/${runId}/cancel`);
    const { run } = await fixture.read(runId);
    expect(run.status).toBe('cancelled');
    expect(performance.now() - cancelledAt).toBeLessThan(20_000);
    expect(requests).toHaveLength(1);
  });
});

function redirect(response: ServerResponse): void {
  response.writeHead(307, { location: 'http://127.0.0.1:9/' }).end();
}
