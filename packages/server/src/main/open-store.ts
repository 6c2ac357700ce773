/**
 * Puts the database together: held, migrated, with the vault opened by the secret key. Whatever was opened is closed
 * again; the data is let go of last.
 */
import { migrateQueue } from '../queue/start-queue.ts';
import type { ConnectionKind } from '../storage/database/client-config.ts';
import { DataHold, type HoldOptions } from '../storage/database/data-hold.ts';
import { type Database, openDatabase } from '../storage/database/database.ts';
import { Heartbeat } from '../storage/database/heartbeat.ts';
import {
  claimInstallation,
  isReachable,
  readKeyFingerprint,
} from '../storage/database/installation.ts';
import { makeMonthsAhead } from '../storage/eval-runs/months-ahead.ts';
import { migrate } from '../storage/migrations/migrate.ts';
import { findVault, fittingVault } from './find-vault.ts';
import type { LocatedDatabase } from './locate-database.ts';
import { BadSetting } from './setting.ts';
import type { Settings } from './settings.ts';

export interface Store {
  readonly url: string;
  /** For requests. As the service: row-level security holds. */
  readonly database: Database;
  /** For the worker, which so never waits for a connection behind requests, nor they behind it. */
  readonly work: Database;
  /** As the owner of the tables: for starting up and for the operator. */
  readonly owner: Database;
  readonly warnings: readonly string[];
  close(): Promise<void>;
}

export async function openStore(
  settings: Settings,
  { url }: Pick<LocatedDatabase, 'url'>,
  heard: Omit<HoldOptions, 'url'> = {},
): Promise<Store> {
  const found = findVault(settings);
  const hold = await DataHold.take({ url, ...heard });
  const opened: { close(): Promise<void> }[] = [];
  const close = async () => {
    await Promise.all(opened.map((one) => one.close()));
    await hold.release();
  };
  try {
    const { appRoleReady } = await migrate(url);
    await migrateQueue(url);
    const vault = fittingVault(settings, found, await readKeyFingerprint(url));
    const heartbeat = new Heartbeat(url);
    opened.push(heartbeat);
    const open = (as: 'service' | 'owner', kind: ConnectionKind, maxConnections?: number) => {
      const one = openDatabase({ url, vault, heartbeat, as, kind, maxConnections });
      opened.push(one);
      return one;
    };
    const as = appRoleReady ? 'service' : 'owner';
    const owner = open('owner', 'operator', 2);
    const database = open(as, 'door');
    const work = open(as, 'work', 8);
    await claimInstallation(owner);
    if (!(await isReachable(database))) throw new BadSetting(serviceRefused);
    const months = await makeMonthsAhead(database);
    const missing = months.flatMap(({ month, outcome }) =>
      outcome === 'held' ? monthHeld(month) : outcome === 'busy' ? monthBusy(month) : [],
    );
    return {
      url,
      database,
      work,
      owner,
      warnings: [...(appRoleReady ? [] : [noAppRole]), ...missing],
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

const serviceRefused =
  'The database lets its owner in but not the service; check the connection limit and the role proofmark_app.';
const noAppRole =
  'The database user may not make the role proofmark_app, so row-level security does not back up the access checks. Create that role and grant it to the user.';
const monthHeld = (month: string) =>
  `Trials of the month ${month} were stored before it had tables of its own, so they stay in the default partitions.`;
const monthBusy = (month: string) =>
  `The tables for trials of the month ${month} could not be made just now. It is tried again every hour; until then such trials go into the default partitions.`;
