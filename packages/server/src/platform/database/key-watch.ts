/**
 * Keeps the vault of a process at the keys of the database, while the service runs. Whoever meets a value of a key that
 * this process does not know, or is told by the database that it seals with an old one, looks which keys there are and
 * tries once more; all others hear of a change within seconds.
 */

import { UnknownKey, type Vault } from '../vault/vault.ts';
import { learnKeys, readKeyFacts } from './key-facts.ts';
import type { Sql } from './sql.ts';

export interface KeyWatchOptions {
  readonly vault: Vault;
  readonly sql: Sql;
  /** The key as it lies in its file now, which may have been replaced. */
  readonly readKeyFile?: (() => Buffer | undefined) | undefined;
}

export class KeyWatch {
  readonly #options: KeyWatchOptions;

  constructor(options: KeyWatchOptions) {
    this.#options = options;
  }

  /** Says whether the keys of the database are known here. */
  async look(): Promise<boolean> {
    const { vault, sql, readKeyFile } = this.#options;
    const facts = await readKeyFacts(sql);
    if (facts === undefined || learnKeys(vault, facts)) return true;
    const inFile = readKeyFile?.();
    return inFile !== undefined && learnKeys(vault, facts, [inFile]);
  }

  /** Looks again and again. Says it once where the keys of the database cannot be known here. */
  watch(say: (sentence: string) => void): { close(): Promise<void> } {
    let hasSaid = false;
    const look = async () => {
      if ((await this.look()) || hasSaid) return;
      hasSaid = true;
      say(unheard);
    };
    // While the database is away there is nothing to see.
    const timer = setInterval(() => void look().catch(() => undefined), betweenLooksMs);
    timer.unref();
    return { close: async () => clearInterval(timer) };
  }

  /** The work must leave nothing behind when it fails, as a transaction does. */
  async lookAndRetry<Result>(work: () => Promise<Result>): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      if (!isOfOtherKey(error) || !(await this.look())) throw error;
      return work();
    }
  }
}

function isOfOtherKey(error: unknown): boolean {
  const { code } = (error ?? {}) as { code?: unknown };
  return error instanceof UnknownKey || code === sealedWithOldKey;
}

const unheard =
  'The secret key was changed while this process could not hear of it; start it again with the new key.';

/** How long a process goes without a look. */
export const betweenLooksMs = 2000;

/** What the database says to whoever writes a value that is sealed with a key from before. */
const sealedWithOldKey = 'PMK01';
