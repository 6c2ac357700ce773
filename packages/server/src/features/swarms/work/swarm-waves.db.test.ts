import { criterionOf, sessionEvidenceOf } from '@proofmark/harness/any-sessions.ts';
import { type ProjectCaller, projectCaller } from '@proofmark/harness/project-caller.ts';
import { type RunToStore, type StoredRun, storeRun } from '@proofmark/harness/stored-wave.ts';
import { call, startTestService, type TestService } from '@proofmark/harness/test-service.ts';
import { startTestWorker, type TestWorker } from '@proofmark/harness/test-worker.ts';
import { createTenant, type Tenant } from '@proofmark/harness/two-tenants.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createModelGateway } from '../../../outside/model/create-model-gateway.ts';
import type { ModelGateway } from '../../../outside/model/model-gateway.ts';

let service: TestService;
let tenant: Tenant;
let models: ModelGateway;
let worker: TestWorker;
let ask: ProjectCaller;
beforeAll(async () => {
  models = createModelGateway({
    egress: { allowLoopback: true, allowedPrivateHosts: [] },
    providers: [],
  });
  service = await startTestService({ models });
  tenant = await createTenant(service, 'waves');
  await service.owner.sql`update organizations set swarms = true`;
  ask = projectCaller(service, tenant);
  worker = await startTestWorker(service, models);
});
afterAll(async () => {
  await worker.stop();
  await service.stop();
  await models.close();
});

const store = (run: RunToStore): Promise<StoredRun> => storeRun(service, tenant, run);

async function mined(waveId: string) {
  const isDone = async () => {
    const [open] = await service.owner.sql<{ count: number }[]>`
      select count(*)::integer as count from leased_work
      where status <> 'done' and kind in ('journey-gradings', 'journey-judgements', 'wave-mining')`;
    return open?.count === 0 && (await ask('GET', `waves/${waveId}`)).body.mined === true;
  };
  await expect.poll(isDone, { timeout: 20_000, interval: 30 }).toBe(true);
}

const hoursFailed = { kind: 'content-error' as const, toolName: 'hours', spanId: 's1' };
const failingTool = {
  seen: {
    ...sessionEvidenceOf().seen,
    spans: [
      { id: 's1', category: 'tool', status: 'error' as const, toolName: 'hours', promptIndex: 0 },
    ],
    toolErrors: [{ ...hoursFailed, promptIndex: 0 }],
  },
  transcript: {
    toolCalls: [{ toolName: 'hours', arguments: { day: 'Sunday' }, serverId: 'srv_1' }],
    toolErrors: [{ ...hoursFailed, message: 'No hours for 7' }],
    finalAssistantMessage: 'The tool hours failed.',
    turnCount: 1,
  },
  turns: [[{ toolName: 'hours', arguments: { day: 'Sunday' }, serverId: 'srv_1', spanId: 's1' }]],
};
const toolSpan = (status: string) => ({
  id: 's1',
  category: 'tool',
  toolName: 'hours',
  serverId: 'srv_1',
  status,
  startMs: 0,
  endMs: 5,
  promptIndex: 0,
});
const fails = { evidence: sessionEvidenceOf(failingTool), spans: [toolSpan('error')] };
const called = failingTool.turns;
const holds = {
  evidence: sessionEvidenceOf({
    transcript: { ...sessionEvidenceOf().transcript, toolCalls: called.flat() },
    turns: called,
  }),
  spans: [toolSpan('ok')],
};
const rubric = [
  criterionOf('crt_errors', { type: 'noToolErrors' }),
  criterionOf('crt_turns', { type: 'turnCountUnder', turns: 9 }),
];

const findingOf = async (dimension: string, subjectId: string) => {
  const { body } = await ask('GET', 'journey-findings');
  return body.items.find(
    (one: { dimension: string; subject: { id: string } }) =>
      one.dimension === dimension && one.subject.id === subjectId,
  );
};

