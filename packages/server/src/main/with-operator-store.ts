import { findVault } from './find-vault.ts';
import { locateDatabase, type Say } from './locate-database.ts';
import { openStore, type Store } from './open-store.ts';
import type { Settings } from './settings.ts';

export const restoreUnderWay = 'A restore is in progress; this command waits until it has ended.';

export async function withOperatorStore<Result>(
  settings: Settings,
  say: Say,
  act: (store: Store) => Promise<Result>,
): Promise<Result> {
  findVault(settings);
  const located = await locateDatabase(settings, 'join', say);
  try {
    const store = await openStore(settings, located, { waits: () => say(restoreUnderWay) });
    try {
      return await act(store);
    } finally {
      await store.close();
    }
  } finally {
    await located.stop();
  }
}
