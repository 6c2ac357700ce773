/**
 * Tests workers that are killed repeatedly while they record trials or replay recorded ones. Every
 * trial must exist once, its recording must be complete or absent as the trial states, no unused
 * content may remain, and a replay must have the same result as without kills.
 * `PROOFMARK_RECORDING_KILLS` makes the series longer and varies it; `PROOFMARK_SEED` repeats one.
 */
import { createHash, randomInt } from 'node:crypto';
import { setTimeout as after } from 'node:timers/promises';
import { canonicalJson, withoutDurations } from '@proofmark/domain';
import { until } from '@proofmark/harness/journeys/until.ts';
import type { TestAnswer } from '@proofmark/harness/test-service.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { casesPerRun, createSuite } from './eval-run-load.ts';
import { type HeldTable, notedTrials } from './run-history.ts';
import { type NamedProcess, type RunSetup, startRunSetup, type Tenant } from './run-setup.ts';
import { seededChance } from './seeded-chance.ts';

const isLong = process.env['PROOFMARK_RECORDING_KILLS'] !== undefined;
const killCount = Number(process.env['PROOFMARK_RECORDING_KILLS'] ?? 4);
const seed = Number(process.env['PROOFMARK_SEED'] ?? (isLong ? randomInt(1_000_000) : 1));
const chance = seededChance(seed);
const repetitions = isLong ? 6 : 3;
const trialsPerRun = casesPerRun * repetitions;
const sides = { model: 'recorded', servers: 'recorded' };

/**
 * The time of a kill: the kind of run, and the table that the worker is about to write. Without a
 * table, the kill may happen at any time while the worker holds leased work.
 */
interface Moment {
  readonly kind: 'recorded' | 'replayed';
  readonly writes?: HeldTable;
}
/**
 * A later kill may also hit runs of earlier moments, since other workers have taken over their
 * work. The first kill affects only its own run.
 */
const moments: readonly Moment[] = [
  { kind: 'recorded', writes: 'eval_traces' },
  { kind: 'replayed', writes: 'eval_traces' },
  { kind: 'recorded', writes: 'trial_recordings' },
  { kind: 'replayed' },
  { kind: 'recorded' },
];

let setup: RunSetup;
let tenant: Tenant;
let suiteId: string;
const workers: NamedProcess[] = [];
let starting = Promise.resolve();

beforeAll(async () => {
  setup = await startRunSetup(notedTrials);
  tenant = await setup.addTenant('Kept');
  suiteId = await createSuite(setup, tenant, { kind: 'good', model: 'local/counting' });
  workers.push(...(await Promise.all([1, 2].map(() => setup.startWorker()))));
});
afterAll(async () => {
  await starting;
  await setup?.stop();
});

test(`${killCount} kills leave every trial and its recording whole, once`, {
  timeout: 120_000 + killCount * 20_000,
}, async () => {
  const origin = await launch();
  await ended(origin);
  const untouched = await launch({ runId: origin, ...sides });
  await ended(untouched);
  const expected = await decisionOf(untouched);

  const runs: Record<Moment['kind'], string[]> = { recorded: [origin], replayed: [untouched] };
  for (let kill = 0; kill < killCount; kill += 1) {
    const moment = moments[kill % moments.length] as Moment;
    const launchOne = async () => {
      const isReplay = moment.kind === 'replayed';
      const runId = await launch(isReplay ? { runId: origin, ...sides } : undefined);
      runs[moment.kind].push(runId);
      return runId;
    };
    await killDuring(moment, launchOne);
  }
  const all = [...runs.recorded, ...runs.replayed];
  for (const runId of all) await ended(runId);

  for (const runId of runs.recorded) await expectRecorded(runId);
  for (const runId of runs.replayed) {
    const trials = await trialsOf(runId);
    expect(trials.map(({ recording }) => recording?.state)).toEqual(trials.map(() => 'off'));
    expect(await decisionOf(runId)).toEqual(expected);
  }
  // A run whose recordings were made by several killed workers must be replayable too.
  const again = await launch({ runId: runs.recorded.at(-1), ...sides });
  await ended(again);
  expect((await decisionOf(again)).verdict).toEqual(expected.verdict);
  const { history } = setup;
  expect({
    ...(await history.recordingFaults()),
    writtenTwice: await history.writtenTwice(),
    writtenLate: await history.writtenLate(),
  }).toEqual({
    unnamedContents: 0,
    lostContents: 0,
    unlikeTrials: 0,
    writtenTwice: 0,
    writtenLate: 0,
  });
  console.log(`seed ${seed}: ${killCount} kills over ${all.length - 2} runs`);
});

