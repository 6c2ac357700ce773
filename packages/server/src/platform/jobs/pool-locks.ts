/**
 * Detects which worker pools of the job queue are alive, since a killed pool leaves its jobs locked
 * for hours. Each pool holds an advisory lock while its process is connected, and the jobs of a
 * pool without that lock are unlocked. If only the connection breaks while the process lives, a job
 * may run twice at the same time; every job here must allow that.
 */
import { askPool } from '../database/ask-pool.ts';
import { clientConfig } from '../database/client-config.ts';
import { defaultDeadlines } from '../database/deadlines.ts';
import type { Heartbeat } from '../database/heartbeat.ts';
import { Pool } from '../database/pool.ts';
import { sqlOf } from '../database/sql.ts';

const lockClass = 727_002;
/**
 * A pool that has just started may take a job before it has its lock. So it cannot count as dead in
 * its first seconds.
 */
const graceSeconds = 5;

export interface PoolLocks {
  /** Takes the lock of this pool, and releases the lock of this process's earlier pool. */
  announce(poolId: string): Promise<void>;
  /** Unlocks the jobs of dead pools; returns the number of dead pools. */
  freeJobsOfDead(): Promise<number>;
  close(): Promise<void>;
}

export function openPoolLocks(url: string, heartbeat: Heartbeat | undefined): PoolLocks {
  const config = clientConfig(url, 'queue', { statement_timeout: 10_000 });
  // The pool has exactly one connection, which must stay open, since the lock ends with it.
  const pool = new Pool({ config, max: 1, deadlines: defaultDeadlines });
  const unwatch = heartbeat?.watch(pool);
  const sql = sqlOf(askPool(pool, defaultDeadlines.callMs));
  let announced: string | undefined;
  const hold = async (poolId: string) => {
    // Takes the lock. On a new connection this replaces the lock that ended with the old
    // connection; on the same connection it changes nothing.
    await sql`
      select pg_advisory_lock(${lockClass}, hashtext(${poolId}))
      where not exists (
        select from pg_locks where pid = pg_backend_pid() and locktype = 'advisory'
          and classid = ${lockClass} and objid = (hashtext(${poolId})::bigint & 4294967295)::oid)`;
  };
  return {
    async announce(poolId) {
      const earlier = announced;
      announced = poolId;
      await hold(poolId);
      // Releases the lock of the pool that this process had before, so that the jobs of that pool
      // are unlocked. On a new connection, that lock has already ended.
      if (earlier !== undefined) {
        await sql`select pg_advisory_unlock(${lockClass}, hashtext(${earlier}))`;
      }
    },
    async freeJobsOfDead() {
      if (announced !== undefined) await hold(announced);
      const dead = await sql<{ pool: string }[]>`
        select distinct locked_by as pool from graphile_worker._private_jobs
        where locked_at < now() - make_interval(secs => ${graceSeconds})
          and not exists (
            select from pg_locks where locktype = 'advisory' and granted
              and database = (select oid from pg_database where datname = current_database())
              and classid = ${lockClass} and objid = (hashtext(locked_by)::bigint & 4294967295)::oid)`;
      if (dead.length === 0) return 0;
      await sql`
        select graphile_worker.force_unlock_workers(${dead.map(({ pool }) => pool)})`;
      return dead.length;
    },
    async close() {
      unwatch?.();
      await pool.close();
    },
  };
}
