/**
 * Tells which worker pools of the queue are alive. A pool that was killed leaves its jobs locked for hours. So each pool
 * holds an advisory lock for as long as its process is connected, and jobs of a pool without that lock are freed. When
 * only the connection breaks and the process lives, a job may therefore run twice at a time; every job here allows that.
 */
import { askPool } from '../database/ask-pool.ts';
import { clientConfig } from '../database/client-config.ts';
import { defaultDeadlines } from '../database/deadlines.ts';
import type { Heartbeat } from '../database/heartbeat.ts';
import { Pool } from '../database/pool.ts';
import { sqlOf } from '../database/sql.ts';

const lockClass = 727_002;
/** A pool that has just started may have taken a job before its lock. */
const graceSeconds = 5;

export interface PoolLocks {
  /** Holds the lock of this pool, in place of that of an earlier one. */
  announce(poolId: string): Promise<void>;
  /** Frees the jobs of the dead; says how many pools that were. */
  freeJobsOfDead(): Promise<number>;
  close(): Promise<void>;
}

export function openPoolLocks(url: string, heartbeat: Heartbeat | undefined): PoolLocks {
  const config = clientConfig(url, 'queue', { statement_timeout: 10_000 });
  // One connection, which is kept, since the lock is held by it.
  const pool = new Pool({ config, max: 1, deadlines: defaultDeadlines });
  const unwatch = heartbeat?.watch(pool);
  const sql = sqlOf(askPool(pool, defaultDeadlines.callMs));
  let announced: string | undefined;
  const hold = async (poolId: string) => {
    // Asked again on a new connection, where the lock of the old one is gone; on the same one it changes nothing.
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
      // What the earlier one left locked is for anybody; on a new connection its lock is gone already.
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
