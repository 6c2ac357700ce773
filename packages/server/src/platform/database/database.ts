/**
 * The way to PostgreSQL. `sql` reaches what belongs to no single organization (accounts, sessions,
 * keys, memberships). Everything of an organization is reached through `tenant`, which tells
 * row-level security which organizations this piece of work may see; a query that forgets its
 * tenant finds nothing. Every call has a deadline, after which its connection is destroyed and the call fails as
 * DatabaseAway.
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
   * For the one short statement that every request begins with: who calls. It never waits behind other work for a
   * connection, and travels for many requests at once.
   */
  readonly callers: Sql;
  /**
   * For claiming work and keeping leases. It never waits behind whoever writes results, and its calls have a deadline
   * that is shorter than a lease.
   */
  readonly leases: Pick<Database, 'sql' | 'tenant'>;
  readonly vault: Vault;
  /** Keeps the vault at the keys of the database. */
  readonly keys: KeyWatch;
  /** Finds out for the whole process whether PostgreSQL is silent; absent where nobody does. */
  readonly heartbeat: Heartbeat | undefined;
  tenant<Result>(
    organizationIds: readonly string[],
    work: (sql: Sql) => Promise<Result>,
    pace?: Pace,
  ): Promise<Result>;
  /** One transaction over what belongs to no single organization. */
  transaction<Result>(work: (sql: Sql) => Promise<Result>, pace?: Pace): Promise<Result>;
  close(): Promise<void>;
}

export interface DatabaseOptions {
  readonly url: string;
  readonly vault: Vault;
  /** The service itself signs in as the role that owns no table; operator commands as the owner. */
  readonly as: 'service' | 'owner';
  /** The secret key as it lies in its file now. */
  readonly readKeyFile?: (() => Buffer | undefined) | undefined;
  /** Left out, it is that of whom it works as. */
  readonly kind?: ConnectionKind;
  readonly maxConnections?: number | undefined;
  readonly heartbeat?: Heartbeat;
  readonly deadlines?: Deadlines;
}

/** A second one for the moment in which the first is lost. */
const callersAtMost = 2;
/** One each to claim trials, judgements and insights, one to prolong, and one to share places. */
const leasesAtMost = 5;
/** Half of a lease: who heard nothing until then can ask again before it runs out. */
const longestLeaseCallMs = 2500;

export function openDatabase(options: DatabaseOptions): Database {
  const { url, vault, heartbeat, deadlines = defaultDeadlines } = options;
  const settings = {
    search_path: 'proofmark',
    // As they are read here, whatever the operator's role or database has set.
    DateStyle: 'ISO',
    bytea_output: 'hex',
    statement_timeout: 15_000,
    // A process that is paused in the middle of a transaction must not hold what it locked for long.
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

/** What PostgreSQL has not done in that time it leaves, too, so that no claim is made for somebody who has gone on. */
function openLeases(url: string, settings: SessionSettings, deadlines: Deadlines): Pool {
  const callMs = Math.min(longestLeaseCallMs, deadlines.callMs);
  const limits = { statement_timeout: callMs, idle_in_transaction_session_timeout: callMs };
  return new Pool({
    config: clientConfig(url, 'leases', { ...settings, ...limits }),
    max: leasesAtMost,
    deadlines: { ...deadlines, callMs, connectMs: Math.min(callMs, deadlines.connectMs) },
  });
}

/** The ways to ask on the connections of one pool. */
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

/** Until the end of the transaction. */
function setting(name: string, value: string): WrittenStatement {
  return { prepared: setConfig, values: [name, value] };
}

const setConfig = preparedText('select set_config($1, $2, true)').of(undefined);

/** Another row already holds a name that must be unique. The transaction is then over. */
export function isUniqueViolation(error: unknown): boolean {
  return (error as { code?: string } | null)?.code === '23505';
}
