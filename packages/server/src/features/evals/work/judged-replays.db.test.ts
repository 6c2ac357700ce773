/**
 * Judges and scorers in a replay: their recorded answers are used, even if a provider gives its
 * calls new ids. An unchanged replay calls nothing and spends nothing.
 */
import { type ModelProviderKind, modelProviderKinds } from '@proofmark/domain';
import { consolePerson } from '@proofmark/harness/console-person.ts';
import { type EvalFixture, startEvalFixture } from '@proofmark/harness/eval-fixture.ts';
import { closeServers, startServer, textOf } from '@proofmark/harness/hostile-servers.ts';
import {
  type ProviderServer,
  startProviderServer,
} from '@proofmark/harness/model-servers/start-provider-server.ts';
import { unique } from '@proofmark/harness/reporter.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';

let fixture: EvalFixture;
let provider: ProviderServer;
let server: Awaited<ReturnType<EvalFixture['mcpServer']>>;
let scorerUrl: string;
const scored: string[] = [];
let score = 0.9;
/** A secret that is sent to the server and that the server echoes. */
const ofServer = 'header-77aa31-of-the-server';
let serverId: string;

const weather = (city: string) => ({ name: 'weather', arguments: { city } });
/**
 * A model that calls two tools in parallel in the first turn, the same two in sequence in the
 * second, and then answers.
 */
function play(request: string) {
  if (request.includes('You grade whether')) {
    const judgement = { score: 0.8, reason: 'It says so.', rubricHits: [] };
    return { text: JSON.stringify(judgement) };
  }
  if (!request.includes('And tomorrow?')) {
    return request.includes('Rain in Bern')
      ? { text: 'It rains in Bern.' }
      : { calls: [weather('Rome'), weather('Bern')] };
  }
  const results = request.split('Rain in').length - 1;
  return results < 4 ? { calls: [weather('Rome')] } : { text: 'It rains tomorrow.' };
}

beforeAll(async () => {
  provider = await startProviderServer(play);
  fixture = await startEvalFixture(
    {},
    {},
    {},
    modelProviderKinds.map((kind) => ({
      name: `p-${kind}`,
      kind,
      baseUrl: provider.baseUrl(kind),
      apiKey: 'sk-operator',
      models: [{ name: 'm', inputPerMillion: 100, outputPerMillion: 100 }],
    })),
  );
  server = await fixture.mcpServer({
    'tools/call': (response, { message, headers }) => {
      const { city } = (message['params'] as { arguments: { city: string } }).arguments;
      const text = `Rain in ${city}, by ${headers['x-api-key']}.`;
      const result = { content: [{ type: 'text', text }], structuredContent: { token: 'tok-5' } };
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ jsonrpc: '2.0', id: message['id'], result }));
    },
  });
  const saved = { name: 'Sky', enabled: true, transportType: 'http', url: server.url };
  const headers = { 'X-Api-Key': ofServer };
  serverId = (await fixture.get(201, 'POST', 'servers', { ...saved, headers })).id;
  const scorer = await startServer(async (request, response) => {
    scored.push(await textOf(request));
    response.end(JSON.stringify({ score, reason: `Number ${scored.length}.` }));
  });
  scorerUrl = scorer.url;
  const { tenant, service } = fixture;
  const owner = await consolePerson(service, { ...tenant, email: 'owner@acme.example' });
  await owner.ask('POST', `projects/${tenant.projectId}/scorer-secret`);
});
afterAll(async () => {
  await fixture.stop();
  await provider.stop();
  await closeServers();
});

const asked = () => [provider.requests.length, scored.length, server.requests.length];

async function spent(runId: string): Promise<number | undefined> {
  const [row] = await fixture.service.owner.sql<{ credits: number }[]>`
    select coalesce(sum(credits), 0)::float8 as credits from ledger where ref like ${`%${runId}%`}`;
  return row?.credits;
}

interface CheckOptions {
  readonly outcome?: string;
  readonly threshold?: number;
  readonly name?: string;
}

function checks(
  kind: ModelProviderKind,
  { outcome = 'It rains.', threshold = 0.5, name }: CheckOptions,
) {
  const judge = { type: 'goalCompleted', outcome, judgeModel: `p-${kind}/m`, votes: 3 };
  const scorer = { type: 'scorer', url: scorerUrl, threshold, name: name ?? 'Tone' };
  return [judge, scorer];
}

async function record(kind: ModelProviderKind, parallelToolCalls = false) {
  const title = unique('rain');
  const step = (id: string, assertion: object) => ({ id, kind: 'assert', assertion });
  const [judge, scorer] = checks(kind, {});
  const suiteId = await fixture.suite({
    serverIds: [serverId],
    model: `p-${kind}/m`,
    settings: {
      checks: [judge, scorer],
      judge: { enabled: true, autoRun: true, model: `p-${kind}/m` },
    },
    cases: [
      {
        title,
        steps: [
          { id: 'now', kind: 'prompt', prompt: 'What is the weather?' },
          step('judged', judge ?? {}),
          step('scored', scorer ?? {}),
          { id: 'then', kind: 'prompt', prompt: 'And tomorrow?' },
        ],
      },
    ],
  });
  const namedHostId = await fixture.client({ modelId: `p-${kind}/m`, parallelToolCalls });
  const first = await fixture.run(suiteId, { namedHostId });
  await fixture.judged(first.runId);
  expect(first.trials.map(({ result, error }) => [result, error])).toEqual([['passed', null]]);
  return { suiteId, first, namedHostId };
}

