import { type EvalFixture, startEvalFixture } from '@proofmark/harness/eval-fixture.ts';
import { insertProject, insertRun, insertSuite } from '@proofmark/harness/eval-rows.ts';
import type { ModelScript } from '@proofmark/harness/model-servers/start-openai-server.ts';
import { readOtlpTraces } from '@proofmark/harness/otlp-reader.ts';
import { createReporter, failing, passing, unique } from '@proofmark/harness/reporter.ts';
import { ask as askWeather } from '@proofmark/harness/stage-row.ts';
import { type StoredSessionToWrite, storeRun } from '@proofmark/harness/stored-wave.ts';
import { call } from '@proofmark/harness/test-service.ts';
import { createMember } from '@proofmark/harness/two-tenants.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

let fixture: EvalFixture;
let serverId: string;
const model: ModelScript = ({ messages }) =>
  messages.some(({ role }) => role === 'tool')
    ? { text: 'It is sunny in Rome.' }
    : { toolCalls: [{ name: 'weather', arguments: { city: 'Rome' } }] };
beforeAll(async () => {
  fixture = await startEvalFixture({ one: model });
  serverId = (await fixture.mcpServer()).id;
});
afterAll(() => fixture.stop());

interface Place {
  readonly projectId: string;
  readonly key?: string;
}

async function exportPage(query: Record<string, string>, place: Place = fixture.tenant) {
  const { key = fixture.tenant.key, projectId } = place;
  const search = new URLSearchParams({ projectId, ...query });
  const answer = await call(`${fixture.service.baseUrl}/api/v1/trace-exports/otlp?${search}`, {
    key,
  });
  const cursor = answer.headers.get('proofmark-next-cursor');
  return { ...answer, cursor, complete: answer.headers.get('proofmark-export-complete') };
}

// biome-ignore lint/suspicious/noExplicitAny: tests look into documents of every shape.
type Span = any;
const spansOf = (body: Span): Span[] => body.resourceSpans[0]?.scopeSpans[0].spans ?? [];
const rootsOf = (body: Span) =>
  spansOf(body).filter(({ parentSpanId }) => parentSpanId === undefined);
const readOf = ({ attributes }: Span) =>
  Object.fromEntries(
    attributes.map(({ key, value }: Span) => [key, Object.values(value as object)[0]]),
  );

const rest = () =>
  fixture.service.owner
    .sql`update eval_iterations set ended_at = ended_at - interval '1 minute' where ended_at > now() - interval '50 seconds'`;

async function play(repetitions: number) {
  const steps = [askWeather];
  const suiteId = await fixture.suite({
    serverIds: [serverId],
    cases: [{ title: 'Weather', steps, iterations: repetitions } as never],
  });
  return fixture.run(suiteId);
}

async function report(results: readonly object[], project = fixture.tenant.projectId) {
  const reporter = createReporter(fixture.service, fixture.tenant);
  const body = { suiteName: unique('Suite'), results };
  return fixture.expect(200, reporter.ingest('report', body, { project }));
}

test('from the last cursor on come exactly the trials that ended since, and the same page is the same bytes', async () => {
  await play(1);
  await rest();
  const before = await exportPage({});
  expect([before.status, before.complete]).toEqual([200, 'true']);
  const { runId, trials } = await play(10);

  const early = await exportPage({ cursor: before.cursor ?? '' });
  expect(early.body).toEqual({ resourceSpans: [] });
  expect([early.cursor, early.complete]).toEqual([before.cursor, 'true']);
  await rest();
  const page = await exportPage({ cursor: before.cursor ?? '', limit: '7' });
  const next = await exportPage({ cursor: page.cursor ?? '', limit: '7' });
  expect([page.complete, next.complete]).toEqual(['false', 'true']);
  const roots = [...rootsOf(page.body), ...rootsOf(next.body)];
  expect([rootsOf(page.body).length, roots.length]).toEqual([7, 10]);
  expect(new Set(roots.map(({ traceId }) => traceId)).size).toBe(10);
  for (const root of roots) {
    expect(readOf(root)).toMatchObject({ 'proofmark.run_id': runId, 'proofmark.result': 'passed' });
  }
  expect(trials).toHaveLength(10);
  expect((await exportPage({ cursor: before.cursor ?? '', limit: '7' })).text).toBe(page.text);
  expect((await exportPage({ cursor: next.cursor ?? '' })).body).toEqual({ resourceSpans: [] });
});

