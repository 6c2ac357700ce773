/**
 * Whom the service is for that a worker alone works for, as that service said in the database at its start. It may be
 * started anew with other settings while the worker goes on, so the worker looks again and again.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { Database } from '../platform/database/database.ts';
import { isServiceForOnePerson } from '../platform/database/installation.ts';
import type { Log } from '../platform/http/http-options.ts';
import { openToThisMachine } from './is-single-user.ts';

const closedToThisMachine =
  'Servers on this machine are not called any more, unless they are listed, since others reach the service.';

export class FollowedService {
  isForOnePerson = false;
  readonly #mayBe: boolean;
  readonly #log: Pick<Log, 'warn'>;

  /** Where the worker's own settings speak of others, it is not for one person whatever the service said. */
  constructor(mayBe: boolean, log: Pick<Log, 'warn'>) {
    this.#mayBe = mayBe;
    this.#log = log;
  }

  async follow(database: Pick<Database, 'sql'>, everyMs = 2000): Promise<() => Promise<void>> {
    await this.#look(database);
    const stopping = new AbortController();
    const { signal } = stopping;
    const following = (async () => {
      for (;;) {
        await pause(everyMs, undefined, { signal }).catch(() => undefined);
        if (signal.aborted) return;
        // While the database is away nothing is said anew.
        await this.#look(database).catch(() => undefined);
      }
    })();
    return async () => {
      stopping.abort();
      await following;
    };
  }

  async #look(database: Pick<Database, 'sql'>): Promise<void> {
    const is = this.#mayBe && (await isServiceForOnePerson(database));
    if (is === this.isForOnePerson) return;
    this.isForOnePerson = is;
    this.#log.warn({}, is ? openToThisMachine : closedToThisMachine);
  }
}
