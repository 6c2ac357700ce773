/**
 * The clients for providers of the database. A changed provider gets a new client, so callers of
 * the earlier one continue with it; each client is kept, with its key, only while somebody uses it.
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

  /**
   * Returns a client that all its users share, so that concurrent requests are counted together.
   */
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
