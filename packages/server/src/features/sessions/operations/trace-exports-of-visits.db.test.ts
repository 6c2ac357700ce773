import { turnOf } from '@proofmark/harness/any-visits.ts';
import { readOtlpTraces } from '@proofmark/harness/otlp-reader.ts';
import { call } from '@proofmark/harness/test-service.ts';
import { booking, startVisitReads, type VisitReads } from '@proofmark/harness/visit-reads.ts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';

let reads: VisitReads;
beforeAll(async () => {
  reads = await startVisitReads();
});
afterAll(() => reads.stop());
beforeEach(() => reads.service.owner.sql`delete from visitor_sessions`);

// biome-ignore lint/suspicious/noExplicitAny: tests look into documents of every shape.
type Span = any;

async function exported(query: Record<string, string> = {}) {
  const { tenant, service } = reads;
  const search = new URLSearchParams({
    projectId: tenant.projectId,
    sourceTypes: 'scenario',
    ...query,
  });
  const answer = await call(`${service.baseUrl}/api/v1/trace-exports/otlp?${search}`, {
    key: tenant.key,
  });
  expect(answer.status).toBe(200);
  const spans: Span[] = answer.body.resourceSpans[0]?.scopeSpans[0].spans ?? [];
  const roots = spans.filter(({ parentSpanId }) => parentSpanId === undefined);
  const cursor = answer.headers.get('proofmark-next-cursor') ?? '';
  return { ...answer, spans, roots, cursor };
}

const readOf = ({ attributes }: Span) =>
  Object.fromEntries(
    attributes.map(({ key, value }: Span) => [key, Object.values(value as object)[0]]),
  );
const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000);

test('say whose they are, how they ended and at which stage, and what was said only where it is asked for', async () => {
  const { scenarioId, environmentId, visit } = await reads.scenario();
  await visit({ turns: [booking(true)], lastActivityAt: minutesAgo(3) });
  await visit({ turns: [booking(false)], lastActivityAt: minutesAgo(2) });
  await reads.mined();
  const { roots, spans, text } = await exported();
  expect(roots.map(({ name }) => name)).toEqual(['visitor.session', 'visitor.session']);
  const [bad, good] = roots;
  expect(readOf(bad)).toMatchObject({
    'gen_ai.request.model': 'proofmark/lexical-1',
    'gen_ai.usage.input_tokens': '10',
    'proofmark.scenario_id': scenarioId,
    'proofmark.target_id': `environment:${environmentId}`,
    'proofmark.outcome': 'errored',
    'proofmark.first_failed_stage': 'response',
    'error.type': expect.any(String),
  });
  expect(bad.events.map((event: Span) => event.name)).toContain('proofmark.stage');
  expect([bad.status, good.status]).toEqual([{ code: 2 }, { code: 1 }]);
  expect(spans.map(({ name }) => name)).toContain('execute_tool book');
  const { sent, read } = readOtlpTraces(text);
  expect(read).toEqual(sent);
  expect(text).not.toContain('Book a table');
  expect((await exported({ includeContent: 'true' })).text).toContain('Book a table badly');
});

test('turns stand in one conversation: spans of each once, in their time, below the root', async () => {
  const { visit } = await reads.scenario();
  const id = await visit({
    turns: [booking(false), { evidence: turnOf([{ toolName: 'cancel' }]), text: 'And cancel it' }],
    lastActivityAt: minutesAgo(3),
  });
  await reads.service.owner.sql`
    update visitor_turns turn set created_at = started_at + ordinal * interval '30 seconds'
    from visitor_sessions session where session.id = ${id} and session_id = session.id`;
  await reads.mined();
  const { spans, roots } = await exported({ includeContent: 'true' });
  const tools = spans.filter(({ name }) => name.startsWith('execute_tool'));
  expect(tools.map(({ name }) => name)).toEqual(['execute_tool book', 'execute_tool cancel']);
  expect(new Set(spans.map(({ spanId }) => spanId)).size).toBe(spans.length);
  const [first, second] = tools.map(({ startTimeUnixNano }) => BigInt(startTimeUnixNano));
  expect(((second ?? 0n) - (first ?? 0n)) / 1_000_000n).toBe(30_000n);
  const inputMessages = JSON.parse(readOf(roots[0])['gen_ai.input.messages']);
  expect(inputMessages.map(({ parts }: Span) => parts[0].content)).toEqual([
    ...['Book a table well', 'At nine.', 'And cancel it'],
  ]);
});

test('not exported: one that goes on, a preview, one behind a closed link', async () => {
  const open = await reads.scenario();
  await open.visit({ status: 'active', lastActivityAt: minutesAgo(3) });
  await open.visit({ isPreview: true, lastActivityAt: minutesAgo(3) });
  const closed = await reads.scenario();
  await closed.visit({ lastActivityAt: minutesAgo(3) });
  await reads.mined();
  expect((await exported()).roots).toHaveLength(1);
  await reads.service.owner
    .sql`update scenarios set unpublished_at = now() where id = ${closed.scenarioId}`;
  expect((await exported()).roots).toEqual([]);
});

test('one whose outcome is not told yet holds back what ended after it', async () => {
  const { visit } = await reads.scenario();
  await visit({ lastActivityAt: minutesAgo(4) });
  await reads.mined();
  await reads.stopWorker();
  await visit({ lastActivityAt: minutesAgo(3) });
  const early = await exported();
  expect(early.roots).toHaveLength(1);
  await reads.startWorker();
  await reads.mined();
  expect((await exported({ cursor: early.cursor })).roots).toHaveLength(1);
});
