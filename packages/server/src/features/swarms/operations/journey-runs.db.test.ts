import {
  callsOnce,
  type SwarmFixture,
  startSwarmFixture,
} from '@proofmark/harness/swarm-fixture.ts';
import { call } from '@proofmark/harness/test-service.ts';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';

let fixture: SwarmFixture;
let server: { readonly id: string };
let environmentId: string;
/** Lets the model `waits` answer its requests, which are blocked until this is called. */
let release: () => void;

beforeAll(async () => {
  let released = Promise.resolve();
  const hold = () => {
    released = new Promise((resolve) => {
      release = resolve;
    });
  };
  hold();
  fixture = await startSwarmFixture(
    {
      one: callsOnce('weather', { city: 'Oslo' }),
      limited: () => ({ status: 429 }),
      half: (_, count) => (count > 4 ? { text: 'Sunny.' } : { status: 500 }),
      waits: async () => {
        await released;
        return { text: 'Sunny.' };
      },
    },
    { sessionsPerRun: 2 },
    { one: { inputPerMillion: 1000, outputPerMillion: 1000 } },
  );
  server = await fixture.mcpServer({
    'tools/call': { content: [{ type: 'text', text: 'sunny' }] },
  });
  environmentId = await fixture.environment([server.id]);
});

afterAll(async () => {
  release();
  await fixture.stop();
});

function launchWith(journeyId: string, request: { body?: unknown; text?: string; key?: string }) {
  const { baseUrl } = fixture.service;
  const { projectId, key } = fixture.tenant;
  return call(`${baseUrl}/api/v1/projects/${projectId}/journeys/${journeyId}/runs`, {
    method: 'POST',
    key,
    ...(request.body !== undefined && { body: request.body }),
    ...(request.text !== undefined && { text: request.text }),
    headers: {
      'content-type': 'application/json',
      ...(request.key !== undefined && { 'idempotency-key': request.key }),
    },
  });
}

async function usedToday(): Promise<number> {
  return (await fixture.get(200, 'GET', 'capabilities')).plan.used.journeyRunsPerDay;
}

test('a launch plays every session of every target; its key answers the same run, and counts once', async () => {
  const client = await fixture.client({ modelId: 'local/one', serverIds: [server.id] });
  const two = await Promise.all(
    ['E', 'E2'].map((name) =>
      fixture.get(201, 'POST', 'environments', { name: `${name} of launch`, hostId: client }),
    ),
  );
  const environmentIds = two.map(({ id }) => id);
  const journeyId = await fixture.journey({ environmentIds, sessionsPerTarget: 2 });
  const before = await usedToday();
  const first = await launchWith(journeyId, { body: {}, key: 'j' });
  expect([first.status, first.body.deduped]).toEqual([202, false]);
  const again = await launchWith(journeyId, { body: {}, key: 'j' });
  expect([again.status, again.body.deduped, again.body.id]).toEqual([202, true, first.body.id]);
  expect((await usedToday()) - before).toBe(1);
  const other = await launchWith(journeyId, { body: { waveId: 'w' }, key: 'j' });
  expect([other.status, other.body.details.reason]).toEqual([409, 'IDEMPOTENCY_KEY_REUSED']);
  const run = await fixture.ended(first.body.id);
  expect(run.attempts.map(({ targetId, sessionIndex }: never) => [targetId, sessionIndex])).toEqual(
    environmentIds.flatMap((id) => [0, 1].map((index) => [`environment:${id}`, index])),
  );
  expect(new Set(run.attempts.map(({ hostId }: { hostId: string }) => hostId))).toEqual(
    new Set([client]),
  );
  expect(run.targetSummaries.map(({ total, succeeded }: never) => [total, succeeded])).toEqual([
    [2, 2],
    [2, 2],
  ]);
  const [without, more] = [await fixture.launch(journeyId), await fixture.launch(journeyId)];
  expect(without.id).not.toBe(more.id);
  expect(without.waveId).toMatch(/^wav_/);
  await Promise.all([fixture.ended(without.id), fixture.ended(more.id)]);
  const { items } = await fixture.get(200, 'GET', `journeys/${journeyId}/runs`);
  expect(items.map(({ id }: { id: string }) => id)).toEqual([more.id, without.id, first.body.id]);
  expect(items[0]).not.toHaveProperty('attempts');
});

