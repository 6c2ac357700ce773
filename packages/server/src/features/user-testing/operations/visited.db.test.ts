import { signInAs } from '@proofmark/harness/test-service.ts';
import { startTestWorker, type TestWorker } from '@proofmark/harness/test-worker.ts';
import { createMember } from '@proofmark/harness/two-tenants.ts';
import { startVisitFixture, type VisitFixture } from '@proofmark/harness/visit-fixture.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createModelGateway } from '../../../outside/model/create-model-gateway.ts';
import type { ModelGateway } from '../../../outside/model/model-gateway.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape.
type Answer = any;

let fixture: VisitFixture;
let models: ModelGateway;
let worker: TestWorker;
beforeAll(async () => {
  fixture = await startVisitFixture();
  models = createModelGateway({
    egress: { allowLoopback: true, allowedPrivateHosts: [] },
    providers: [],
  });
  worker = await startTestWorker(fixture.service, models, {
    visitTimes: { settleMs: 3_600_000, miningDebounceMs: 0 },
  });
});
afterAll(async () => {
  await worker.stop();
  await fixture.stop();
  await models.close();
});

const question = 'What is the status of order 4711?';

async function disappointed() {
  const server = await fixture.mcpServer({
    'tools/call': { content: [{ type: 'text', text: 'The database is away.' }], isError: true },
  });
  const config = { modelId: 'proofmark/lexical-1', serverIds: [server.id] };
  const published = await fixture.publish(await fixture.environment(config));
  const path = `user-testing/scenarios/${published.id}`;
  await fixture.get(200, 'PATCH', path, { feedback: 'stars' });
  const headers = { 'user-agent': 'Mozilla/5.0 (iPhone) Mobile', 'accept-language': 'de-DE,de' };
  const guest = await (await fixture.visitor(headers)).enter(published.token);
  expect((await guest.turn(question)).status).toBe(200);
  const rated = await guest.send('PUT', `${guest.session}/feedback`, {
    turnId: null,
    rating: 1,
    comment: 'It does not work.',
  });
  expect(rated.status, rated.text).toBe(200);
  expect((await guest.send('POST', `${guest.session}/end`)).status).toBe(200);
  const signals = async () => (await fixture.ask('GET', `${path}/signals`)).body;
  await expect.poll(async () => (await signals()).windowId, { timeout: 20_000 }).toBeDefined();
  return { guest, path, server, signals: await signals() };
}

test('what a visitor met, said and rated is what the owner reads and finds', async () => {
  const { guest, path, server, signals } = await disappointed();
  const { items } = await fixture.get(200, 'GET', `${path}/sessions`);
  expect(items).toHaveLength(1);
  expect(items[0]).toMatchObject({
    id: guest.sessionId,
    preview: question,
    outcome: 'errored',
    messageCount: 2,
    toolCallCount: 1,
    toolErrorCount: 1,
    modelId: 'proofmark/lexical-1',
    visitor: { segment: 'guest-new', deviceKind: 'mobile', language: 'de' },
    feedback: { rating: 1, comment: 'It does not work.', count: 1 },
    chain: { firstFailedStage: 'response' },
  });
  expect(items[0].visitor.displayName).toMatch(/^Guest [0-9a-f]{4}$/);
  const detail = await fixture.get(200, 'GET', `${path}/sessions/${guest.sessionId}`);
  const { messages } = detail;
  // The message count leaves out tool calls, but `messages` contains them.
  expect([detail.messageCount, messages.length]).toEqual([2, 3]);
  expect(messages[0]).toMatchObject({ role: 'user', text: question });
  expect(JSON.stringify(messages)).not.toContain('4711"');
  expect(signals.candidates.map((one: Answer) => one.detector).sort()).toEqual([
    ...['negative_feedback', 'terminal_error_concentration', 'tool_errors'],
  ]);
  const found = await fixture.get(200, 'GET', `${path}/findings`);
  const tool = found.items.find((one: Answer) => one.detector === 'tool_errors');
  expect(tool).toMatchObject({ subjectId: `${server.id}.order_status`, status: 'new' });
  expect(tool.evidence.exemplarSessionIds).toEqual([guest.sessionId]);
  const metrics = await fixture.get(200, 'GET', `${path}/metrics?population=real`);
  expect(metrics).toMatchObject({ sessionCount: 1, toolErrorRate: 1, negativeRate: 1 });
  expect(metrics.latencyP50Ms).not.toBe(null);
});

