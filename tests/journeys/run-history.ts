/**
 * Records every change of slices (leased work) and of items of runs (trials, or sessions of
 * journeys) in the database itself, in order. Each record names the process that made the change:
 * the first word of its `application_name`. The history does not use the service's protection
 * against late writes, so it can verify that protection.
 */
import { askPool } from '../../packages/server/src/platform/database/ask-pool.ts';
import { clientConfig } from '../../packages/server/src/platform/database/client-config.ts';
import { connect } from '../../packages/server/src/platform/database/connect.ts';
import { defaultDeadlines } from '../../packages/server/src/platform/database/deadlines.ts';
import { Pool } from '../../packages/server/src/platform/database/pool.ts';
import { sqlOf } from '../../packages/server/src/platform/database/sql.ts';

export interface NotedWork {
  readonly kind: 'eval-trials' | 'journey-sessions';
  readonly items: 'eval_iterations' | 'journey_attempts';
}

export const notedTrials: NotedWork = { kind: 'eval-trials', items: 'eval_iterations' };
export const notedSessions: NotedWork = { kind: 'journey-sessions', items: 'journey_attempts' };

/** Every launch writes `work_groups`, and every ended trial `eval_traces`. */
export type HeldTable = 'work_groups' | 'eval_traces' | 'trial_recordings';

export interface HeldWrites {
  waiting(): Promise<string[]>;
  release(): Promise<void>;
}

export interface RecordingFaults {
  readonly unnamedContents: number;
  /** References to missing content. */
  readonly lostContents: number;
  readonly unlikeTrials: number;
}

export interface RunHistory {
  isReachable(): Promise<boolean>;
  /** Counts the items that were written after their end, or ended more than once. */
  writtenTwice(): Promise<number>;
  /**
   * Counts the items whose end was written by a process that no longer held their slice (leased
   * work) when its transaction began.
   */
  writtenLate(): Promise<number>;
  /** Returns the number of starts of items, and the number of ended items. */
  begun(): Promise<{ readonly beginnings: number; readonly ended: number }>;
  /**
   * For every slice that the process held at that time and another process took over, returns a
   * wait in milliseconds. The wait lasts until the next item of the slice ended, or until the
   * takeover if no item was left.
   */
  takenOver(
    name: string,
    atMs: number,
  ): Promise<{ readonly held: number; readonly waitsMs: number[] }>;
  /** Returns the processes that now hold a slice of this run (default: of any run). */
  holders(runId?: string): Promise<string[]>;
  runsOfKey(key: string): Promise<number>;
  /** Counts the trials whose teardown calls are still open. */
  owedAfters(): Promise<number>;
  /** Returns the charged model steps with this reference. */
  chargedSteps(ref: string): Promise<string[]>;
  /** Counts the inconsistencies between trials and their recordings. */
  recordingFaults(): Promise<RecordingFaults>;
  hold(table: HeldTable): Promise<HeldWrites>;
  close(): Promise<void>;
}