describe('a scorecard', () => {
  test('of a run in which one grading broke: three graded, one failed grading, never a failure', async () => {
    const { runId, sessionIds } = await store({
      waveId: 'broken',
      snapshot: { rubric },
      sessions: [fails, holds, holds, { evidenceText: '{' }],
    });
    await mined('broken');
    const first = await ask('GET', `journey-runs/${runId}/scorecard`);
    expect(first.body).toMatchObject({ sessionsTotal: 4, sessionsGraded: 3 });
    for (const one of first.body.criteria) {
      expect([one.passCount + one.failCount, one.failedGradingCount]).toEqual([3, 1]);
    }
    expect(first.body.criteria[0]).toMatchObject({
      id: 'crt_errors',
      failCount: 1,
      failReasons: [{ sessionCount: 1, sessionId: sessionIds[0] }],
    });
    expect(first.body.criteria[0].failReasons[0].reason).toContain('hours');
    expect(first.body.criteria[1].failReasons).toEqual([]);
    expect((await ask('GET', `journey-runs/${runId}/scorecard`)).text).toBe(first.text);
    const [charged] = await service.owner.sql`select from ledger`;
    expect(charged).toBeUndefined();
  });

  test('of a session whose grading was begun three times and never ended: failed, and nothing waits', async () => {
    await worker.stop();
    const { runId, sessionIds } = await store({
      waveId: 'tried',
      snapshot: { rubric },
      sessions: [holds, holds],
    });
    await service.owner.sql`
      update leased_work set attempt_cost = 15 where group_id = ${sessionIds[0] as string}`;
    const open = await ask('GET', `journey-runs/${runId}/scorecard`);
    expect(open.body).toMatchObject({ sessionsGraded: 0, criteria: [{ pendingCount: 2 }, {}] });
    worker = await startTestWorker(service, models);
    await mined('tried');
    const { body } = await ask('GET', `journey-runs/${runId}/scorecard`);
    expect(body).toMatchObject({ sessionsGraded: 1, criteria: [{ failedGradingCount: 1 }, {}] });
  });

  test('of a run without criteria is not there, and says why', async () => {
    const { runId } = await store({ waveId: 'bare', sessions: [{}] });
    const { status, body } = await ask('GET', `journey-runs/${runId}/scorecard`);
    expect([status, body.details.reason]).toEqual([404, 'NO_RUBRIC']);
    expect((await ask('GET', 'journey-runs/jrn_none/scorecard')).body.details?.reason).toBe(
      undefined,
    );
  });

  test('leaves out what a provider, a set-up or we ourselves ended, and no finding names a server for it', async () => {
    const journey = { id: 'jny_faults', name: 'Faults' };
    const { runId } = await store({
      waveId: 'faults',
      snapshot: { rubric, journey },
      sessions: [
        ...[holds, holds, { errorCode: 'provider_failed' }, { errorCode: 'server_unreachable' }],
        { errorCode: 'canceled', begun: 0 },
      ] as RunToStore['sessions'],
    });
    await mined('faults');
    const { body } = await ask('GET', `journey-runs/${runId}/scorecard`);
    expect(body).toMatchObject({
      sessionsTotal: 5,
      sessionsGraded: 2,
      ungraded: { provider: 1, setup: 1, unplayed: 1, ours: 0 },
    });
    expect(body.criteria[0].failRate).toBe(0);
    const { body: found } = await ask('GET', 'journey-findings');
    expect(
      found.items.filter((one: { journeyId: string }) => one.journeyId === journey.id),
    ).toEqual([]);
  });
});

