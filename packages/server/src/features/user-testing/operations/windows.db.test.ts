import { turnOf } from '@proofmark/harness/any-visits.ts';
import { storeRun, target } from '@proofmark/harness/stored-wave.ts';
import { booking, startVisitReads, type VisitReads } from '@proofmark/harness/visit-reads.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape.
type Answer = any;

let fixture: VisitReads;
let ask: VisitReads['ask'];
beforeAll(async () => {
  fixture = await startVisitReads();
  ask = fixture.ask;
});
afterAll(() => fixture.stop());

const scenario = () => fixture.scenario();
const mined = () => fixture.mined();

test('metrics: none at all, another population, and both as the sum of each', async () => {
  const { path, visit, environmentId } = await scenario();
  const none = await ask('GET', `${path}/metrics`);
  expect([none.status, none.body.details.reason]).toEqual([404, 'NO_SESSIONS']);
  expect((await ask('GET', `${path}/usage`)).body.details.reason).toBe('NO_SESSIONS');
  expect((await ask('GET', `${path}/metrics?population=bots`)).status).toBe(400);
  await visit({ turns: [booking(false)], ratings: [1] });
  await visit({ turns: [booking(true)] });
  await mined();
  const empty = await ask('GET', `${path}/metrics?population=synthetic`);
  expect([empty.status, empty.body.sessionCount, empty.body.completionRate]).toEqual([
    200,
    0,
    null,
  ]);
  const on = {
    ...target,
    targetId: `environment:${environmentId}`,
    environmentRef: { id: environmentId, name: 'Shop', revision: 1 },
  };
  await storeRun(fixture.service, fixture.tenant, {
    waveId: 'beside',
    snapshot: { targets: [on] },
    sessions: [{ evidence: turnOf([{ toolName: 'book' }]) }, { evidence: turnOf() }],
  });
  const of = async (query: string) => (await ask('GET', `${path}/metrics${query}`)).body;
  const [all, real, synthetic] = [
    await of(''),
    await of('?population=real'),
    await of('?population=synthetic'),
  ];
  expect(real).toMatchObject({
    population: 'real',
    sessionCount: 2,
    analyzedCount: 2,
    uniqueVisitorCount: 2,
    toolCallCount: 2,
    toolErrorCount: 1,
    toolErrorRate: 0.5,
    latencyP50Ms: 5,
    topFailingTool: { toolName: 'book', errorCount: 1 },
    completedCount: 1,
    ratedSessionCount: 1,
    averageRating: 1,
    negativeRate: 1,
    avgTokensPerSession: 15,
  });
  expect(synthetic).toMatchObject({ sessionCount: 2, completedCount: 1, toolCallCount: 1 });
  for (const name of ['sessionCount', 'analyzedCount', 'toolCallCount', 'completedCount']) {
    expect([name, all[name]]).toEqual([name, real[name] + synthetic[name]]);
  }
  const usage = await ask('GET', `${path}/usage`);
  expect(usage.body).toMatchObject({
    totalSessions: 4,
    toolBreakdown: [{ key: 'srv_1.book', count: 3, callCount: 3, errorCount: 1 }],
    userBreakdown: [{ segment: 'guest-new', negative: 1, none: 1 }],
    scan: { scanned: 4, matched: 4, truncated: false, maxSessions: 500 },
  });
});

