/**
 * Looks after what went silent. A slice whose lease ran out is opened again and gets a lane; so does a run that is open
 * and that nobody works on, whatever became of its jobs; a run whose time is over is ended. Every worker does this,
 * and doing it twice changes nothing.
 */
import { endRun } from '../actions/eval-runs/end-run.ts';
import type { Database } from '../storage/database.ts';
import { findRun } from '../storage/eval-runs.ts';
import { listUnattendedRuns, type PlaceOfRun, reopenSilentSlices } from '../storage/eval-slices.ts';
import { addLane } from '../storage/jobs.ts';

export interface WatchReport {
  readonly reopened: number;
  readonly ended: number;
}

export async function watch(database: Database): Promise<WatchReport> {
  const silent = await reopenSilentSlices(database.sql);
  for (const { slice, ...place } of silent) {
    await revive(database, place, `again-${slice}`);
  }
  let ended = 0;
  for (const { isOver, organizationId, projectId, runId } of await listUnattendedRuns(
    database.sql,
  )) {
    const place = { organizationId, projectId, runId };
    if (isOver) ended += (await endOverdue(database, place)) ? 1 : 0;
    else await revive(database, place, 'watched');
  }
  return { reopened: silent.length, ended };
}

async function revive(database: Database, place: PlaceOfRun, lane: string): Promise<void> {
  await database.tenant([place.organizationId], (sql) => addLane(sql, { ...place, lane }));
}

async function endOverdue(database: Database, place: PlaceOfRun): Promise<boolean> {
  return database.tenant([place.organizationId], async (sql) => {
    const run = await findRun(sql, place.projectId, place.runId, 'forUpdate');
    if (run === undefined || (run.status !== 'pending' && run.status !== 'running')) return false;
    await endRun(sql, run, 'failed');
    return true;
  });
}