async function expectRecorded(runId: string): Promise<void> {
  for (const trial of await trialsOf(runId)) {
    const { id, recording, result } = trial;
    expect([result, recording?.state], JSON.stringify(trial)).toEqual(['passed', 'kept']);
    const path = `eval-runs/${runId}/iterations/${id}/recording`;
    const { body, text } = await setup.request(tenant, path);
    expect(body.exchanges, text).toHaveLength(3);
    const content = canonicalJson(withoutDurations(body));
    expect(createHash('sha256').update(content).digest('hex')).toBe(recording.hash);
    expect(Buffer.byteLength(content)).toBe(recording.bytes);
  }
}

async function killDuring({ writes }: Moment, launchOne: () => Promise<string>): Promise<void> {
  await starting;
  for (let tries = 0; tries < 20; tries += 1) {
    const held = writes && (await setup.history.hold(writes));
    const runId = await launchOne();
    try {
      let met: string[] = [];
      const isMetOrOver = async () => {
        const names = held ? await held.waiting() : await setup.history.holders(runId);
        met = names.filter((name) => workers.some((worker) => worker.name === name));
        return met.length > 0 || (await read(runId)).completedAt !== null;
      };
      await until(isMetOrOver, 'a worker is met');
      if (met.length === 0) continue;
      // The run may end before the kill, so each further try waits for a shorter time.
      if (held === undefined) await after(chance.integer(Math.ceil(150 / (tries + 1))));
      const chosen = chance.oneOf(met);
      const victim = workers.find(({ name }) => name === chosen) as NamedProcess;
      process.kill(victim.pid, 'SIGSTOP');
      await after(held ? 0 : 30);
      if ((await setup.history.holders(runId)).includes(victim.name)) return await replace(victim);
      process.kill(victim.pid, 'SIGCONT');
    } finally {
      await held?.release();
    }
  }
  throw new Error('No worker was ever met at this moment.');
}

async function replace(victim: NamedProcess): Promise<void> {
  await victim.kill();
  workers.splice(workers.indexOf(victim), 1);
  starting = setup.startWorker().then((worker) => void workers.push(worker));
}

async function launch(replay?: object): Promise<string> {
  const body = { suiteId, iterationOverride: repetitions, ...(replay && { replay }) };
  const answer = await setup.request(tenant, 'eval-runs', body);
  if (answer.status !== 202) throw new Error(answer.text);
  return answer.body.runId;
}

async function read(runId: string): Promise<TestAnswer['body']> {
  return (await setup.request(tenant, `eval-runs/${runId}`)).body;
}

function ended(runId: string): Promise<void> {
  return until(async () => (await read(runId)).completedAt !== null, 'it has ended', 120_000);
}

async function trialsOf(runId: string): Promise<TestAnswer['body'][]> {
  const { body } = await setup.request(tenant, `eval-runs/${runId}/iterations?limit=200`);
  const names = body.items.map(
    (trial: Record<string, string>) => `${trial['testCaseId']} ${trial['iterationNumber']}`,
  );
  expect([names.length, new Set(names).size]).toEqual([trialsPerRun, trialsPerRun]);
  return body.items;
}

async function decisionOf(runId: string) {
  const { result, status, replay, summary } = await read(runId);
  const { body } = await setup.request(tenant, `eval-runs/${runId}/decision-summary`);
  const { verdict, decision, diagnostics } = body;
  const { runId: _, ...played } = replay;
  return { result, status, played, summary, verdict, decision, diagnostics };
}