export async function openRunHistory(url: string, work: NotedWork): Promise<RunHistory> {
  const { kind } = work;
  const config = clientConfig(url, 'operator');
  const pool = new Pool({ config, max: 2, deadlines: defaultDeadlines });
  const sql = sqlOf(askPool(pool, defaultDeadlines.slowMs));
  await sql.unsafe(notesOf(work));
  return {
    isReachable: () =>
      sql`select`.then(
        () => true,
        () => false,
      ),
    async writtenTwice() {
      const [row] = await sql`
        select count(*)::int as count from (
          select from run_history.items where was_ended or is_ended group by run_id, ordinal having count(*) > 1) twice`;
      return row?.['count'];
    },
    async writtenLate() {
      const [row] = await sql`
        select count(*)::int as count from run_history.items wrote
        join proofmark.leased_work slice on slice.kind = ${kind} and slice.group_id = wrote.run_id
          and wrote.ordinal between slice.first_item and slice.last_item
        left join lateral (
          select status, process from run_history.slices noted
          where noted.run_id = slice.group_id and noted.slice = slice.number and noted.number < wrote.number
            and noted.xid <> wrote.xid
          order by noted.number desc limit 1) held on true
        where wrote.is_ended and (held.status is distinct from 'leased' or held.process <> wrote.process)`;
      return row?.['count'];
    },
    async begun() {
      const [row] = await sql`
        select count(*) filter (where not is_ended)::int as beginnings, count(*) filter (where is_ended)::int as ended
        from run_history.items`;
      return { beginnings: row?.['beginnings'], ended: row?.['ended'] };
    },
    async takenOver(name, atMs) {
      const rows = await sql`
        with at as (select to_timestamp(${atMs / 1000}::float8) as then),
        held as (
          select distinct on (run_id, slice) run_id, slice, status, process from run_history.slices, at
          where noted_at < at.then order by run_id, slice, number desc)
        select extract(epoch from coalesce(resumed.noted_at, taken.noted_at) - at.then)::float8 * 1000 as wait
        from at cross join held
        join proofmark.leased_work cut on cut.kind = ${kind} and cut.group_id = held.run_id and cut.number = held.slice
        left join lateral (
          select noted_at from run_history.slices later where later.run_id = held.run_id and later.slice = held.slice
            and later.noted_at > at.then and later.status = 'leased'
            and later.process <> ${name} order by number limit 1) taken on true
        left join lateral (
          select noted_at from run_history.items wrote where wrote.run_id = held.run_id and wrote.is_ended
            and wrote.ordinal between cut.first_item and cut.last_item and wrote.noted_at > taken.noted_at
          order by number limit 1) resumed on true
        where held.status = 'leased' and held.process = ${name}`;
      const waits = rows.map((row) => row['wait'] as number | null);
      return { held: rows.length, waitsMs: waits.filter((wait) => wait !== null) };
    },
    async holders(runId) {
      const rows = await sql`
        select distinct noted.process from proofmark.leased_work slice cross join lateral (
          select process from run_history.slices
          where slices.run_id = slice.group_id and slices.slice = slice.number order by number desc limit 1) noted
        where slice.kind = ${kind} and slice.status = 'leased'
          and coalesce(${runId ?? null}::text, slice.group_id) = slice.group_id`;
      return rows.map((row) => row['process'] as string);
    },
    async runsOfKey(key) {
      const [row] = await sql`
        select count(*)::int as count from proofmark.eval_runs where idempotency_key = ${key}`;
      return row?.['count'];
    },
    async owedAfters() {
      const [row] = await sql`select count(*)::int as count from proofmark.owed_teardowns`;
      return row?.['count'];
    },
    async chargedSteps(ref) {
      const rows = await sql`select step from proofmark.ledger where ref = ${ref}`;
      return rows.map((row) => row['step'] as string);
    },
    async recordingFaults() {
      const [row] = await sql`
        select
          (select count(*)::int from proofmark.recordings content where not exists (
            select from proofmark.trial_recordings named where named.hash = content.hash
              and named.organization_id = content.organization_id)) as unnamed_contents,
          (select count(*)::int from proofmark.trial_recordings named where not exists (
            select from proofmark.recordings content where named.hash = content.hash
              and named.organization_id = content.organization_id)) as lost_contents,
          (select count(*)::int from proofmark.eval_iterations trial
            full join proofmark.trial_recordings named using (run_id, ordinal)
            where (trial.recording_state is not distinct from 'kept') <> (named.hash is not null)
              or trial.recording_hash is distinct from named.hash) as unlike_trials`;
      return row as unknown as RecordingFaults;
    },
    async hold(table) {
      let release = () => {};
      const released = new Promise<void>((resolve) => (release = resolve));
      let held = Promise.resolve();
      await new Promise<void>((locked, failed) => {
        held = connect(url, async (client) => {
          await client.query(`begin; lock table proofmark.${table} in exclusive mode`);
          locked();
          await released;
        });
        held.catch(failed);
      });
      return {
        async waiting() {
          const rows = await sql`
            select distinct split_part(application_name, ' ', 1) as name
            from pg_locks join pg_stat_activity using (pid)
            where relation = ${`proofmark.${table}`}::text::regclass and not granted`;
          return rows.map((row) => row['name'] as string);
        },
        async release() {
          release();
          await held;
        },
      };
    },
    close: () => pool.close(),
  };
}

const notesOf = ({ kind, items }: NotedWork) => `
  create schema run_history;
  create sequence run_history.number;
  create table run_history.items (
    number bigint primary key default nextval('run_history.number'), noted_at timestamptz not null default clock_timestamp(),
    process text not null, run_id text not null, ordinal integer not null, was_ended boolean not null, is_ended boolean not null,
    xid xid8 not null default pg_current_xact_id());
  create index on run_history.items (run_id, ordinal);
  create table run_history.slices (
    number bigint primary key default nextval('run_history.number'), noted_at timestamptz not null default clock_timestamp(),
    process text not null, run_id text not null, slice integer not null, status text not null,
    xid xid8 not null default pg_current_xact_id());
  create index on run_history.slices (run_id, slice, number);

  create function run_history.note_item() returns trigger language plpgsql security definer as $$
  begin
    insert into run_history.items (process, run_id, ordinal, was_ended, is_ended)
    values (split_part(current_setting('application_name'), ' ', 1), new.run_id, new.ordinal,
      old.status not in ('pending', 'running'), new.status not in ('pending', 'running'));
    return null;
  end $$;
  create trigger note_change after update on proofmark.${items}
    for each row execute function run_history.note_item();

  create function run_history.note_slice() returns trigger language plpgsql security definer as $$
  begin
    insert into run_history.slices (process, run_id, slice, status)
    values (split_part(current_setting('application_name'), ' ', 1), new.group_id, new.number, new.status);
    return null;
  end $$;
  create trigger note_change after update on proofmark.leased_work
    for each row when (new.kind = '${kind}' and (old.lease <> new.lease or old.status <> new.status))
    execute function run_history.note_slice();
`;