function replayed(
  { suiteId, first, namedHostId }: Awaited<ReturnType<typeof record>>,
  more: object = {},
) {
  const replay = { runId: first.runId, model: 'recorded', servers: 'recorded', ...more };
  return fixture.run(suiteId, { replay, namedHostId });
}

// biome-ignore lint/suspicious/noExplicitAny: trials are looked into.
const outcomeOf = ({ result, scores, stageResults, usage }: any) => ({
  result,
  stageResults,
  usage,
  // `promptHash` is left out: in a replay, a secret in the server's answer gets another redaction
  // mark, which changes the prompt.
  // biome-ignore lint/suspicious/noExplicitAny: scores are looked into.
  scores: scores.map(({ promptHash: _, ...score }: any) => score),
});

test.each(modelProviderKinds.flatMap((kind) => [[kind, false] as const, [kind, true] as const]))(
  'of a run on %s with calls at once: %s it asks nobody, spends nothing and says the same',
  async (kind, parallelToolCalls) => {
    const recorded = await record(kind, parallelToolCalls);
    const { first } = recorded;
    expect(await spent(first.runId)).toBeGreaterThan(0);
    const before = asked();
    const again = await replayed(recorded);
    expect(asked()).toEqual(before);
    expect(await spent(again.runId)).toBe(0);
    expect(again.trials.map(outcomeOf)).toEqual(first.trials.map(outcomeOf));
    expect(again.summary.decision).toEqual(first.summary.decision);
    expect(again.run).toMatchObject({ result: 'passed', replay: { diverged: 0, notRecorded: 0 } });
    // The judge of the whole run is not called either.
    expect(again.run.judges.goalCompletion.status).toBeNull();
    const messages = (run: typeof first) =>
      fixture
        .get(200, 'GET', `eval-runs/${run.runId}/iterations/${run.trials[0].id}/trace`)
        .then((trace) => JSON.stringify(trace.messages));
    expect(await messages(first)).toContain('"toolCallId":"call-4"');
    expect(await messages(first)).not.toMatch(/call_|toolu_/);
    const plain = (text: string) => text.replaceAll(/\[hidden\]|\[redacted\]/g, '');
    expect(JSON.parse(plain(await messages(again)))).toEqual(
      JSON.parse(plain(await messages(first))),
    );
  },
);

test('judges and scorers are shown ids of ours, and the provider its own', async () => {
  const before = provider.requests.length;
  const scoredBefore = scored.length;
  await record('anthropic');
  const [models, judges] = [false, true].map((isJudge) =>
    provider.requests.slice(before).filter((text) => text.includes('<material>') === isJudge),
  );
  for (const text of [...(judges ?? []), ...scored.slice(scoredBefore)]) {
    expect(text).toMatch(/toolCallId\\*":\\*"call-1\\*"/);
    expect(text).not.toContain('toolu_');
  }
  expect(models?.at(-1)).toMatch(/"tool_use_id":"toolu_[0-9a-f]{24}"/);
  expect(models?.at(-1)).not.toContain('call-1');
});

test('a changed threshold holds the recorded score against it; a changed question is asked for real', async () => {
  const recorded = await record('openai');
  const edit = (options: CheckOptions) =>
    fixture.get(200, 'PATCH', `eval-suites/${recorded.suiteId}`, {
      settings: { checks: checks('openai', options) },
    });
  const before = asked();
  await edit({ threshold: 0.95 });
  expect((await replayed(recorded)).trials[0].result).toBe('failed');
  expect(asked()).toEqual(before);
  await edit({ name: 'Another' });
  expect((await replayed(recorded)).trials[0].result).toBe('passed');
  expect(asked()).toEqual([before[0], (before[1] ?? 0) + 1, before[2]]);
  await edit({ outcome: 'It rains a lot.' });
  expect((await replayed(recorded)).trials[0].result).toBe('passed');
  expect(asked()).toEqual([(before[0] ?? 0) + 3, (before[1] ?? 0) + 1, before[2]]);
});

test('the recorded score counts, whatever the scorer would say by now', async () => {
  const recorded = await record('google');
  score = 0.1;
  try {
    const live = await fixture.run(recorded.suiteId, { namedHostId: recorded.namedHostId });
    await fixture.judged(live.runId);
    expect(live.trials[0].result).toBe('failed');
    const before = asked();
    expect((await replayed(recorded)).trials[0].result).toBe('passed');
    expect(asked()).toEqual(before);
  } finally {
    score = 0.9;
  }
});