test('the document is one of the published definitions, with and without content', async () => {
  await play(2);
  await report([failing]);
  await rest();
  const withContent = await exportPage({ includeContent: 'true', limit: '200' });
  for (const { text } of [await exportPage({ limit: '200' }), withContent]) {
    const { sent, read } = readOtlpTraces(text);
    expect(read).toEqual(sent);
  }
  const spans = spansOf(withContent.body);
  expect(new Set(spans.map(({ name }) => name))).toEqual(
    new Set([
      ...['eval.trial', `connection ${serverId}`, `discovery ${serverId}`],
      ...['step ask', 'chat local/one', 'execute_tool weather'],
    ]),
  );
  const known = new Set(spans.map(({ spanId }) => spanId));
  for (const { parentSpanId = spans[0].spanId } of spans) expect(known).toContain(parentSpanId);
  const [resource] = withContent.body.resourceSpans;
  expect(readOf(resource.resource)).toEqual({
    'service.name': 'proofmark',
    'service.version': expect.stringMatching(/^\d/),
    'proofmark.project_id': fixture.tenant.projectId,
  });
});

test('a reader of the definitions finds a field that is not theirs, and one of another type', () => {
  const span = { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), name: 'x' };
  const document = (more: object) =>
    JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans: [{ ...span, ...more }] }] }] });
  const isSame = (text: string) => {
    const { sent, read } = readOtlpTraces(text);
    return JSON.stringify(sent) === JSON.stringify(read);
  };
  expect(isSame(document({}))).toBe(true);
  for (const more of [{ colour: 'red' }, { startTimeUnixNano: 5 }, { spanId: 'xyz' }]) {
    expect(isSame(document(more))).toBe(false);
  }
});

describe('content', () => {
  const secret = { toolName: 'login', arguments: {} };
  const results = [
    {
      ...failing,
      actualToolCalls: [secret],
      trace: { messages: [{ role: 'user', content: 'Use password: hunter22 in Rome.' }] },
    },
  ];

  test('is left out unless it is asked for, and then holds no secret', async () => {
    const project = await insertProject(fixture.service, fixture.tenant);
    await report(results, project.projectId);
    await rest();
    const without = await exportPage({ includeContent: 'false' }, project);
    expect(rootsOf(without.body)).toHaveLength(1);
    expect(without.text).not.toMatch(/Rome|hunter22|get_time/);
    const { text, body } = await exportPage({ includeContent: 'true' }, project);
    expect(text).toContain('in Rome.');
    expect(text).not.toContain('hunter22');
    expect(readOf(rootsOf(body)[0])).toHaveProperty(['gen_ai.input.messages']);
  });
});

test('a reported trial is exported where its trace has messages, whenever its reporter says it was', async () => {
  const project = await insertProject(fixture.service, fixture.tenant);
  const startedAt = Date.UTC(2031, 0);
  await report(
    [passing, { ...failing, startedAt }, { ...failing, trace: { spans: [] } }],
    project.projectId,
  );
  expect(rootsOf((await exportPage({}, project)).body)).toEqual([]);
  await rest();
  const { body, cursor } = await exportPage({}, project);
  expect(rootsOf(body).map(({ startTimeUnixNano }) => startTimeUnixNano)).toEqual([
    `${startedAt}000000`,
  ]);
  // Traces are ordered by their end, so a trace with an early start still comes after those that
  // were already read.
  await report([{ ...failing, startedAt: 1000 }], project.projectId);
  await rest();
  expect(rootsOf((await exportPage({ cursor: cursor ?? '' }, project)).body)).toHaveLength(1);
});

