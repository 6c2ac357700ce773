/** Waves that end at the same time change findings one after another, without a deadlock. */
import { criterionOf } from '@proofmark/harness/any-sessions.ts';
import { projectCaller } from '@proofmark/harness/project-caller.ts';
import { type StoredRun, storeRun } from '@proofmark/harness/stored-wave.ts';
import { startTestService, type TestService } from '@proofmark/harness/test-service.ts';
import { startTestWorker, type TestWorker } from '@proofmark/harness/test-worker.ts';
import { createTenant, type Tenant } from '@proofmark/harness/two-tenants.ts';
import { untilWaiting } from '@proofmark/harness/until-waiting.ts';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createModelGateway } from '../../../outside/model/create-model-gateway.ts';
import type { ModelGateway } from '../../../outside/model/model-gateway.ts';
import { LeaseLost } from '../../../platform/work/lease-keeper.ts';
import {
  type ClaimedWork,
  claimWork,
  returnInterrupted,
} from '../../../platform/work/store/leased-work.ts';
import { journeyGradingsWork } from '../store/journey-work.ts';
import { lockFindings, settleWave } from '../store/waves.ts';
import { journeyGradingsKind } from './grade-sessions.ts';

let service: TestService;
let tenant: Tenant;
let models: ModelGateway;
const workers: TestWorker[] = [];
beforeAll(async () => {
  models = createModelGateway({
    egress: { allowLoopback: true, allowedPrivateHosts: [] },
    providers: [],
  });
  service = await startTestService({ models });
  tenant = await createTenant(service, 'mined');
  await service.owner.sql`update organizations set swarms = true`;
});
afterAll(async () => {
  for (const worker of workers) await worker.stop();
  await service.stop();
  await models.close();
});

const rubric = [criterionOf('crt_1', { type: 'turnCountUnder', turns: 1 })];
const store = (waveId: string): Promise<StoredRun> =>
  storeRun(service, tenant, { waveId, snapshot: { rubric }, sessions: [{}] });
const ask = (path: string) => projectCaller(service, tenant)('GET', path);
const startWorkers = async (count: number) => {
  for (let at = 0; at < count; at += 1) workers.push(await startTestWorker(service, models));
};

async function mined(waveId: string): Promise<void> {
  const isDone = async () => (await ask(`waves/${waveId}`)).body.mined;
  await expect.poll(isDone, { timeout: 20_000, interval: 30 }).toBe(true);
}

/**
 * Waits until a database connection of the service is blocked by a lock in a statement that
 * contains this text.
 */
function waitsFor(statement: string): Promise<unknown> {
  const isWaiting = async () => {
    const { count } = await service.database.sql`
      select from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock' and strpos(query, ${statement}) > 0
        and pid <> pg_backend_pid()`;
    return count > 0;
  };
  return vi.waitUntil(isWaiting, { timeout: 20_000, interval: 10 });
}

test('a grading that was interrupted, or whose lease was lost, was not tried', async () => {
  const { runId, sessionIds } = await store('interrupted');
  const { database } = service;
  const dependencies = { database, log: { error: () => undefined } } as never;
  const kind = journeyGradingsKind(dependencies, 1);
  const attempt = { signal: AbortSignal.timeout(60_000), stopping: { aborted: false } } as never;
  for (let times = 0; times < 4; times += 1) {
    const [work] = await claimWork(database.sql, journeyGradingsWork, 1, 60_000);
    const lost = { ...(work as ClaimedWork), lease: '0' };
    await expect(kind.run(lost, attempt)).rejects.toThrow(LeaseLost);
    await database.tenant([tenant.organizationId], (sql) =>
      returnInterrupted(sql, work as ClaimedWork),
    );
  }
  await startWorkers(1);
  await mined('interrupted');
  const { items } = (await ask(`journey-runs/${runId}/sessions`)).body;
  expect(items).toMatchObject([{ id: sessionIds[0], grading: { status: 'completed' } }]);
});

test('while findings of a project change, the next wave waits, and counts what it left', async () => {
  await startWorkers(2);
  const before = (await ask('journey-findings')).body.items;
  await service.owner.transaction(async (sql) => {
    await lockFindings(sql, tenant.projectId);
    await Promise.all([store('one'), store('other')]);
    await untilWaiting(sql, 2);
  });
  await Promise.all([mined('one'), mined('other')]);
  const { items } = (await ask('journey-findings')).body;
  expect(items).toHaveLength(before.length);
  expect(items[0].occurrenceCount).toBe(before[0].occurrenceCount + 2);
});

test('a wave that is settled anew while it is mined waits for that, and nobody fails', async () => {
  const settling = await service.owner.transaction(async (sql) => {
    await lockFindings(sql, tenant.projectId);
    await storeRun(service, tenant, { waveId: 'held', sessions: [{}] });
    // The miner has locked its work and now waits for the findings lock.
    await waitsFor('pg_advisory_xact_lock');
    const settled = service.database.tenant([tenant.organizationId], (of) =>
      settleWave(of, { ...tenant, waveId: 'held' }),
    );
    settled.catch(() => undefined);
    await waitsFor('delete from work_groups');
    return { settled };
  });
  await expect(settling.settled).resolves.toBeUndefined();
  await mined('held');
});

test('a run that is launched into a wave while it is mined keeps it open', async () => {
  await service.owner.transaction(async (sql) => {
    await lockFindings(sql, tenant.projectId);
    await storeRun(service, tenant, { waveId: 'opened', sessions: [{}] });
    await waitsFor('pg_advisory_xact_lock');
    await storeRun(service, tenant, { waveId: 'opened', sessions: [{}], isRunning: true });
  });
  const isDone = async () => {
    const { count } = await service.owner.sql`select from leased_work where status <> 'done'`;
    return count === 0;
  };
  await expect.poll(isDone, { timeout: 20_000, interval: 30 }).toBe(true);
  expect((await ask('waves/opened')).body).toMatchObject({ terminal: false, mined: false });
});

test('a wave is mined again where the last judge died before it could say so', async () => {
  for (const worker of workers.splice(0)) await worker.stop();
  const judge = { model: 'proofmark/rule-judge-1', threshold: 0.7 };
  const { runId } = await storeRun(service, tenant, {
    waveId: 'judged',
    snapshot: { judge },
    sessions: [{}],
  });
  const goalScore = { status: 'completed', score: 0.7, passed: true, threshold: 0.7, reason: null };
  await service.owner.sql`
    update swarm_sessions set goal_score = ${JSON.stringify({ ...goalScore, judgeModel: judge.model })}
    where run_id = ${runId}`;
  await service.owner.sql`delete from work_groups where kind = 'wave-mining'`;
  await startWorkers(1);
  await mined('judged');
});

test('a wave that is mined anew and given up does not say that it was completed', async () => {
  const minedAs = (mining: string) =>
    expect
      .poll(async () => (await ask('waves/judged')).body.mining, { timeout: 20_000, interval: 30 })
      .toBe(mining);
  const settle = () =>
    service.database.tenant([tenant.organizationId], (sql) =>
      settleWave(sql, { ...tenant, waveId: 'judged' }),
    );
  await minedAs('completed');
  for (const worker of workers.splice(0)) await worker.stop();
  await settle();
  await service.owner.sql`
    update leased_work set attempt_cost = 100 where kind = 'wave-mining' and status <> 'done'`;
  await startWorkers(1);
  await minedAs('failed');
  expect((await ask('waves/judged')).body.mined).toBe(true);
  await settle();
  await minedAs('completed');
});
