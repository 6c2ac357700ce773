import { gunzipSync } from 'node:zlib';
import { canonicalJson, wholeRequests } from '@proofmark/domain';
import { type EvalFixture, startEvalFixture } from '@proofmark/harness/eval-fixture.ts';
import {
  type FakeMcpServer,
  rpcResult,
  sendJson,
  startFakeMcpServer,
} from '@proofmark/harness/mcp-servers/fake-mcp-server.ts';
import { unique } from '@proofmark/harness/reporter.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sha256Hex } from '../../../kernel/sha256-hex.ts';
import { removeTraces } from '../../retention/store/remove-retained.ts';
import { deleteUnnamedRecordings } from '../store/recordings.ts';

const header = 'canary-4f9a77-header';
const inQuery = 'canary-query-of-the-url';
const canaryOfTool = 'canary-told-by-the-tool';
let fixture: EvalFixture;
let server: FakeMcpServer;
let serverId: string;
let serverName: string;

beforeAll(async () => {
  fixture = await startEvalFixture({
    one: ({ messages }) => {
      const answered = messages.filter(({ role }) => role === 'tool').length;
      if (answered < 2) return { toolCalls: [{ name: 'echo', arguments: { city: 'Rome' } }] };
      return { text: `It is sunny. I use sk-operator.` };
    },
    long: () => ({ text: 'x'.repeat(1_500_000) }),
  });
  server = await startFakeMcpServer({
    'tools/list': {
      tools: [{ name: 'echo', inputSchema: { type: 'object', properties: { token: {} } } }],
    },
    'tools/call': (response, request) => {
      const got = String(request.headers['x-api-key']);
      const text = `I got ${got} and ${inQuery}, {"apiKey": "${canaryOfTool}", "city": "Rome"}.`;
      const content = [{ type: 'text', text: text }];
      sendJson(
        response,
        rpcResult(request, { content, structuredContent: { got, token: canaryOfTool } }),
      );
    },
  });
  serverName = unique('Echo');
  const { origin } = new URL(server.url);
  ({ id: serverId } = await fixture.get(201, 'POST', 'servers', {
    name: serverName,
    enabled: true,
    transportType: 'http',
    url: `${origin}/mcp?token=${inQuery}`,
    headers: { 'X-Api-Key': header },
  }));
});
afterAll(async () => {
  await fixture.stop();
  await server.stop();
});

const ask = { id: 'ask', kind: 'prompt', prompt: 'What is the weather?' };
const sunny = (id: string, needle = 'sunny') => ({
  id,
  kind: 'assert',
  assertion: { type: 'responseContains', needle },
});

function suite(settings: object = {}, more: { model?: string; steps?: readonly object[] } = {}) {
  const { model = 'local/one', steps = [ask, sunny('said')] } = more;
  const cases = [{ title: 'weather', steps }];
  return fixture.suite({ serverIds: [serverId], model, settings, cases });
}

function recordingOf(runId: string, trialId: string, status = 200) {
  return fixture.get(status, 'GET', `eval-runs/${runId}/iterations/${trialId}/recording`);
}

