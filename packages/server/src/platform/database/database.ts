/**
 * The access to PostgreSQL. `sql` reaches data that belongs to no single organization (accounts,
 * sessions, keys, memberships). Data of an organization is reached through `tenant`, which sets the
 * organizations that row-level security makes visible; without it, a query finds none of that data.
 * A call that exceeds its deadline fails with DatabaseAway, and its connection is destroyed.
 */

import type { Vault } from '../vault/vault.ts';
import { askPool } from './ask-pool.ts';
import { type ConnectionKind, clientConfig, type SessionSettings } from './client-config.ts';
import { type Deadlines, defaultDeadlines, type Pace } from './deadlines.ts';
import type { Heartbeat } from './heartbeat.ts';
import { KeyWatch } from './key-watch.ts';
import { Pool } from './pool.ts';
import { preparedText } from './prepared.ts';
import { type Sql, sqlOf } from './sql.ts';
import type { WrittenStatement } from './sql-fragments.ts';
import { runTransaction } from './transaction.ts';

export type { Sql } from './sql.ts';
export type { Fragment } from './sql-fragments.ts';

export interface Database {
  readonly sql: Sql;
  /**
   * Sends the one short statement that finds the caller of every request. It has connections of its
   * own, so it never waits behind other work, and it serves many requests at once.
   */
  readonly callers: Sql;
  /**
   * Sends the statements that claim work and prolong leases. It has connections of its own, so it
   * never waits behind writes of results. The deadline of its calls is shorter than a lease.
   */
  readonly leases: Pick<Database, 'sql' | 'tenant'>;
  readonly vault: Vault;
  readonly keys: KeyWatch;
  /**
   * Detects, for the whole process, that PostgreSQL no longer answers; undefined if the process has
   * no heartbeat.
   */
  readonly heartbeat: Heartbeat | undefined;
  tenant<Result>(
    organizationIds: readonly string[],
    work: (sql: Sql) => Promise<Result>,
    pace?: Pace,
  ): Promise<Result>;
  transaction<Result>(work: (sql: Sql) => Promise<Result>, pace?: Pace): Promise<Result>;
  close(): Promise<void>;
}

export interface DatabaseOptions {
  readonly url: string;
  readonly vault: Vault;
  /**
   * The database role: the service uses one that owns no tables, operator commands use the owner of
   * the tables.
   */
  readonly as: 'service' | 'owner';
  readonly readKeyFile?: (() => Buffer | undefined) | undefined;
  /** The kind of connection (default: derived from `as`). */
  readonly kind?: ConnectionKind;
  readonly maxConnections?: number | undefined;
  readonly heartbeat?: Heartbeat;
  readonly deadlines?: Deadlines;
}

/** The number of connections for `callers`: a second connection serves if the first is lost. */
const callersAtMost = 2;
/**
 * The number of connections for `leases`: one each to claim trials, judgements and insights, one to
 * prolong leases, and one to divide concurrency limits among processes.
 */
const leasesAtMost = 5;
/**
 * The deadline in milliseconds: half of a lease, so that a call that timed out can be repeated
 * before the lease expires.
 */
const longestLeaseCallMs = 2500;

export function openDatabase(options: DatabaseOptions): Database {
  const { url, vault, heartbeat, deadlines = defaultDeadlines } = options;
  const settings = {
    search_path: 'proofmark',
    // Proofmark's parsers need these fixed formats, regardless of the settings of the operator's
    // role or database.
    DateStyle: 'ISO',
    bytea_output: 'hex',
    statement_timeout: 15_000,
    // PostgreSQL ends a transaction whose process is paused, so that its locks end soon.
    idle_in_transaction_session_timeout: 10_000,
  };
  const isSilent = () => heartbeat?.isSilent === true;
  const kind = options.kind ?? (options.as === 'owner' ? 'operator' : 'door');
  const pools = {
    main: new Pool({
      config: clientConfig(url, kind, settings),
      max: options.maxConnections ?? 10,
      deadlines,
      isSilent,
    }),
    callers: new Pool({
      config: clientConfig(url, 'callers', settings),
      max: callersAtMost,
      deadlines,
      isSilent,
    }),
    leases: openLeases(url, settings, deadlines),
  };
  const all = Object.values(pools);
  const unwatch = all.map((one) => heartbeat?.watch(one));
  const { sql, tenant, transaction } = waysOf(pools.main);
  const callers = waysOf(pools.callers).sql;
  const keys = new KeyWatch({ vault, sql: callers, readKeyFile: options.readKeyFile });
  return {
    sql,
    callers,
    vault,
    keys,
    heartbeat,
    tenant: (...asked) => keys.lookAndRetry(() => tenant(...asked)),
    transaction: (...asked) => keys.lookAndRetry(() => transaction(...asked)),
    leases: waysOf(pools.leases),
    async close() {
      for (const end of unwatch) end?.();
      await Promise.all(all.map((one) => one.close()));
    },
  };
}

/**
 * Opens the connections for leases. PostgreSQL itself also stops a late statement, so that no work
 * is claimed for a caller that has given up.
 */
function openLeases(url: string, settings: SessionSettings, deadlines: Deadlines): Pool {
  const callMs = Math.min(longestLeaseCallMs, deadlines.callMs);
  const limits = { statement_timeout: callMs, idle_in_transaction_session_timeout: callMs };
  return new Pool({
    config: clientConfig(url, 'leases', { ...settings, ...limits }),
    max: leasesAtMost,
    deadlines: { ...deadlines, callMs, connectMs: Math.min(callMs, deadlines.connectMs) },
  });
}

function waysOf(pool: Pool): Pick<Database, 'sql' | 'tenant' | 'transaction'> {
  const { callMs, slowMs } = pool.deadlines;
  const transact = async <Result>(
    first: readonly WrittenStatement[],
    work: (sql: Sql) => Promise<Result>,
    pace: Pace,
  ) => {
    const isSlow = pace === 'slow';
    const deadlineMs = isSlow ? slowMs : callMs;
    const connection = await pool.take();
    try {
      const all = isSlow ? [...first, setting('statement_timeout', String(deadlineMs))] : first;
      return await runTransaction({ connection, deadlineMs, first: all }, work);
    } finally {
      pool.give(connection);
    }
  };
  return {
    sql: sqlOf(askPool(pool, callMs)),
    tenant: (organizationIds, work, pace = 'quick') =>
      transact([setting('proofmark.organization_ids', organizationIds.join())], work, pace),
    transaction: (work, pace = 'quick') => transact([], work, pace),
  };
}

function setting(name: string, value: string): WrittenStatement {
  return { prepared: setConfig, values: [name, value] };
}

const setConfig = preparedText('select set_config($1, $2, true)').of(undefined);

/**
 * Returns whether an insert or update failed because another row already has the same unique value.
 * Such an error ends the transaction.
 */
export function isUniqueViolation(error: unknown): boolean {
  return (error as { code?: string } | null)?.code === '23505';
}
