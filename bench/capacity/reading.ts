/**
 * Reads all meters of an installation at one moment. The difference of two readings is the usage
 * between them.
 */
import { cpuOf, cpuOfCluster } from './cpu.ts';
import type { Stage } from './stage.ts';

export interface Reading {
  /** The fields from `workers` to `server` are in CPU seconds. */
  readonly workers: number;
  readonly postgres: number;
  readonly service: number;
  readonly model: number;
  readonly server: number;
  readonly storedBytes: number;
  readonly walBytes: number;
  readonly seconds: number;
}

export async function read(stage: Stage): Promise<Reading> {
  const { service, model, server } = stage.pids;
  const [row] = await stage.owner.sql<{ stored: number; wal: number }[]>`
    select (pg_current_wal_insert_lsn() - '0/0')::double precision as wal,
      (select sum(pg_total_relation_size(pg_class.oid)) from pg_class
        where relnamespace = 'proofmark'::regnamespace and relkind = 'r')::double precision as stored`;
  return {
    workers: stage.workers.reduce((sum, { pid }) => sum + cpuOf(pid), 0),
    postgres: cpuOfCluster(stage.cluster),
    service: cpuOf(service),
    model: cpuOf(model),
    server: cpuOf(server),
    storedBytes: row?.stored ?? 0,
    walBytes: row?.wal ?? 0,
    seconds: performance.now() / 1000,
  };
}

export async function between(stage: Stage, work: () => Promise<unknown>): Promise<Reading> {
  const before = await read(stage);
  await work();
  const after = await read(stage);
  const names = Object.keys(after) as (keyof Reading)[];
  return Object.fromEntries(
    names.map((name) => [name, after[name] - before[name]]),
  ) as unknown as Reading;
}