test('findings over waves: new, recurring, unchanged, resolved, regressed; dismissed and mined twice', async () => {
  const journey = { id: 'jny_hours', name: 'Hours' };
  const other = { id: 'jny_other', name: 'Other' };
  const subject = 'jny_hours.crt_errors';
  const play = async (waveId: string, session: typeof fails | typeof holds, of = journey) => {
    await store({ waveId, snapshot: { rubric, journey: of }, sessions: [session] });
    await mined(waveId);
    return findingOf('criterion_fail', subject);
  };
  const first = await play('f1', fails);
  expect(first).toMatchObject({
    status: 'new',
    occurrenceCount: 1,
    firstFailedStage: 'response',
    journeyId: journey.id,
    failureCategory: 'serverData',
    lastSeenWaveId: 'f1',
    dismissedAt: null,
    evidence: { affected: 1, sliceTotal: 1 },
  });
  expect(first.id).toMatch(/^fnd_[0-9a-f]{32}$/);
  const tool = await findingOf('tool_errors', 'srv_1.hours');
  expect(tool).toMatchObject({ firstFailedStage: 'response' });
  expect(tool.evidence.patterns).toEqual([{ pattern: 'no hours for <number>', affected: 1 }]);
  expect(await play('f2', fails)).toMatchObject({ status: 'recurring', occurrenceCount: 2 });
  const dismissed = await ask('POST', `journey-findings/${first.id}/dismiss`);
  expect(dismissed.body).toEqual({ id: first.id, projectId: tenant.projectId, dismissed: true });
  const hidden = await findingOf('criterion_fail', subject);
  expect(await play('f3', holds, other)).toEqual(hidden);
  expect(await play('f4', holds)).toMatchObject({ status: 'resolved', occurrenceCount: 2 });
  const last = await play('f5', fails);
  expect(last).toMatchObject({
    id: first.id,
    status: 'regressed',
    occurrenceCount: 3,
    resolvedAt: null,
    dismissedAt: hidden.dismissedAt,
  });
  // A run of another journey joins the same wave, which is therefore mined again.
  expect(await play('f5', holds, other)).toEqual(last);
  const shown = await ask('POST', `journey-findings/${first.id}/undismiss`);
  expect(shown.body.dismissed).toBe(false);
  expect((await ask('POST', 'journey-findings/fnd_none/dismiss')).status).toBe(404);
  const resolved = await ask('GET', 'journey-findings?status=resolved&dismissed=true');
  expect(resolved.body.items).toEqual([]);
});

test('two waves that end at once count as one after the other', async () => {
  const journey = { id: 'jny_twice', name: 'Twice' };
  const run = (waveId: string) =>
    store({ waveId, snapshot: { rubric, journey }, sessions: [fails, holds] });
  await Promise.all([run('t1'), run('t2'), run('t3')]);
  await Promise.all([mined('t1'), mined('t2'), mined('t3')]);
  expect(await findingOf('criterion_fail', 'jny_twice.crt_errors')).toMatchObject({
    occurrenceCount: 3,
  });
});

test('insights of a wave: unasked, while it goes on, explained by rules, and released', async () => {
  const journey = { id: 'jny_insights', name: 'Insights' };
  const path = 'waves/told/insights';
  expect((await ask('GET', path)).status).toBe(404);
  const running = { waveId: 'told', snapshot: { rubric, journey }, sessions: [fails] };
  const { runId } = await store({ ...running, isRunning: true });
  expect((await ask('GET', path)).body.details.reason).toBe('NOT_REQUESTED');
  expect((await ask('POST', path)).body.details.reason).toBe('WAVE_NOT_TERMINAL');
  await service.owner.sql`update journey_runs set status = 'completed' where id = ${runId}`;
  await store({ ...running, sessions: [holds] });
  await mined('told');
  expect((await ask('DELETE', path)).body.details.reason).toBe('NOT_PENDING');
  await worker.stop();
  expect((await ask('POST', path)).body).toEqual({
    waveId: 'told',
    projectId: tenant.projectId,
    status: 'pending',
    insightsStatus: 'pending',
  });
  expect((await ask('DELETE', path)).body).toMatchObject({ canceled: true });
  expect((await ask('GET', path)).status).toBe(404);
  expect((await ask('DELETE', path)).status).toBe(409);
  worker = await startTestWorker(service, models);
  expect((await ask('POST', path)).status).toBe(202);
  const read = async () => (await ask('GET', path)).body;
  await expect.poll(async () => (await read()).status, { timeout: 10_000 }).toBe('completed');
  expect(await read()).toMatchObject({
    discovery: { findings: [], sampledSessionIds: [] },
    insights: {
      modelUsed: 'proofmark/narrator-1',
      sessionCount: 2,
      truncated: false,
      candidates: expect.arrayContaining([
        expect.objectContaining({
          fingerprint: 'criterion_fail:criterion:jny_insights.crt_errors',
          findingStatus: 'new',
        }),
      ]),
    },
  });
  expect((await ask('GET', 'waves/nowhere/insights')).body.details?.reason).toBe(undefined);
});

