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
      // A failed write is ignored, because it is only a missing heartbeat. Other processes
      // recognize a dead worker by missing heartbeats.
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