test('metrics: both are the sum of each also where there are more than are counted', async () => {
  const { path, visit, environmentId, scenarioId } = await scenario();
  const id = await visit({ turns: [booking(false)] });
  await mined();
  const { sql } = fixture.service.owner;
  const [columns] = await sql<{ names: string }[]>`
    select string_agg(quote_ident(attname), ', ') as names from pg_attribute
    where attrelid = 'proofmark.visitor_sessions'::regclass and attnum > 0 and not attisdropped and attname <> 'id'`;
  await sql.written(
    `insert into proofmark.visitor_sessions (id, ${columns?.names})
     select id || '_' || copy, ${columns?.names} from proofmark.visitor_sessions, generate_series(1, 501) as copy
     where id = $1`,
    [id],
  );
  const on = {
    ...target,
    targetId: `environment:${environmentId}`,
    environmentRef: { id: environmentId, name: 'Shop', revision: 1 },
  };
  await storeRun(fixture.service, fixture.tenant, {
    waveId: 'many',
    snapshot: { targets: [on] },
    sessions: [{ evidence: turnOf([{ toolName: 'book' }]) }],
  });
  const of = async (query: string) => (await ask('GET', `${path}/metrics${query}`)).body;
  const [all, real, synthetic] = [
    await of(''),
    await of('?population=real'),
    await of('?population=synthetic'),
  ];
  expect([real.sessionCount, real.truncated]).toEqual([500, true]);
  expect([synthetic.sessionCount, synthetic.truncated]).toEqual([1, false]);
  expect([all.sessionCount, all.toolCallCount, all.truncated]).toEqual([501, 501, true]);
  const { scan } = (await ask('GET', `${path}/usage`)).body;
  expect(scan).toMatchObject({ scanned: 500, matched: 503, truncated: true });
  await sql`delete from visitor_sessions where scenario_id = ${scenarioId}`;
});

test('a bad tool for three visitors, then fixed, then bad: new, resolved, regressed; overlap counts nothing', async () => {
  const { path, visit } = await scenario();
  const after = async (failed: boolean, count: number) => {
    const going = { status: 'active', turns: [booking(failed)] } as const;
    const ids = await Promise.all(Array.from({ length: count }, () => visit(going)));
    // One statement ends all sessions, so that they are mined together.
    await fixture.service.owner.sql`
      update visitor_sessions set status = 'ended', ended_by = 'visitor' where id = any (${ids})`;
    await mined();
    const { body } = await ask('GET', `${path}/findings`);
    return body.items.find((one: Answer) => one.detector === 'tool_errors');
  };
  const first = await after(true, 3);
  expect(first).toMatchObject({
    status: 'new',
    occurrenceCount: 1,
    subjectKind: 'tool',
    subjectId: 'srv_1.book',
    fingerprint: 'tool_errors:tool:srv_1.book',
    firstFailedStage: 'response',
    _id: first.id,
    evidence: { affected: 3, sliceTotal: 3 },
  });
  expect(first.id).toMatch(/^fnd_[0-9a-f]{32}$/);
  expect(first.evidence.exemplarSessionIds).toHaveLength(3);
  // The window now contains the same three failures and two more good sessions.
  expect(await after(false, 2)).toEqual(first);
  const signals = await ask('GET', `${path}/signals`);
  expect(signals.body.candidates[0]).toMatchObject({ affectedSessions: 3, sliceTotal: 5 });
  expect(await after(false, 8)).toMatchObject({ status: 'resolved', occurrenceCount: 1 });
  const dismissed = await ask('POST', `${path}/findings/${first.id}/dismiss`);
  expect(dismissed.body).toMatchObject({
    id: first.id,
    projectId: fixture.tenant.projectId,
    dismissed: true,
  });
  expect(await after(true, 1)).toMatchObject({
    id: first.id,
    status: 'regressed',
    occurrenceCount: 2,
    resolvedAt: null,
    dismissedAt: expect.any(Number),
  });
  const shown = await ask('POST', `${path}/findings/${first.id}/undismiss`);
  expect(shown.body.dismissed).toBe(false);
  const other = await scenario();
  expect((await ask('POST', `${other.path}/findings/${first.id}/dismiss`)).status).toBe(404);
});