test('a page ends at 4 MiB, and a trace that is larger is a page of its own', async () => {
  const project = await insertProject(fixture.service, fixture.tenant);
  const many = (count: number) => ({
    ...failing,
    trace: {
      messages: failing.trace.messages,
      spans: Array.from({ length: count }, (_, at) => ({ id: `${at}`, category: 'step' })),
    },
  });
  for (const count of [4000, 4000, 4000, 9999]) await report([many(count)], project.projectId);
  await rest();
  const sizes: number[] = [];
  let cursor: string | null = null;
  for (let complete: string | null = 'false'; complete === 'false'; ) {
    const page = await exportPage(cursor === null ? {} : { cursor }, project);
    sizes.push(spansOf(page.body).length);
    if (rootsOf(page.body).length > 1) {
      expect(Buffer.byteLength(page.text)).toBeLessThan(4 * 1024 * 1024 + 2000);
    }
    ({ cursor, complete } = page);
  }
  expect(sizes.reduce((sum, one) => sum + one)).toBe(4001 * 3 + 10_000);
  expect(sizes.length).toBeGreaterThan(1);
  expect(Math.max(...sizes)).toBeLessThan(15_000);
});

describe('refuses', () => {
  test('a query that is not understood', async () => {
    for (const [query, path] of [
      [{ sourceTypes: 'eval,chat' }, 'query.sourceTypes'],
      [{ sourceTypes: '' }, 'query.sourceTypes'],
      [{ includeContent: 'yes' }, 'query.includeContent'],
      [{ cursor: 'made.up' }, 'query.cursor'],
      [{ projectId: '' }, 'query.projectId'],
    ] as const) {
      const answer = await exportPage(query);
      expect([answer.status, answer.body.details?.path]).toEqual([400, path]);
    }
  });

  test('a cursor of another project, of other sources or of other content', async () => {
    const { cursor } = await exportPage({});
    const other = await insertProject(fixture.service, fixture.tenant);
    const kept = { cursor: cursor ?? '' };
    expect((await exportPage(kept)).status).toBe(200);
    expect((await exportPage(kept, other)).status).toBe(400);
    expect((await exportPage({ ...kept, sourceTypes: 'swarm' })).status).toBe(400);
    expect((await exportPage({ ...kept, includeContent: 'true' })).status).toBe(400);
  });

  test('a project that the caller does not see, as one that is not there', async () => {
    const { service, tenant } = fixture;
    const hidden = await insertProject(service, tenant);
    await service.owner
      .sql`update projects set visibility = 'private' where id = ${hidden.projectId}`;
    await insertRun(service, await insertSuite(service, hidden));
    const { key } = await createMember(service, tenant, 'member');
    const unseen = await exportPage({}, { projectId: hidden.projectId, key });
    const unknown = await exportPage({}, { projectId: `${hidden.projectId.slice(0, -1)}0`, key });
    expect([unseen.status, unseen.text]).toEqual([404, unknown.text]);
    expect((await exportPage({}, hidden)).status).toBe(200);
  });
});

