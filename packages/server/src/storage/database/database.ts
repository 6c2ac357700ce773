/**
 * The way to PostgreSQL. `sql` reaches what belongs to no single organization (accounts, sessions,
 * keys, memberships). Everything of an organization is reached through `tenant`, which tells
 * row-level security which organizations this piece of work may see; a query that forgets its
 * tenant finds nothing.
 */
import postgres from 'postgres';
import type { Vault } from '../../vault/vault.ts';
import { appRole } from '../migrations/migrate.ts';
import { renewingClient } from './renewing-client.ts';
import { textArray } from './text-array.ts';

// biome-ignore lint/complexity/noBannedTypes: the driver's own way to say that there are no custom types.
export type Sql = postgres.ISql<{}>;
/** A piece of a statement, to be put into another. */
export type Fragment = postgres.PendingQuery<postgres.Row[]>;

export interface Database {
  readonly sql: Sql;
  /**
   * For the one short statement that every request begins with: who calls. All of them share one
   * connection and follow each other without waiting, which costs a third less than spreading them.
   */
  readonly callers: Sql;
  readonly vault: Vault;
  tenant<Result>(
    organizationIds: readonly string[],
    work: (sql: Sql) => Promise<Result>,
  ): Promise<Result>;
  /** One transaction over what belongs to no single organization. */
  transaction<Result>(work: (sql: Sql) => Promise<Result>): Promise<Result>;
  close(): Promise<void>;
}

export function openDatabase(options: {
  readonly url: string;
  readonly vault: Vault;
  /** The service itself works as the role that owns no table; operator commands as the owner. */
  readonly as: 'service' | 'owner';
  readonly maxConnections?: number;
}): Database {
  const settings = {
    connect_timeout: 5,
    // The driver's own pauses grow to 20 seconds; a database that is back should be used at once.
    backoff: () => 0.1,
    // A connection ends when it is cut and at no other time; see renewingClient.
    max_lifetime: null,
    onnotice: () => undefined,
    fetch_types: false,
    types: { textArray },
    transform: { column: { from: postgres.toCamel } },
    connection: {
      application_name: 'proofmark',
      search_path: 'proofmark',
      statement_timeout: 15_000,
      // A process that is paused in the middle of a transaction must not hold what it locked for long.
      idle_in_transaction_session_timeout: 10_000,
      ...(options.as === 'service' && { role: appRole }),
    },
  };
  const open = (max: number, finishWithinSeconds: number) =>
    renewingClient(
      (lost) => postgres(options.url, { ...settings, max, onclose: lost }),
      finishWithinSeconds,
    );
  const client = open(options.maxConnections ?? 10, 5);
  const callers = open(1, 1);
  return {
    get sql() {
      return client.current;
    },
    get callers() {
      return callers.current;
    },
    vault: options.vault,
    async tenant(organizationIds, work) {
      const result = await client.current.begin(async (transaction) => {
        const scope = organizationIds.join(',');
        // Sent ahead of the work without waiting for it: one round trip less, same order.
        const scoped =
          transaction`select set_config('proofmark.organization_ids', ${scope}, true)`.execute();
        const both = Promise.all([scoped, work(transaction)]);
        const [, value] = await both.catch(leaveLostConnection);
        return { value };
      });
      return result.value as never;
    },
    async transaction(work) {
      const result = await client.current.begin(async (transaction) => ({
        value: await work(transaction).catch(leaveLostConnection),
      }));
      return result.value as never;
    },
    async close() {
      await Promise.all([client.end(), callers.end()]);
    },
  };
}

/**
 * The driver would send a rollback on the connection that is gone, which ends the whole process. It also
 * refuses the transaction by itself as soon as the connection is closed, so here is nothing left to say.
 */
function leaveLostConnection(error: unknown): Promise<never> {
  const lost =
    error instanceof postgres.PostgresError
      ? error.severity === 'FATAL' || error.severity === 'PANIC' || error.code.startsWith('57P')
      : lostCodes.has((error as { code?: string } | null)?.code ?? '');
  return lost ? new Promise(() => undefined) : Promise.reject(error);
}

const lostCodes = new Set([
  'CONNECTION_CLOSED',
  'CONNECTION_DESTROYED',
  'CONNECTION_ENDED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
]);

/** Another row already holds a name that must be unique. The transaction is then over. */
export function isUniqueViolation(error: unknown): boolean {
  return (error as { code?: string } | null)?.code === '23505';
}