test('signals: not looked through yet, then of the newest window, which the same sessions do not write again', async () => {
  const { path, visit, scenarioId } = await scenario();
  const none = await ask('GET', `${path}/signals`);
  expect([none.status, none.body.details.reason]).toEqual([404, 'NOT_MINED']);
  const id = await visit({ turns: [booking(true)], ratings: [1] });
  await mined();
  const { body } = await ask('GET', `${path}/signals`);
  expect(body).toMatchObject({
    sessionCount: 1,
    unanalyzedSessionCount: 0,
    feedbackCount: 1,
    truncated: false,
    lowConfidence: false,
    dataStale: false,
    canRequest: true,
    canDismiss: true,
  });
  expect(body.windowId).toMatch(/^win_/);
  expect(body.latestGroupId).toBe(body.windowId);
  expect(body.windowEndAt - body.windowStartAt).toBe(7 * 24 * 3_600_000);
  const detectors = body.candidates.map((one: Answer) => one.detector);
  expect(detectors).toEqual([
    ...['terminal_error_concentration', 'tool_errors', 'negative_feedback'],
  ]);
  expect(body.candidates[0].exemplarSessionIds).toEqual([id]);
  // The session is made pending and mined a second time. The newest window stays the same.
  await fixture.service.owner.sql`update visitor_sessions set settled_at = null where id = ${id}`;
  await mined();
  expect((await ask('GET', `${path}/signals`)).body.windowId).toBe(body.windowId);
  await visit({ status: 'active', lastActivityAt: new Date(Date.now() + 1000) });
  expect((await ask('GET', `${path}/signals`)).body.dataStale).toBe(true);
  const detail = await ask('GET', path);
  expect(detail.body.insights).toMatchObject({
    status: 'not_requested',
    candidateCount: 3,
    scope: { kind: 'user_testing_window', id: body.windowId, scenarioId },
  });
});

test('a low rating is of the answer that got it, and blames no tool that another answer called', async () => {
  const { path, visit } = await scenario();
  const searching = { evidence: turnOf([{ toolName: 'search' }]), text: 'Search a table' };
  await visit({ turns: [searching, booking(true)], ratings: [2, 5] });
  await mined();
  const { items } = (await ask('GET', `${path}/findings`)).body;
  const rated = items.filter((one: Answer) => one.detector === 'negative_feedback');
  expect(rated).toMatchObject([
    { subjectLabel: 'search', title: 'Answers are rated low: search', evidence: { affected: 1 } },
  ]);
  expect(rated[0]).not.toHaveProperty('failureCategory');
  expect(rated[0]).not.toHaveProperty('firstFailedStage');
});

test('insights: before mining, asked, again, by force, of another window, and released', async () => {
  const { path, visit } = await scenario();
  const used = async () => {
    const [row] = await fixture.service.owner.sql<{ used: number }[]>`
      select coalesce(sum(used), 0)::integer as used from daily_counters
      where organization_id = ${fixture.tenant.organizationId} and counter = 'insightsPerDay'`;
    return row?.used ?? 0;
  };
  const early = await ask('POST', `${path}/insights`);
  expect([early.status, early.body.details.reason]).toEqual([409, 'WINDOW_NOT_ANALYZED']);
  await visit({ turns: [booking(true)] });
  await mined();
  const { windowId } = (await ask('GET', `${path}/signals`)).body;
  const insights = `${path}/windows/${windowId}/insights`;
  expect((await ask('GET', insights)).body.details.reason).toBe('NOT_REQUESTED');
  expect((await ask('DELETE', `${path}/insights`, { windowId })).status).toBe(404);
  await fixture.stopWorker();
  const before = await used();
  expect((await ask('POST', `${path}/insights`)).body).toMatchObject({
    windowId,
    status: 'pending',
  });
  const canceled = await ask('DELETE', `${path}/insights`, { windowId });
  expect(canceled.body).toMatchObject({ windowId, canceled: true });
  expect((await ask('DELETE', `${path}/insights`, { windowId })).status).toBe(404);
  expect((await ask('GET', insights)).status).toBe(404);
  await fixture.startWorker();
  expect((await ask('POST', `${path}/insights`)).status).toBe(202);
  const read = async () => (await ask('GET', insights)).body;
  await expect.poll(async () => (await read()).status, { timeout: 10_000 }).toBe('completed');
  const charged = await used();
  expect(charged - before).toBe(2);
  expect((await ask('POST', `${path}/insights`)).body).toMatchObject({ windowId, reused: true });
  expect(await used()).toBe(charged);
  const answer = await read();
  expect(answer.insights).toMatchObject({ modelUsed: 'proofmark/narrator-1', sessionCount: 1 });
  expect(answer.insights.candidates[0]).toMatchObject({
    affectedSessions: 1,
    findingStatus: 'new',
  });
  expect((await ask('DELETE', `${path}/insights`, { windowId })).body.canceled).toBe(true);
  expect((await read()).status).toBe('completed');
  expect((await ask('POST', `${path}/insights`, { force: true })).status).toBe(202);
  expect(await used()).toBe(charged + 1);
  expect((await ask('POST', `${path}/insights`, { forced: true })).status).toBe(400);
  expect((await ask('GET', `${path}/windows/win_none/insights`)).body.details?.reason).toBe(
    undefined,
  );
  await mined();
});

