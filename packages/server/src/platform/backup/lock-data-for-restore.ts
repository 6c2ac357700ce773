/**
 * Locks the data against all other processes for a restore, for as long as the connection lasts.
 */
import type pg from 'pg';
import { dataLock } from '../database/data-lock.ts';

const letGoWithinSeconds = 90;
/**
 * The seconds to wait for the lock that announces a restore. Processes that check this lock hold it
 * for a moment.
 */
const wantWithinSeconds = 5;

/**
 * Thrown if a process uses the data, or did not release it in time. The message is a sentence for
 * the operator.
 */
export class DataHeld extends Error {
  override name = 'DataHeld';
}

/** Locks the data. If other processes use the data, returns their names and changes nothing. */
export async function tryToLockData(client: pg.Client): Promise<readonly string[] | undefined> {
  const { rows } = await client.query(`select pg_try_advisory_lock(${dataLock.held}) as taken`);
  return rows[0].taken ? undefined : await dataUsers(client);
}

/** Asks all processes that use the data to release it, and waits until they have. */
export async function lockDataForRestore(client: pg.Client): Promise<void> {
  if (!(await lock(client, dataLock.wanted, wantWithinSeconds))) {
    throw new DataHeld(
      'Another restore of this database is running, so nothing was restored: wait until it has ended.',
    );
  }
  if (await lock(client, dataLock.held, letGoWithinSeconds)) return;
  const names = (await dataUsers(client)).join(', ');
  await client.query(`select pg_advisory_unlock(${dataLock.wanted})`);
  throw new DataHeld(
    `Nothing was restored, because the data was still in use after ${letGoWithinSeconds} seconds by ${names}: stop that process and try again.`,
  );
}

async function lock(client: pg.Client, key: number, seconds: number): Promise<boolean> {
  await client.query(`set lock_timeout = '${seconds}s'`);
  try {
    await client.query(`select pg_advisory_lock(${key})`);
    return true;
  } catch (error) {
    // 55P03: the lock was not free within the time limit.
    if ((error as { code?: string }).code !== '55P03') throw error;
    return false;
  } finally {
    await client.query('reset lock_timeout').catch(() => undefined);
  }
}

/**
 * Returns the names of the processes that use the data. A process of an older version sends no
 * name, so its client address is returned instead.
 */
export async function dataUsers(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select coalesce(
        'process ' || substring(application_name from ' hold (\\d+ on .*)$'),
        'a process at ' || coalesce(host(client_addr) || ':' || client_port, 'a local socket')) as name
       from pg_locks join pg_stat_activity using (pid)
      where locktype = 'advisory' and granted and classid = 0 and objsubid = 1 and objid = ${dataLock.held}
        and pg_locks.database = (select oid from pg_database where datname = current_database())
        and pid <> pg_backend_pid()
      order by name`,
  );
  return rows.map(({ name }) => name);
}
