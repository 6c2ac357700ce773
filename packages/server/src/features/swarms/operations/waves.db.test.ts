import { journeyVerdict } from '@proofmark/domain';
import { criterionOf, sessionEvidenceOf } from '@proofmark/harness/any-sessions.ts';
import { projectCaller } from '@proofmark/harness/project-caller.ts';
import { type RunToStore, storeRun } from '@proofmark/harness/stored-wave.ts';
import { startTestService, type TestService } from '@proofmark/harness/test-service.ts';
import { startTestWorker, type TestWorker } from '@proofmark/harness/test-worker.ts';
import { createTenant, type Tenant } from '@proofmark/harness/two-tenants.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createModelGateway } from '../../../outside/model/create-model-gateway.ts';
import type { ModelGateway } from '../../../outside/model/model-gateway.ts';

let service: TestService;
let tenant: Tenant;
let models: ModelGateway;
let worker: TestWorker | undefined;
beforeAll(async () => {
  models = createModelGateway({
    egress: { allowLoopback: true, allowedPrivateHosts: [] },
    providers: [],
  });
  service = await startTestService({ models });
  tenant = await createTenant(service, 'waves');
  await service.owner.sql`update organizations set swarms = true`;
});
afterAll(async () => {
  await worker?.stop();
  await service.stop();
  await models.close();
});

const rubric = [criterionOf('crt_1', { type: 'turnCountUnder', turns: 3 })];
const ofTurns = (turnCount: number) => ({
  evidence: sessionEvidenceOf({ transcript: { ...sessionEvidenceOf().transcript, turnCount } }),
});
const [holds, fails] = [ofTurns(1), ofTurns(5)];
const store = (run: RunToStore) => storeRun(service, tenant, run);
const ask = async (path: string) => (await projectCaller(service, tenant)('GET', path)).body;
const startWorker = async () => {
  worker = await startTestWorker(service, models);
};
const stopWorker = async () => {
  await worker?.stop();
  worker = undefined;
};
const until = (isDone: () => Promise<boolean>) =>
  expect.poll(isDone, { timeout: 20_000, interval: 30 }).toBe(true);
const mining = async (waveId: string) => (await ask(`waves/${waveId}`)).mining;

test('every run of a wave says in one answer what its scorecard says, and who plays and judges', async () => {
  const judge = { model: 'proofmark/rule-judge-1', threshold: 0.7 };
  const unplayed = { errorCode: 'provider_failed' as const };
  const advisory = rubric.map((one) => ({ ...one, role: 'advisory' as const }));
  const waves = [
    { snapshot: { rubric, judge }, sessions: [holds, holds] },
    { snapshot: { rubric }, sessions: [holds, fails] },
    { snapshot: { rubric }, sessions: [holds, unplayed] },
    { snapshot: { rubric }, sessions: [unplayed] },
    { snapshot: { rubric: advisory }, sessions: [fails] },
    { snapshot: { rubric: [] }, sessions: [holds] },
  ];
  const ids: string[] = [];
  for (const one of waves) ids.push((await store({ waveId: 'all', ...one })).runId);
  await startWorker();
  await until(async () => (await mining('all')) === 'completed');
  await stopWorker();
  const { runs, sessionsGraded } = await ask('waves/all');
  expect(runs.map(({ id, verdict }: { id: string; verdict: string }) => [id, verdict])).toEqual(
    ['passed', 'failed', 'inconclusive', ...Array(3).fill('notEstablished')].map(
      (verdict, index) => [ids[index], verdict],
    ),
  );
  expect(sessionsGraded).toBe(6);
  for (const { id, verdict, ...run } of runs) {
    const { persona, personaModel, judgeModel, targets } = await ask(`journey-runs/${id}`);
    expect(run).toMatchObject({
      persona: { name: persona.name },
      personaModel,
      judgeModel,
      targets,
    });
    const card = await ask(`journey-runs/${id}/scorecard`);
    expect(run.criteria).toEqual(
      (card.criteria ?? []).map(({ id: criterionId, label, kind }: Record<string, string>) => ({
        id: criterionId,
        label,
        kind,
      })),
    );
    if (card.criteria !== undefined) {
      expect(verdict).toBe(journeyVerdict({ status: run.status }, card));
    }
  }
  expect(runs[0].judgeModel).toBe(judge.model);
});

test('a wave that could not be mined is told as given up, until a run in it ends anew', async () => {
  const { sql } = service.owner;
  const { runId } = await store({ waveId: 'unread', sessions: [holds] });
  expect(await ask('waves/unread')).toMatchObject({ mined: false, mining: 'pending' });
  await sql`
    update journey_run_snapshots set snapshot = '{"snapshotVersion":1,"targets":[]}'
    where run_id = ${runId}`;
  await sql`update leased_work set attempt_cost = 15 where kind = 'wave-mining'`;
  await startWorker();
  await until(async () => (await mining('unread')) === 'failed');
  expect(await ask('waves/unread')).toMatchObject({ terminal: true, mined: false });
  await stopWorker();
  await store({ waveId: 'unread', sessions: [holds] });
  expect(await mining('unread')).toBe('pending');
});

test('a comparison says which of the two waves has not ended', async () => {
  const snapshot = { rubric, journey: { id: 'jny_compared', name: 'Compared' } };
  await store({ waveId: 'over', sessions: [holds] });
  await store({ waveId: 'on', snapshot, sessions: [holds], isRunning: true });
  const compared = async (waveId: string, base: string) =>
    (await ask(`waves/${waveId}/compare?baseWaveId=${base}`)).terminal;
  expect(await compared('over', 'over')).toEqual({ base: true, current: true });
  expect(await compared('on', 'over')).toEqual({ base: true, current: false });
  expect(await compared('over', 'on')).toEqual({ base: false, current: true });
});
