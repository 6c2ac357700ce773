/**
 * Who is alive among the pools of the queue. A pool that was killed leaves its jobs locked for hours; so each pool
 * holds a lock for as long as its process is connected, and jobs of a pool without one are freed for the others. A job
 * may so run twice at a time when a connection breaks and the process lives; every job here can bear that.
 */
import postgres from 'postgres';

const lockClass = 727_002;
/** A pool that has just started may have taken a job before its lock. */
const graceSeconds = 5;

export interface ReconnectingPools {
  /** Holds the lock of this pool, in place of that of an earlier one. */
  announce(poolId: string): Promise<void>;
  /** Frees the jobs of the dead; says how many pools that were. */
  freeJobsOfDead(): Promise<number>;
  close(): Promise<void>;
}

export function openReconnectingPools(url: string): ReconnectingPools {
  const client = postgres(url, {
    max: 1,
    connect_timeout: 5,
    backoff: () => 0.2,
    max_lifetime: null,
    fetch_types: false,
    onnotice: () => undefined,
    connection: { application_name: 'proofmark queue', statement_timeout: 10_000 },
  });
  let announced: string | undefined;
  const hold = async (poolId: string) => {
    // Asked again on a new connection, where the lock of the old one is gone; on the same one it changes nothing.
    await client`
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
        await client`select pg_advisory_unlock(${lockClass}, hashtext(${earlier}))`;
      }
    },
    async freeJobsOfDead() {
      if (announced !== undefined) await hold(announced);
      const dead = await client<{ pool: string }[]>`
        select distinct locked_by as pool from graphile_worker._private_jobs
        where locked_at < now() - make_interval(secs => ${graceSeconds})
          and not exists (
            select from pg_locks where locktype = 'advisory' and granted
              and database = (select oid from pg_database where datname = current_database())
              and classid = ${lockClass} and objid = (hashtext(locked_by)::bigint & 4294967295)::oid)`;
      if (dead.length === 0) return 0;
      await client`
        select graphile_worker.force_unlock_workers(string_to_array(${dead.map(({ pool }) => pool).join(',')}, ','))`;
      return dead.length;
    },
    close: () => client.end({ timeout: 1 }),
  };
}
