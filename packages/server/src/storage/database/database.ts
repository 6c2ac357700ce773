/**
 * The way to PostgreSQL. `sql` reaches what belongs to no single organization (accounts, sessions,
 * keys, memberships). Everything of an organization is reached through `tenant`, which tells
 * row-level security which organizations this piece of work may see; a query that forgets its
 * tenant finds nothing. Every call has a deadline, after which its connection is destroyed and the call fails as
 * DatabaseAway.
 */
import type { Vault } from '../../vault/vault.ts';
import { appRole } from '../migrations/migrate.ts';
import { askPool } from './ask-pool.ts';
import { type ConnectionKind, clientConfig } from './client-config.ts';
import { type Deadlines, defaultDeadlines, type Pace } from './deadlines.ts';
import type { WrittenStatement } from './fragments.ts';
import type { Heartbeat } from './heartbeat.ts';
import { Pool } from './pool.ts';
import { preparedText } from './prepared.ts';
import { type Sql, sqlOf } from './sql.ts';
import { runTransaction } from './transaction.ts';

export type { Fragment } from './fragments.ts';
export type { Sql } from './sql.ts';

export interface Database {
  readonly sql: Sql;
  /**
   * For the one short statement that every request begins with: who calls. It never waits behind other work for a
   * connection, and travels for many requests at once.
   */
  readonly callers: Sql;
  readonly vault: Vault;
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
  /** The service itself works as the role that owns no table; operator commands as the owner. */
  readonly as: 'service' | 'owner';
  /** Left out, it is that of whom it works as. */
  readonly kind?: ConnectionKind;
  readonly maxConnections?: number | undefined;
  readonly heartbeat?: Heartbeat;
  readonly deadlines?: Deadlines;
}

/** A second one for the moment in which the first is lost. */
const callersAtMost = 2;

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
    ...(options.as === 'service' && { role: appRole }),
  };
  const open = (kind: ConnectionKind, max: number) =>
    new Pool({ config: clientConfig(url, kind, settings), max, deadlines });
  const kind = options.kind ?? (options.as === 'owner' ? 'operator' : 'door');
  const pool = open(kind, options.maxConnections ?? 10);
  const callers = open('callers', callersAtMost);
  const unwatch = [pool, callers].map((one) => heartbeat?.watch(one));
  const transact = async <Result>(
    first: readonly WrittenStatement[],
    work: (sql: Sql) => Promise<Result>,
    pace: Pace,
  ) => {
    const isSlow = pace === 'slow';
    const deadlineMs = isSlow ? deadlines.slowMs : deadlines.callMs;
    const connection = await pool.take();
    try {
      const all = isSlow ? [...first, setting('statement_timeout', String(deadlineMs))] : first;
      return await runTransaction({ connection, deadlineMs, first: all }, work);
    } finally {
      pool.give(connection);
    }
  };
  return {
    sql: sqlOf(askPool(pool, deadlines.callMs)),
    callers: sqlOf(askPool(callers, deadlines.callMs)),
    vault,
    heartbeat,
    tenant: (organizationIds, work, pace = 'quick') =>
      transact([setting('proofmark.organization_ids', organizationIds.join())], work, pace),
    transaction: (work, pace = 'quick') => transact([], work, pace),
    async close() {
      for (const end of unwatch) end?.();
      await Promise.all([pool.close(), callers.close()]);
    },
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
