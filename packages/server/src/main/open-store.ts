import { makeMonthsAhead } from '../features/evals/store/months-ahead.ts';
import {
  forgetOldAddresses,
  sealOldAddresses,
} from '../features/servers/store/server-addresses.ts';
import type { ConnectionKind } from '../platform/database/client-config.ts';
import { DataLock, type DataLockOptions } from '../platform/database/data-lock.ts';
import { type Database, openDatabase } from '../platform/database/database.ts';
import { Heartbeat } from '../platform/database/heartbeat.ts';
import { claimInstallation, isReachable } from '../platform/database/installation.ts';
import { findKeyFacts } from '../platform/database/key-facts.ts';
import { migrateQueue } from '../platform/jobs/start-queue.ts';
import { migrate } from '../platform/migrations/migrate.ts';
import { prepareServiceRole } from '../platform/migrations/service-role.ts';
import type { Vault } from '../platform/vault/vault.ts';
import { findVault, fittingVault, keyFileReader, sealedWithAnother } from './find-vault.ts';
import type { LocatedDatabase, Notify } from './locate-database.ts';
import { BadSetting } from './setting.ts';
import type { Settings } from './settings.ts';
import { stopInReverse } from './stop-in-reverse.ts';

export interface Store {
  /** The connection URL with the service's database role, which is not the owner of the tables. */
  readonly url: string;
  /**
   * The connections for requests. They use the role of the service, so row-level security applies.
   */
  readonly database: Database;
  /**
   * The connections for the worker. They are separate, so that the worker and requests never wait
   * for each other's connections.
   */
  readonly work: Database;
  /** The connections of the tables' owner, for the start and for the operator's commands. */
  readonly owner: Database;
  readonly warnings: readonly string[];
  /**
   * Closes the owner's connections. Called after the start, because a running service needs none of
   * them.
   */
  closeOwner(): Promise<void>;
  close(): Promise<void>;
}

/** The vault that this process used before. It may contain a key that is not in the environment. */
export interface LastVault {
  vault?: Vault;
}

// biome-ignore lint/complexity/noExcessiveLinesPerFunction: the steps of one start, each of which needs those before it, and one way to undo them.
export async function openStore(
  settings: Settings,
  { url: ownerUrl }: Pick<LocatedDatabase, 'url'>,
  lockOptions: Omit<DataLockOptions, 'url'> = {},
  notify: Notify = () => undefined,
  last: LastVault = {},
): Promise<Store> {
  const found = findVault(settings);
  const { asked: _untilMigrated, ...waiting } = lockOptions;
  let hold = await DataLock.take({ url: ownerUrl, ...waiting });
  const opened: { close(): Promise<void> }[] = [];
  const close = async () => {
    // Releases the data lock last, even if something else cannot be closed.
    await stopInReverse([
      () => hold.release(),
      async () => {
        const closed = await Promise.allSettled(opened.map((one) => one.close()));
        for (const one of closed) if (one.status === 'rejected') throw one.reason;
      },
    ]);
  };
  try {
    await migrate(ownerUrl);
    await migrateQueue(ownerUrl);
    const facts = await findKeyFacts(ownerUrl);
    const vault = fittingVault(settings, found, facts, last.vault?.keys);
    last.vault = vault;
    const readKeyFile = keyFileReader(settings);
    // The owner's connections get no heartbeat check: the heartbeat uses the service's role, which
    // cannot see sessions of another role.
    const owner = openDatabase({
      url: ownerUrl,
      vault,
      readKeyFile,
      as: 'owner',
      maxConnections: 2,
    });
    opened.push(owner);
    await claimInstallation(owner);
    if (!(await owner.keys.look())) throw new BadSetting(sealedWithAnother);
    const role = serviceRole(settings, vault);
    const url = await prepareServiceRole(ownerUrl, role);
    // The lock is released and taken again by a session of the service's role. A waiting restore
    // may
    // get it in between and replace all tables, so the role is prepared a second time.
    await hold.release();
    hold = await DataLock.take({ url, ...lockOptions });
    await prepareServiceRole(ownerUrl, role);
    if (!(await owner.keys.look())) throw new BadSetting(sealedWithAnother);
    const heartbeat = new Heartbeat(url);
    opened.push(heartbeat);
    const open = (kind: ConnectionKind, maxConnections?: number) => {
      const as = 'service' as const;
      const one = openDatabase({ url, vault, readKeyFile, heartbeat, as, kind, maxConnections });
      opened.push(one);
      return one;
    };
    const database = open('door');
    const work = open('work', 8);
    await sealOldAddresses(owner);
    const kept = (await forgetOldAddresses(owner)) ? [] : [addressesKept];
    if (!(await isReachable(database))) throw new BadSetting(serviceRefused);
    // The watch gives a new key to every connection. A connection that reads a value under an
    // unknown key looks for that key without waiting for the watch.
    opened.push(database.keys.watch(notify));
    const months = await makeMonthsAhead(database);
    const missing = months.flatMap(({ month, outcome }) =>
      outcome === 'held' ? monthHeld(month) : outcome === 'busy' ? monthBusy(month) : [],
    );
    return {
      url,
      database,
      work,
      owner,
      warnings: [...kept, ...missing],
      close,
      closeOwner: () => owner.close(),
    };
  } catch (error) {
    await close().catch(() => undefined);
    throw error;
  }
}

function serviceRole({ serviceDatabaseUrl }: Settings, vault: Vault) {
  return serviceDatabaseUrl === undefined
    ? { password: vault.lasting.databasePassword.toString('base64url') }
    : { url: serviceDatabaseUrl };
}

const serviceRefused =
  'The database accepts connections of its owner but not of the service; check the connection limit of the service’s role.';
const addressesKept =
  'The files of the database still hold addresses of servers from before they were sealed, because their table is in use. The next start tries again to remove them.';
const monthHeld = (month: string) =>
  `Trials of the month ${month} were stored before tables for that month existed, so they stay in the default partitions.`;
const monthBusy = (month: string) =>
  `The tables for trials of the month ${month} could not be created now. The service tries again every hour; until then these trials go into the default partitions.`;
