import { findVault } from './find-vault.ts';
import { locateDatabase, type Notify } from './locate-database.ts';
import { openStore, type Store } from './open-store.ts';
import type { Settings } from './settings.ts';

export const restoreUnderWay = 'A restore is in progress; this command waits until it has ended.';

export async function withOperatorStore<Result>(
  settings: Settings,
  notify: Notify,
  act: (store: Store) => Promise<Result>,
): Promise<Result> {
  findVault(settings);
  const located = await locateDatabase(settings, 'join', notify);
  try {
    const store = await openStore(settings, located, { waits: () => notify(restoreUnderWay) });
    try {
      return await act(store);
    } finally {
      await store.close();
    }
  } finally {
    await located.stop();
  }
}
