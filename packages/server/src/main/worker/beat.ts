/** Says every few seconds that this worker lives, and on leaving that it left. */
import { setTimeout as pause } from 'node:timers/promises';
import {
  deleteBeat,
  recordBeat,
  type WorkerIdentity,
} from '../../features/health/store/worker-beats.ts';
import type { Database } from '../../platform/database/database.ts';

const beatEveryMs = 5000;

export function keepBeating(
  database: Pick<Database, 'sql'>,
  worker: WorkerIdentity,
): () => Promise<void> {
  const stopping = new AbortController();
  const { signal } = stopping;
  const beating = (async () => {
    while (!signal.aborted) {
      // A beat that the database did not take is missed there, which is what it is for.
      await recordBeat(database, worker).catch(() => undefined);
      await pause(beatEveryMs, undefined, { signal }).catch(() => undefined);
    }
  })();
  return async () => {
    stopping.abort();
    await beating;
    await deleteBeat(database, worker.id).catch(() => undefined);
  };
}
