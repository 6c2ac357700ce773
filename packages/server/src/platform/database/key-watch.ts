/**
 * Keeps the vault of a running process at the keys of the database. A process that reads a value of
 * an unknown key, or whose write the database rejects for its old key, looks up the keys and
 * retries once; every process looks every few seconds.
 */

import { UnknownKey, type Vault } from '../vault/vault.ts';
import { learnKeys, readKeyFacts } from './key-facts.ts';
import type { Sql } from './sql.ts';

export interface KeyWatchOptions {
  readonly vault: Vault;
  readonly sql: Sql;
  /** Reads the key from its file now; it may have been replaced. */
  readonly readKeyFile?: (() => Buffer | undefined) | undefined;
}

export class KeyWatch {
  readonly #options: KeyWatchOptions;

  constructor(options: KeyWatchOptions) {
    this.#options = options;
  }

  /** Updates the vault; returns whether the keys of the database are known here. */
  async look(): Promise<boolean> {
    const { vault, sql, readKeyFile } = this.#options;
    const facts = await readKeyFacts(sql);
    if (facts === undefined || learnKeys(vault, facts)) return true;
    const inFile = readKeyFile?.();
    return inFile !== undefined && learnKeys(vault, facts, [inFile]);
  }

  /** Looks every 2 seconds. Calls `say` once if the keys of the database cannot be found here. */
  watch(say: (sentence: string) => void): { close(): Promise<void> } {
    let hasSaid = false;
    const look = async () => {
      if ((await this.look()) || hasSaid) return;
      hasSaid = true;
      say(unheard);
    };
    // Nothing can be seen while the database is unreachable.
    const timer = setInterval(() => void look().catch(() => undefined), betweenLooksMs);
    timer.unref();
    return { close: async () => clearInterval(timer) };
  }

  /**
   * Runs the work and retries it once after a key change. Work that fails must leave nothing
   * behind, like a transaction.
   */
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
  'The secret key was changed while this process could not notice it; restart the process with the new key.';

/** Milliseconds between two looks. */
export const betweenLooksMs = 2000;

/** The database's code for a write of a value that is sealed with an old key. */
const sealedWithOldKey = 'PMK01';