test('a session that is deleted is gone everywhere: counts stay, and its excerpt is blank', async () => {
  const { path, visit, scenarioId } = await scenario();
  const secretWords = 'my private zebra story';
  const gone = await visit({ turns: [{ ...booking(true), text: secretWords }], ratings: [1] });
  const stays = await visit({ turns: [{ ...booking(true), text: 'another story' }] });
  await mined();
  await ask('POST', `${path}/insights`);
  await mined();
  const before = (await ask('GET', path)).body.insights;
  expect(JSON.stringify(before)).toContain(secretWords);
  expect((await ask('DELETE', `${path}/sessions/${gone}`)).body).toEqual({
    id: gone,
    deleted: true,
  });
  const read = await Promise.all(
    ['', '/sessions', '/signals', '/findings', '/metrics', '/usage'].map((of) =>
      ask('GET', path + of),
    ),
  );
  for (const { text } of read) {
    expect(text).not.toContain(gone);
    expect(text).not.toContain(secretWords);
  }
  expect((await ask('GET', `${path}/sessions/${gone}`)).status).toBe(404);
  const { candidates } = (await ask('GET', `${path}/signals`)).body;
  const errors = candidates.find((one: Answer) => one.detector === 'tool_errors');
  expect(errors).toMatchObject({ affectedSessions: 2, sliceTotal: 2, exemplarSessionIds: [stays] });
  const after = (await ask('GET', path)).body.insights;
  const evidenceOf = (envelope: Answer) =>
    envelope.findings.flatMap((one: Answer) =>
      one.evidence.map((row: Answer) => row.excerpt === ''),
    );
  expect(evidenceOf(before)).not.toContain(true);
  expect(evidenceOf(after)).toContain(true);
  expect(evidenceOf(after)).toHaveLength(evidenceOf(before).length);
  // No table contains any trace of the erased session.
  const { sql } = fixture.service.owner;
  const tables = await sql<{ name: string }[]>`
    select table_name as name from information_schema.columns
    where table_schema = 'proofmark' and column_name = 'organization_id'
      and (table_name like 'visitor%' or table_name like 'scenario%' or table_name = 'insights')
    group by table_name`;
  for (const { name } of tables) {
    const [row] = await sql<{ count: number }[]>`
      select count(*)::integer as count from ${sql(name)} of where strpos(to_json(of)::text, ${gone}) > 0
        or strpos(to_json(of)::text, ${secretWords}) > 0`;
    expect([name, row?.count]).toEqual([name, 0]);
  }
  const [line] = await sql<{ action: string }[]>`
    select action from audit_log where subject_id = ${gone}`;
  expect(line?.action).toBe('scenario.sessionDeleted');
  expect(scenarioId).toMatch(/^scn_/);
});
