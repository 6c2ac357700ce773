/**
 * A service writes to the database whether it is for one person. A separate worker reads this
 * regularly, because the service may be restarted with other settings.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { Database } from '../platform/database/database.ts';
import { isServiceForOnePerson } from '../platform/database/installation.ts';
import type { Log } from '../platform/http/http-options.ts';
import { openToThisMachine } from './is-single-user.ts';

const closedToThisMachine =
  'Proofmark no longer calls servers on this machine, except those on the allow list, because other machines can reach the service.';

export class FollowedService {
  isForOnePerson = false;
  readonly #mayBe: boolean;
  readonly #log: Pick<Log, 'warn'>;

  /**
   * If `mayBe` is false, the worker's own settings mention other users. The worker then assumes
   * several users, regardless of the value that the service stored.
   */
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
        // If the database is unavailable, the last answer remains valid.
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