describe('a recording', () => {
  test('holds every request to the model and every call, in order, with what came back', async () => {
    const { runId, trials } = await fixture.run(await suite());
    const [trial] = trials;
    expect(trial.result).toBe('passed');
    const { schemaVersion, servers, exchanges } = await recordingOf(runId, trial.id);
    expect(schemaVersion).toBe(1);
    expect(servers).toEqual([
      expect.objectContaining({
        serverName,
        initialize: expect.objectContaining({ protocolVersion: expect.any(String) }),
        tools: [{ name: 'echo', inputSchema: { type: 'object', properties: { token: {} } } }],
      }),
    ]);
    expect(exchanges.map(({ kind }: { kind: string }) => kind)).toEqual(
      ['model', 'call', 'model', 'call', 'model'].map(String),
    );
    const [first, call, , again, last] = exchanges;
    expect(first.request).toMatchObject({
      model: 'local/one',
      messages: [{ role: 'user', content: 'What is the weather?' }],
    });
    expect(first.request.tools).toHaveLength(1);
    expect(first.answer).toMatchObject({ finishReason: expect.any(String), usage: {} });
    expect(call).toMatchObject({
      serverName,
      toolName: 'echo',
      arguments: { city: 'Rome' },
      nth: 1,
    });
    expect(call.durationMs).toEqual(expect.any(Number));
    expect(again.nth).toBe(2);
    // The stored request leaves out the tools and the earlier messages, because they equal those of
    // the preceding request.
    expect(last.request).toMatchObject({ after: 2, keptMessages: 3 });
    expect(last.request.tools).toBeUndefined();
    expect(last.answer.text).toContain('It is sunny.');
  });

  test('holds no secret of headers, address, keys and telling names, in the database or the answer', async () => {
    const { runId, trials } = await fixture.run(await suite());
    const shown = await recordingOf(runId, trials[0].id);
    const { sql } = fixture.service.owner;
    const stored = await sql<{ content: Buffer; durations: string }[]>`
      select content, durations from trial_recordings join recordings using (organization_id, hash)
      where run_id = ${runId}`;
    const trace = await fixture.get(
      ...([200, 'GET', `eval-runs/${runId}/iterations/${trials[0].id}/trace`] as const),
    );
    expect(JSON.stringify(trace)).toContain('$redacted');
    expect(JSON.stringify(trace)).toContain('inputTokens');
    const texts = stored.map(({ content, durations }) => `${gunzipSync(content)} ${durations}`);
    const all = JSON.stringify([shown, texts, trials, trace]);
    expect(all).toContain('$redacted');
    expect(all).toContain('city');
    for (const secret of [header, inQuery, canaryOfTool, 'sk-operator'])
      expect(all).not.toContain(secret);
  });

  test('is known by the hash of its content, and equal trials share one', async () => {
    const { runId, trials } = await fixture.run(await suite(), { iterationOverride: 3 });
    const hashes = new Set(trials.map(({ recording }) => recording.hash));
    expect(hashes.size).toBe(1);
    const { sql } = fixture.service.owner;
    const rows = await sql<{ hash: string; content: Buffer }[]>`
      select hash, content from recordings where hash = ${[...hashes][0]}`;
    expect(rows).toHaveLength(1);
    const content = gunzipSync(rows[0]?.content ?? Buffer.alloc(0)).toString();
    expect(sha256Hex(content)).toBe(rows[0]?.hash);
    expect(canonicalJson(JSON.parse(content))).toBe(content);
    const requests = wholeRequests(JSON.parse(content).exchanges);
    expect(requests).toHaveLength(3);
    for (const { request, exchange } of requests) {
      expect(exchange.hash).toBe(sha256Hex(canonicalJson(request)));
    }
    expect(trials[0].recording).toEqual({
      state: 'kept',
      bytes: Buffer.byteLength(content),
      hash: rows[0]?.hash,
    });
    const named = await sql`select from trial_recordings where run_id = ${runId}`;
    expect(named).toHaveLength(3);
  });
});

describe('what is kept', () => {
  test.each([
    ['failed', 'sunny', 'off'],
    ['failed', 'rainy', 'kept'],
    ['off', 'rainy', 'off'],
    ['all', 'sunny', 'kept'],
  ])('with %s, of an answer in which %s is looked for: %s', async (recordings, needle, state) => {
    const suiteId = await suite({ recordings }, { steps: [ask, sunny('said', needle)] });
    const { settings } = await fixture.get(200, 'GET', `eval-suites/${suiteId}`);
    expect(settings.recordings).toBe(recordings);
    const { runId, trials } = await fixture.run(suiteId);
    expect(trials[0].recording.state).toBe(state);
    const answer = await recordingOf(runId, trials[0].id, state === 'kept' ? 200 : 404);
    if (state === 'off') expect(answer.details).toEqual({ reason: 'NOT_RECORDED' });
  });

  test('is at most 2 MiB; of more it is told how much', async () => {
    const suiteId = await suite({}, { model: 'local/long', steps: [ask, { ...ask, id: 'more' }] });
    const { runId, trials } = await fixture.run(suiteId);
    expect(trials[0].recording).toEqual({
      state: 'tooLarge',
      hash: null,
      bytes: expect.any(Number),
    });
    expect(trials[0].recording.bytes).toBeGreaterThan(2 * 1024 * 1024);
    const { message } = await recordingOf(runId, trials[0].id, 404);
    expect(message).toBe('The recording of this trial was too large to be stored.');
  });

  test('goes with the traces of its run, and its content when nobody names it any more', async () => {
    const { runId, trials } = await fixture.run(
      await suite({}, { steps: [{ ...ask, prompt: unique('ask') }] }),
    );
    const { service, tenant } = fixture;
    const { hash } = trials[0].recording;
    const at = tenant.organizationId;
    await service.database.tenant([at], (sql) => removeTraces(sql, at, [runId]));
    const [trial] = (await fixture.read(runId)).trials;
    expect(trial.recording).toEqual({
      state: 'expired',
      bytes: trials[0].recording.bytes,
      hash: null,
    });
    await recordingOf(runId, trial.id, 404);
    const { sql } = service.owner;
    await deleteUnnamedRecordings(service.database);
    expect(await sql`select from recordings where hash = ${hash}`).toHaveLength(1);
    await sql`update recordings set last_named_at = now() - interval '2 days'`;
    await deleteUnnamedRecordings(service.database);
    expect(await sql`select from recordings where hash = ${hash}`).toHaveLength(0);
    expect(await sql`select from recordings`).not.toHaveLength(0);
  });

  test('goes with its run', async () => {
    const { runId } = await fixture.run(await suite());
    await fixture.get(200, 'DELETE', `eval-runs/${runId}`);
    const { sql } = fixture.service.owner;
    expect(await sql`select from trial_recordings where run_id = ${runId}`).toHaveLength(0);
  });
});