describe('sessions of journeys', () => {
  const played = {
    messages: [{ role: 'user', content: 'What is the weather in Rome?' }],
    spans: [{ id: 'tool-1', category: 'tool', toolName: 'weather', startMs: 1, endMs: 2 }],
  };

  async function store(project: Place, sessions: readonly StoredSessionToWrite[]) {
    const place = { ...fixture.tenant, ...project };
    const snapshot = { rubric: [] };
    const stored = await storeRun(fixture.service, place, {
      waveId: unique('wave'),
      snapshot,
      sessions,
    });
    await fixture.service.owner.sql`
      update swarm_sessions set started_at = started_at - interval '1 minute',
        last_activity_at = last_activity_at - interval '1 minute' + ordinal * interval '1 millisecond'
      where run_id = ${stored.runId}`;
    return stored;
  }
  const namesOf = (body: Span) => rootsOf(body).map(({ name }) => name);

  test('stand among the trials in the order of their ends, and alone where they are asked for', async () => {
    const project = await insertProject(fixture.service, fixture.tenant);
    const first = await store(project, [played]);
    await report([failing], project.projectId);
    await rest();
    const last = await store(project, [played, { ...played, errorCode: 'provider_failed' }]);
    const { body, text, complete } = await exportPage({}, project);
    expect(namesOf(body)).toEqual([
      ...['swarm.session', 'eval.trial', 'swarm.session', 'swarm.session'],
    ]);
    expect(complete).toBe('true');
    const { sent, read } = readOtlpTraces(text);
    expect(read).toEqual(sent);
    const walked: string[] = [];
    let cursor: string | null = null;
    for (let isComplete: string | null = 'false'; isComplete === 'false'; ) {
      const page = await exportPage({ limit: '1', ...(cursor !== null && { cursor }) }, project);
      walked.push(...rootsOf(page.body).map(({ traceId }) => traceId));
      ({ cursor, complete: isComplete } = page);
    }
    expect(walked).toEqual(rootsOf(body).map(({ traceId }) => traceId));
    const alone = await exportPage({ sourceTypes: 'swarm' }, project);
    expect(rootsOf(alone.body).map((root) => readOf(root)['proofmark.run_id'])).toEqual([
      ...[first.runId, last.runId, last.runId],
    ]);
    expect(namesOf((await exportPage({ sourceTypes: 'eval' }, project)).body)).toEqual([
      'eval.trial',
    ]);
  });

  test('say whose they are and how they ended, and what was said only where it is asked for', async () => {
    const project = await insertProject(fixture.service, fixture.tenant);
    const { runId } = await store(project, [played, { ...played, errorCode: 'provider_failed' }]);
    const { body, text } = await exportPage({}, project);
    const [good, bad] = rootsOf(body);
    expect(readOf(good)).toMatchObject({
      'gen_ai.operation.name': 'invoke_agent',
      'gen_ai.provider.name': 'proofmark',
      'gen_ai.request.model': 'proofmark/lexical-1',
      'proofmark.run_id': runId,
      'proofmark.journey_id': expect.any(String),
      'proofmark.persona_id': expect.any(String),
      'proofmark.target_id': 'environment:env_1',
    });
    // The session `good` was played to its end but has no grade, so its status is unset.
    expect(good.status).toBe(undefined);
    expect(bad.status).toEqual({ code: 2 });
    expect(readOf(bad)).toHaveProperty(['error.type']);
    expect(spansOf(body).map(({ name }) => name)).toContain('execute_tool weather');
    expect(text).not.toContain('in Rome');
    expect((await exportPage({ includeContent: 'true' }, project)).text).toContain('in Rome');
  });

  test('one that waits for its grade holds back what ended after it', async () => {
    const project = await insertProject(fixture.service, fixture.tenant);
    const { sessionIds } = await store(project, [played, played, played]);
    const { sql } = fixture.service.owner;
    const waiting = (status: string | null) =>
      sql`update swarm_sessions set grading_status = ${status} where id = ${sessionIds[1] as string}`;
    await waiting('pending');
    const early = await exportPage({}, project);
    expect([namesOf(early.body).length, early.complete]).toEqual([1, 'true']);
    await waiting('completed');
    const later = await exportPage({ cursor: early.cursor ?? '' }, project);
    expect(namesOf(later.body)).toHaveLength(2);
  });

  test('one that is still played is not exported', async () => {
    const project = await insertProject(fixture.service, fixture.tenant);
    const { runId } = await store(project, [played]);
    await fixture.service.owner
      .sql`update swarm_sessions set outcome = 'running' where run_id = ${runId}`;
    expect((await exportPage({}, project)).body).toEqual({ resourceSpans: [] });
  });
});

test('a source that has no traces yet gives an empty page, with a cursor to keep', async () => {
  const { body, complete, cursor } = await exportPage({ sourceTypes: 'scenario' });
  expect([body, complete]).toEqual([{ resourceSpans: [] }, 'true']);
  const again = await exportPage({ sourceTypes: 'scenario', cursor: cursor ?? '' });
  expect(again.cursor).toBe(cursor);
});
