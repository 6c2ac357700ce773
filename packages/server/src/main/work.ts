/** A worker alone, beside other processes on one PostgreSQL. */
import type { Log } from '../http/door.ts';
import { startWorker } from '../worker/start-worker.ts';
import { openStore } from './open-store.ts';
import { BadSetting } from './setting.ts';
import type { Settings } from './settings.ts';

export async function work(settings: Settings, log: Log): Promise<{ stop(): Promise<void> }> {
  if (settings.databaseUrl === undefined) {
    throw new BadSetting(
      'proofmark work needs --database-url; the embedded database belongs to proofmark serve.',
    );
  }
  const store = await openStore(settings, 'join', () => undefined);
  try {
    for (const warning of store.warnings) log.warn({}, warning);
    const worker = await startWorker({ database: store.database, url: store.url, log });
    return {
      async stop() {
        await worker.stop();
        await store.close();
      },
    };
  } catch (error) {
    await store.close();
    throw error;
  }
}
