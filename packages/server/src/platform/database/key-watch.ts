/**
 * Keeps the keys of a running process equal to those of the database. A process looks up the keys
 * and retries once if it reads a value with an unknown key, or if the database rejects its write
 * because of an old key. Every process also looks every few seconds.
 */

import { UnknownKey, type Vault } from '../vault/vault.ts';
import { learnKeys, readKeyFacts } from './key-facts.ts';
import type { Sql } from './sql.ts';

export interface KeyWatchOptions {
  readonly vault: Vault;
  readonly sql: Sql;
  /** Reads the key from its file again at each call, since the file may have been replaced. */
  readonly readKeyFile?: (() => Buffer | undefined) | undefined;
}

export class KeyWatch {
  readonly #options: KeyWatchOptions;

  constructor(options: KeyWatchOptions) {
    this.#options = options;
  }

  async look(): Promise<boolean> {
    const { vault, sql, readKeyFile } = this.#options;
    const facts = await readKeyFacts(sql);
    if (facts === undefined || learnKeys(vault, facts)) return true;
    const inFile = readKeyFile?.();
    return inFile !== undefined && learnKeys(vault, facts, [inFile]);
  }

  /**
   * Calls `look` every 2 seconds, and `say` once if this process cannot find the keys of the
   * database.
   */
  watch(notify: (sentence: string) => void): { close(): Promise<void> } {
    let hasReported = false;
    const look = async () => {
      if ((await this.look()) || hasReported) return;
      hasReported = true;
      notify(unnoticedChange);
    };
    // A failed lookup is ignored: the database is unreachable, and the next lookup tries again.
    const timer = setInterval(() => void look().catch(() => undefined), betweenLooksMs);
    timer.unref();
    return { close: async () => clearInterval(timer) };
  }

  /**
   * Runs the work, and runs it once more if it failed because of a key change. Failed work must
   * leave no changes, as a transaction does.
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

const unnoticedChange =
  'The secret key was changed while this process could not notice it; restart the process with the new key.';

export const betweenLooksMs = 2000;

/** The database's error code for an attempt to write a value that was encrypted with an old key. */
const sealedWithOldKey = 'PMK01';