test('a call that its server refuses has failed, in the list as in the metrics', async () => {
  const server = await fixture.mcpServer({
    'tools/call': (response) => void response.writeHead(403).end(),
  });
  const config = { modelId: 'proofmark/lexical-1', serverIds: [server.id] };
  const { id, token } = await fixture.publish(await fixture.environment(config));
  const path = `user-testing/scenarios/${id}`;
  const guest = await (await fixture.visitor()).enter(token);
  expect((await guest.turn(question)).lines.at(-1)).toMatchObject({ type: 'error' });
  expect((await guest.send('POST', `${guest.session}/end`)).status).toBe(200);
  const list = async () => (await fixture.get(200, 'GET', `${path}/sessions`)).items[0];
  const expected = { outcome: 'errored', toolCallCount: 1, toolErrorCount: 1 };
  await expect.poll(list, { timeout: 20_000 }).toMatchObject(expected);
  const metrics = await fixture.get(200, 'GET', `${path}/metrics?population=real`);
  expect(metrics).toMatchObject({ toolCallCount: 1, toolErrorCount: 1, completionRate: 0 });
});

test('what a visitor erases is gone from findings and signals too', async () => {
  const { guest, path } = await disappointed();
  expect((await guest.send('DELETE', guest.session)).status).toBe(200);
  for (const of of ['sessions', 'signals', 'findings']) {
    const { text } = await fixture.ask('GET', `${path}/${of}`);
    expect(text).not.toContain(guest.sessionId);
  }
  const { items } = await fixture.get(200, 'GET', `${path}/findings`);
  expect(items.map((one: Answer) => one.evidence.affected)).toEqual([1, 1, 1]);
});

test('what looks like a secret is hidden wherever what a visitor said is read', async () => {
  const { id, token } = await fixture.scenario();
  const guest = await (await fixture.visitor()).enter(token);
  const padding = 'about my order, '.repeat(11);
  await guest.turn(`${padding} my password: hunter2-canary-hunter2, please`);
  const { items } = await fixture.get(200, 'GET', `user-testing/scenarios/${id}/sessions`);
  expect(items[0].preview).toHaveLength(200);
  for (const of of [
    `user-testing/scenarios/${id}/sessions`,
    `user-testing/scenarios/${id}/sessions/${guest.sessionId}`,
    'sessions?sourceType=scenario',
    'sessions?sourceType=scenario&scope=transcripts&q=password',
  ]) {
    const { text } = await fixture.ask('GET', of);
    expect(text).toContain(guest.sessionId);
    expect([of, text.includes('hunter2')]).toEqual([of, false]);
  }
});

test('sessions of an unpublished scenario are for admins, and for no member', async () => {
  const published = await fixture.scenario();
  const path = `user-testing/scenarios/${published.id}/sessions`;
  const guest = await (await fixture.visitor()).enter(published.token);
  await guest.turn(question);
  const { key } = await createMember(fixture.service, fixture.tenant, 'member');
  expect((await fixture.ask('GET', path, undefined, key)).body.items).toHaveLength(1);
  await fixture.get(200, 'DELETE', `environments/${published.environmentId}/scenario`);
  expect((await fixture.ask('GET', path, undefined, key)).status).toBe(404);
  expect((await fixture.ask('GET', `${path}/${guest.sessionId}`, undefined, key)).status).toBe(404);
  expect((await fixture.get(200, 'GET', path)).items).toHaveLength(1);
});

test('who only looked before is new; who talked before comes again', async () => {
  const { id, token } = await fixture.scenario();
  const person = await signInAs(fixture.service, fixture.tenant.accountId);
  const owner = await (await fixture.visitor(person)).enter(token);
  const begun = await owner.send('POST', `${owner.scenario}/sessions`, {
    accessVersion: owner.accessVersion,
    preview: true,
  });
  owner.sessionId = begun.body.sessionId;
  expect((await owner.turn(question)).status).toBe(200);
  for (const _ of ['first', 'second'])
    expect((await (await owner.another()).turn(question)).status).toBe(200);
  const { items } = await fixture.get(200, 'GET', `user-testing/scenarios/${id}/sessions`);
  expect(items.map((one: Answer) => one.visitor.segment)).toEqual([
    'signedIn-returning',
    'signedIn-new',
  ]);
});