test('the rule judge is heard after the last session, and changes neither result nor scorecard', async () => {
  const judge = { model: 'proofmark/rule-judge-1', threshold: 0.7 };
  const intents = [
    { text: 'Ask for hours', state: 'done' as const },
    { text: 'Book', state: 'givenUp' as const },
  ];
  const { sessionIds } = await store({
    waveId: 'judged',
    snapshot: { judge, journey: { id: 'jny_judged', name: 'Judged' } },
    sessions: [{ intents }, {}],
  });
  await mined('judged');
  const rows = await service.owner.sql<
    { goalScore: string; result: string | null; chain: string }[]
  >`
    select goal_score, result, chain from swarm_sessions where id in ${service.owner.sql([...sessionIds])}
    order by ordinal`;
  expect(rows.map(({ goalScore }) => JSON.parse(goalScore))).toMatchObject([
    { status: 'completed', score: 0.5, passed: false, judgeModel: judge.model },
    { status: 'failed', errorCode: 'no_judge_model' },
  ]);
  expect(JSON.parse(rows[0]?.chain ?? '').firstFailedStage).toBe('userValue');
  expect(rows[0]?.result).toBeNull();
  const overview = await ask('GET', 'journeys-overview');
  const run = overview.body.runs.find((one: { waveId: string }) => one.waveId === 'judged');
  expect(run.goalCompletion).toEqual({
    gradedCount: 1,
    passedCount: 0,
    avgScore: 0.5,
    pendingCount: 0,
    failedCount: 1,
  });
});

test('a judge that was begun as often as it may be and never ended is asked no more, and goes on with the next', async () => {
  const judge = { model: 'proofmark/rule-judge-1', threshold: 0.7 };
  const intents = [{ text: 'Ask for hours', state: 'done' as const }];
  await worker.stop();
  const { runId, sessionIds } = await store({
    waveId: 'spent',
    snapshot: { judge, journey: { id: 'jny_spent', name: 'Spent' } },
    sessions: [{ intents }, { intents }],
  });
  await service.owner.sql`
    update leased_work set attempt_cost = 20 where kind = 'journey-judgements' and group_id = ${runId}`;
  worker = await startTestWorker(service, models);
  await mined('spent');
  const rows = await service.owner.sql<{ goalScore: string }[]>`
    select goal_score from swarm_sessions where id in ${service.owner.sql([...sessionIds])}
    order by ordinal`;
  expect(rows.map(({ goalScore }) => JSON.parse(goalScore))).toMatchObject([
    { status: 'failed', errorCode: 'judge_failed' },
    { status: 'completed' },
  ]);
});

describe('a wave of which not all can be read', () => {
  test('is mined by the sessions that can', async () => {
    const odd = { evidenceText: '{"evidenceVersion":1,"turns":[null]}' };
    const journey = { id: 'jny_odd', name: 'Odd' };
    await store({ waveId: 'odd', snapshot: { rubric, journey }, sessions: [odd, fails] });
    await mined('odd');
    expect(await findingOf('criterion_fail', 'jny_odd.crt_errors')).toMatchObject({
      evidence: { affected: 1, sliceTotal: 1 },
    });
  });

  test('is given up after the last attempt, and changes nothing', async () => {
    await worker.stop();
    const { sql } = service.owner;
    const { runId } = await store({ waveId: 'unread', sessions: [fails] });
    await sql`
      update journey_run_snapshots set snapshot = '{"snapshotVersion":1,"targets":[]}'
      where run_id = ${runId}`;
    const work = sql`kind = 'wave-mining' and group_id = ${`${tenant.projectId}/unread`}`;
    await sql`update leased_work set attempt_cost = 15 where ${work}`;
    const before = (await ask('GET', 'journey-findings')).body;
    worker = await startTestWorker(service, models);
    const isDone = async () =>
      (await sql`select from leased_work where ${work} and status <> 'done'`).count === 0;
    await expect.poll(isDone, { timeout: 20_000, interval: 30 }).toBe(true);
    expect((await ask('GET', 'waves/unread')).body).toMatchObject({ terminal: true, mined: false });
    expect((await ask('GET', 'journey-findings')).body).toEqual(before);
  });
});

