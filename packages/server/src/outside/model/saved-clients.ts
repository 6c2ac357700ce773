/**
 * The ways to providers of the database. One that was changed is another one, so whoever began with the one before goes
 * on with it; and each is kept, with its key, only as long as somebody uses it.
 */
import type { SavedProvider } from '@proofmark/domain';
import type { ProviderClient } from './provider-client.ts';

interface Entry {
  readonly client: ProviderClient;
  users: number;
}

export class SavedClients {
  readonly #make: (saved: SavedProvider) => ProviderClient;
  readonly #entries = new Map<string, Entry>();

  constructor(make: (saved: SavedProvider) => ProviderClient) {
    this.#make = make;
  }

  /** Shared by all who use it, so that requests at a time are counted together. */
  use(saved: SavedProvider): ProviderClient {
    const key = keyOf(saved);
    const entry = this.#entries.get(key) ?? { client: this.#make(saved), users: 0 };
    this.#entries.set(key, entry);
    entry.users += 1;
    return entry.client;
  }

  leave(saved: SavedProvider): void {
    const key = keyOf(saved);
    const entry = this.#entries.get(key);
    if (entry === undefined) return;
    entry.users -= 1;
    if (entry.users === 0) this.#entries.delete(key);
  }

  close(): void {
    for (const { client } of this.#entries.values()) client.close();
  }
}

function keyOf({ id, revision }: SavedProvider): string {
  return `${id} ${revision}`;
}
