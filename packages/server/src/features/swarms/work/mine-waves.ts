/**
 * Mines ended waves: detectors read their sessions and create, change or resolve the project's
 * findings. Sessions are read before any lock is taken. Findings change under one lock per project,
 * so waves that end together are counted one after another.
 */
import { isTerminalWave, mineWave, sessionTracePath, touchedBy } from '@proofmark/domain';
import type { Sql } from '../../../platform/database/database.ts';
import { LeaseLost } from '../../../platform/work/lease-keeper.ts';
import { retryWhileDatabaseIsAway } from '../../../platform/work/retry-while-database-is-away.ts';
import {
  type ClaimedWork,
  completeWork,
  holdWork,
  lockGroup,
} from '../../../platform/work/store/leased-work.ts';
import type { WorkAttempt, WorkKind } from '../../../platform/work/work-kind.ts';
import type { WorkerDependencies } from '../../evals/index.ts';
import { type Detected, mineOrGiveUp } from '../../insights/index.ts';
import { knownOf, listKnownFindings, writeFindings } from '../store/findings.ts';
import { readHealthOfWave, readSnapshotsOfWave } from '../store/wave-sessions.ts';
import {
  findMinedResult,
  listRunsOfWave,
  lockFindings,
  markMiningGivenUp,
  type PlaceOfWave,
  waveOfWork,
  writeMinedResult,
} from '../store/waves.ts';
import { gatherOfWave, readSessionsOfWave, type SessionsOfWave } from './read-wave.ts';

/**
 * After the last attempt the mining is abandoned: the wave is shown as not mined, and no finding
 * changes. If a later run joins the wave and ends, the wave is mined again.
 */
export function waveMiningKind(dependencies: WorkerDependencies, atOnce: number): WorkKind {
  return {
    atOnce,
    run: (work, attempt) =>
      mineOrGiveUp(dependencies, work, attempt, {
        what: 'a wave',
        mineOnce: () => mineOnce(dependencies, work, attempt),
        givenUp: (sql) => markMiningGivenUp(sql, waveOfWork(work)),
      }),
  };
}

async function mineOnce(
  { database }: WorkerDependencies,
  work: ClaimedWork,
  attempt: WorkAttempt,
): Promise<void> {
  const wave = waveOfWork(work);
  const read = await readSessionsOfWave(database, wave, attempt.signal);
  const { material } = await gatherOfWave(database, wave.organizationId, read);
  await retryWhileDatabaseIsAway(
    () =>
      database.tenant([wave.organizationId], (sql) => conclude(sql, work, wave, read, material)),
    attempt.signal,
  );
}

async function conclude(
  sql: Sql,
  work: ClaimedWork,
  wave: PlaceOfWave,
  { sessions, coverage }: SessionsOfWave,
  material: Detected['material'],
): Promise<void> {
  const { projectId, waveId } = wave;
  // Lock the work group first. A transaction that queues a mining locks in the same order, so no
  // deadlock can occur.
  await lockGroup(sql, work);
  const [isHeld] = await holdWork(sql, work, [{ held: work, madeProgress: false }]);
  if (isHeld !== true) throw new LeaseLost('Another worker took over this work.');
  await lockFindings(sql, projectId);
  const runs = await listRunsOfWave(sql, wave);
  const newest = runs.at(-1);
  // If a run has joined the wave since the sessions were read, this mining stores nothing. The end
  // of that run starts a new mining.
  if (newest !== undefined && isTerminalWave(runs)) {
    const counted = new Set((await findMinedResult(sql, wave))?.counted);
    const known = await listKnownFindings(sql, projectId, touchedBy(sessions));
    const { found, changes } = mineWave(known.map(knownOf), sessions, {
      id: waveId,
      at: newest.createdAt.getTime(),
      coverage,
      counted,
      tracePathOf: ({ runId, id }) => sessionTracePath(projectId, runId, id),
    });
    await writeFindings(sql, wave, known, changes);
    for (const { candidate } of found) counted.add(candidate.fingerprint);
    const snapshots = await readSnapshotsOfWave(sql, wave);
    await writeMinedResult(sql, wave, {
      runHealth: await readHealthOfWave(sql, wave, snapshots),
      material,
      counted: [...counted],
    });
  }
  await completeWork(sql, work);
}