test('a built-in model that cannot talk neither plays nor judges, also where it was stored before', async () => {
  const before = await usedToday();
  const cannotTalk = 'proofmark/lexical-1';
  const played = await fixture.journey({ environmentIds: [environmentId] });
  await fixture.service.database.tenant(
    [fixture.tenant.organizationId],
    (sql) => sql`update journeys set persona_model = ${cannotTalk} where id = ${played}`,
  );
  const judged = await fixture.journey({
    environmentIds: [environmentId],
    judgeConfig: { goalCompletion: { autoRun: true, judgeModel: cannotTalk } },
  });
  for (const [journeyId, sentence] of [
    [played, /cannot play the persona; choose one of proofmark\/scripted-user-1, local\//],
    [judged, /cannot judge the journey; choose one of proofmark\/rule-judge-1, local\//],
  ] as const) {
    const { status, body } = await launchWith(journeyId, { body: {} });
    expect([status, body.details.reason]).toEqual([400, 'MODEL_NOT_AVAILABLE']);
    expect(body.message).toMatch(sentence);
  }
  expect(await usedToday()).toBe(before);
});

test('what cannot be launched is refused, and counts nothing', async () => {
  const journeyId = await fixture.journey({ environmentIds: [environmentId] });
  const before = await usedToday();
  expect((await launchWith(journeyId, { text: 'null' })).status).toBe(400);
  for (const environmentIds of [[], [environmentId, environmentId], null]) {
    expect((await launchWith(journeyId, { body: { environmentIds } })).status).toBe(400);
  }
  expect((await launchWith(journeyId, { body: { environmentIds: ['env_none'] } })).status).toBe(
    404,
  );
  const archived = await fixture.environment([server.id]);
  await fixture.get(200, 'POST', `environments/${archived}/archive`, { expectedRevision: 1 });
  const gone = await launchWith(journeyId, { body: { environmentIds: [archived] } });
  expect([gone.status, gone.body.details]).toEqual([
    409,
    expect.objectContaining({ code: 'ENV_ARCHIVED', environmentId: archived }),
  ]);
  const untargeted = await launchWith(await fixture.journey({}), { body: {} });
  expect([untargeted.status, untargeted.body.details.reason]).toEqual([400, 'NO_TARGETS']);
  const hostIds = await Promise.all(
    Array.from({ length: 26 }, () =>
      fixture.client({ modelId: 'local/one', serverIds: [server.id] }),
    ),
  );
  for (const sessionsPerTarget of [1, 20]) {
    const wide = await fixture.journey({ hostIds, sessionsPerTarget });
    expect((await launchWith(wide, { body: {} })).status).toBe(400);
  }
  const many = await fixture.journey({ hostIds: hostIds.slice(0, 6), sessionsPerTarget: 100 });
  const tooMany = await launchWith(many, { body: {} });
  expect([tooMany.status, tooMany.body.details]).toEqual([
    400,
    { sessions: 600, allowedValue: 500 },
  ]);
  const elsewhere = await fixture.environment([server.id], 'nobody/offers-this');
  const unoffered = await launchWith(journeyId, { body: { environmentIds: [elsewhere] } });
  expect([unoffered.status, unoffered.body.details.reason]).toEqual([400, 'MODEL_NOT_AVAILABLE']);
  expect(await usedToday()).toBe(before);
  const { id } = await fixture.launch(journeyId);
  await fixture.get(200, 'DELETE', `journeys/${journeyId}`);
  expect((await launchWith(journeyId, { body: {} })).status).toBe(404);
  expect((await fixture.get(200, 'GET', `journeys/${journeyId}/runs`)).items).toHaveLength(1);
  expect((await fixture.ended(id)).status).toBe('completed');
});

test('a wave that is full takes no more runs, and another one does', async () => {
  const journeyId = await fixture.journey({ environmentIds: [environmentId] });
  const first = await fixture.launch(journeyId, { waveId: 'full' });
  await fixture.ended(first.id);
  await fixture.service.owner.sql`
    insert into journey_runs (id, organization_id, project_id, journey_id, wave_id, status, total, journey_name, persona_id,
      persona_name, persona_role, persona_model, has_rubric, targets, source, deadline_at)
    select id || number, organization_id, project_id, journey_id, wave_id, 'failed', total, journey_name, persona_id,
      persona_name, persona_role, persona_model, has_rubric, targets, source, deadline_at
    from journey_runs, generate_series(1, 99) number where id = ${first.id}`;
  const path = `journeys/${journeyId}/runs`;
  const refused = await fixture.get(409, 'POST', path, { waveId: 'full' });
  expect(refused.details).toMatchObject({ reason: 'WAVE_FULL', limit: 100 });
  await fixture.launch(journeyId, { waveId: 'not full' });
});

test('a cancel ends what is open, at once; what was played stays', async () => {
  const waiting = await fixture.environment([server.id], 'local/waits');
  const journeyId = await fixture.journey({ environmentIds: [waiting], sessionsPerTarget: 4 });
  const { id } = await fixture.launch(journeyId);
  await vi.waitUntil(() => fixture.provider.count('waits') === 2, { timeout: 10_000 });
  const canceled = await fixture.get(200, 'POST', `journey-runs/${id}/cancel`);
  expect(canceled).toEqual({
    id,
    status: 'failed',
    canceled: true,
    alreadyCanceled: false,
    finalized: 4,
  });
  // The workers notice that the run was canceled, and abort their model requests.
  await vi.waitUntil(() => fixture.provider.atOnce === 0, { timeout: 10_000 });
  expect(await fixture.get(200, 'POST', `journey-runs/${id}/cancel`)).toMatchObject({
    alreadyCanceled: true,
    finalized: 0,
  });
  const run = await fixture.ended(id);
  expect(run).toMatchObject({
    status: 'failed',
    canceled: true,
    error: 'canceled',
    summary: { total: 4, succeeded: 0, failed: 4, rateLimited: 0 },
  });
  const codes = run.attempts.map(({ status, errorCode }: never) => `${status} ${errorCode}`);
  expect(new Set(codes)).toEqual(new Set(['failed canceled']));
  expect(await fixture.sessions(id)).toHaveLength(2);
  const played = await fixture.launch(await fixture.journey({ environmentIds: [environmentId] }));
  await fixture.ended(played.id);
  const late = await fixture.ask('POST', `journey-runs/${played.id}/cancel`);
  expect([late.status, late.body.details.reason]).toEqual([409, 'RUN_ENDED']);
});

test('a provider that limits one target ends that target alone', async () => {
  const limited = await fixture.environment([server.id], 'local/limited');
  const journeyId = await fixture.journey({
    environmentIds: [limited, environmentId],
    sessionsPerTarget: 5,
  });
  const run = await fixture.ended((await fixture.launch(journeyId)).id);
  expect(run.status).toBe('partial');
  expect(run.summary).toEqual({ total: 10, succeeded: 5, failed: 0, rateLimited: 5 });
  const begun = run.attempts.filter((one: { begun: number }) => one.begun > 0);
  expect(begun.length).toBeLessThan(10);
});

test('a provider that fails in some sessions leaves the others as they are', async () => {
  const half = await fixture.environment([server.id], 'local/half');
  const rubric = [{ predicate: { type: 'noToolErrors' } }];
  const journeyId = await fixture.journey({ environmentIds: [half], sessionsPerTarget: 4, rubric });
  const { id } = await fixture.launch(journeyId);
  const run = await fixture.ended(id);
  expect(run).toMatchObject({ status: 'partial', summary: { succeeded: 2, failed: 2 } });
  const sessions = await fixture.sessions(id);
  const stamped = sessions.filter(({ grading }) => grading.status !== null);
  expect(stamped.map(({ outcome }) => outcome)).toEqual(['succeeded', 'succeeded']);
});

test('an edit after the launch shows in no run', async () => {
  const journeyId = await fixture.journey({ environmentIds: [environmentId] });
  const { id } = await fixture.launch(journeyId);
  await fixture.get(200, 'PATCH', `journeys/${journeyId}`, { goal: 'Something else entirely.' });
  expect((await fixture.ended(id)).goal).toBe('What is the weather in Oslo today?');
});

test('every step is in the ledger, and the run says what they cost', async () => {
  const { id } = await fixture.launch(await fixture.journey({ environmentIds: [environmentId] }));
  const run = await fixture.ended(id);
  const rows = await fixture.service.owner.sql<{ kind: string; step: string; credits: number }[]>`
    select kind, step, credits::float8 as credits from ledger where ref like ${`${id}/%`} order by step`;
  expect(rows.map(({ kind, step }) => `${kind} ${step}`)).toEqual([
    'host_step 1.1',
    'host_step 1.2',
  ]);
  const credits = rows.reduce((sum, row) => sum + row.credits, 0);
  expect(credits).toBeGreaterThan(0);
  expect(run.estimatedCostUsd).toBeCloseTo(credits / 100);
});

test('an estimate tells what a launch would begin, and counts nothing', async () => {
  const journeyId = await fixture.journey({
    environmentIds: [environmentId],
    sessionsPerTarget: 3,
  });
  const before = await usedToday();
  const estimate = await fixture.get(200, 'POST', `journeys/${journeyId}/runs/estimate`, {});
  expect(estimate).toMatchObject({ targets: 1, sessions: 3, maxTurns: 3, unpricedModels: [] });
  expect(estimate.worstCaseCredits).toBeGreaterThan(0);
  expect(estimate.launchesLeftToday).toBe(100 - before);
  expect(await usedToday()).toBe(before);
});

test('its sessions stand in the list of all sessions', async () => {
  const name = 'The weather, listed';
  const journeyId = await fixture.journey({ environmentIds: [environmentId], name });
  const { id } = await fixture.launch(journeyId);
  await fixture.ended(id);
  const [session] = await fixture.sessions(id);
  const { items } = await fixture.get(200, 'GET', 'sessions?sourceType=swarm&limit=1');
  expect(items).toEqual([
    expect.objectContaining({
      id: session.id,
      chatSessionId: session.chatSessionId,
      sourceType: 'swarm',
      origin: 'api',
      synthetic: true,
      title: `${name} · Ada · 1`,
      ownedByViewer: true,
      messageCount: 2,
      firstMessagePreview: session.preview,
      parentRef: { kind: 'journeyRun', label: name, journeyRunId: id, journeyRefId: journeyId },
    }),
  ]);
  const found = await fixture.get(200, 'GET', 'sessions?q=weather%2C%20listed');
  expect(found.items.map(({ id: one }: { id: string }) => one)).toEqual([session.id]);
  expect((await fixture.get(200, 'GET', 'sessions?sourceType=eval')).items).not.toContainEqual(
    expect.objectContaining({ sourceType: 'swarm' }),
  );
});