test('the overview shows what the newest run of a journey fails, and since how many runs', async () => {
  const journey = { id: 'jny_streak', name: 'Streak' };
  for (const waveId of ['o1', 'o2']) {
    await store({ waveId, snapshot: { rubric, journey }, sessions: [fails, holds] });
    await mined(waveId);
  }
  const { body } = await ask('GET', 'journeys-overview');
  const own = body.runs.filter((one: { journeyId: string }) => one.journeyId === journey.id);
  expect(own.map(({ findings }: { findings: unknown }) => findings)).toEqual([
    [
      {
        criterionId: 'crt_errors',
        label: null,
        kind: 'noToolErrors',
        failCount: 1,
        pendingCount: 0,
        failedGradingCount: 0,
        sessionsGraded: 2,
        runStreak: 2,
      },
    ],
    [],
  ]);
});

test('a wave is compared with another by journey, target and criterion', async () => {
  const journey = { id: 'jny_compared', name: 'Compared' };
  const five = (session: object) => Array.from({ length: 5 }, () => session);
  const at = { snapshot: { rubric, journey } };
  await store({ ...at, waveId: 'c1', sessions: five(holds) });
  await store({ ...at, waveId: 'c2', sessions: five(fails) });
  await Promise.all([mined('c1'), mined('c2')]);
  const { body, status } = await ask('GET', 'waves/c2/compare?baseWaveId=c1');
  expect(status).toBe(200);
  expect(
    body.rows.map((row: { criterionId: string; outcome: string }) => [
      row.criterionId,
      row.outcome,
    ]),
  ).toEqual([
    ['crt_errors', 'regression'],
    ['crt_turns', 'no_regression'],
  ]);
  expect((await ask('GET', 'waves/c2/compare?baseWaveId=nowhere')).status).toBe(404);
});

test('a session becomes a case of a suite with its words and its criteria, once for a key', async () => {
  const messages = [
    { role: 'user', content: '[This part was left out: the record of a trial is limited in size]' },
    { role: 'assistant', content: 'The tool hours failed.' },
  ];
  const { runId, sessionIds } = await store({
    waveId: 'kept',
    snapshot: { rubric, journey: { id: 'jny_kept', name: 'Kept' } },
    sessions: [{ ...fails, messages, prompts: ['When are you open on Sunday?'] }],
  });
  await mined('kept');
  const path = `journey-runs/${runId}/sessions/${sessionIds[0]}/eval-case`;
  const body = { suiteId: tenant.suiteId, expectCalls: true };
  const { baseUrl } = service;
  const send = () =>
    call(`${baseUrl}/api/v1/projects/${tenant.projectId}/${path}`, {
      method: 'POST',
      key: tenant.key,
      body,
      headers: { 'idempotency-key': 'kept' },
    });
  const made = await send();
  expect(made.status, made.text).toBe(201);
  expect((await send()).body.id).toBe(made.body.id);
  expect(made.body).toMatchObject({
    title: 'Kept · Ann · 1',
    steps: [{ kind: 'prompt', prompt: 'When are you open on Sunday?' }],
    models: [{ model: 'proofmark/lexical-1' }],
    checks: { mode: 'extend', list: [{ type: 'noToolErrors' }, { type: 'turnCountUnder' }] },
  });
  expect(made.body.failOnToolError).toBeUndefined();
  expect(
    (await ask('POST', `journey-runs/${runId}/sessions/cht_none/eval-case`, body)).status,
  ).toBe(404);
});
