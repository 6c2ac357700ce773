/**
 * A transaction on a connection of its own. It is begun together with its first statement, in one round trip. As in
 * PostgreSQL itself, a statement that failed ends it, whether or not somebody caught that failure.
 */
import { randomUUID } from 'node:crypto';
import type { Asking, DatabaseConnection } from './connection.ts';
import { DatabaseAway } from './database-away.ts';
import { preparedText } from './prepared.ts';
import { type Sql, type StatementTarget, sqlOf } from './sql.ts';
import type { WrittenStatement } from './sql-fragments.ts';
import type { StatementAnswer } from './statement-exchange.ts';

export interface TransactionOptions {
  readonly connection: DatabaseConnection;
  readonly deadlineMs: number;
  /** What is said to PostgreSQL before the first statement. */
  readonly first: readonly WrittenStatement[];
}

export async function runTransaction<Result>(
  { connection, deadlineMs, first }: TransactionOptions,
  work: (sql: Sql) => Promise<Result>,
): Promise<Result> {
  let failure: { readonly error: unknown } | undefined;
  let isOver = false;
  const ask = async (asking: Omit<Asking, 'deadlineMs'>): Promise<StatementAnswer> => {
    if (isOver) throw new Error('The transaction of this statement is over.');
    try {
      return await connection.ask({ ...asking, deadlineMs });
    } catch (error) {
      failure ??= { error };
      throw error;
    }
  };
  const asked: StatementTarget = {
    ask: async (statement) => (await ask({ statement })).rows,
    askPlain: async (text) => (await ask({ statement: text })).rows,
    async *walk(statement, rows) {
      const portal = randomUUID();
      for (let isFirst = true; ; isFirst = false) {
        const answer = await ask({ statement, part: { portal, rows, isFirst } });
        if (answer.rows.length > 0) yield answer.rows;
        if (answer.isWhole) return;
      }
    },
  };
  // They travel with the first statement of the work; what goes wrong is told at the end.
  for (const statement of [begin, ...first]) ask({ statement }).catch(() => undefined);
  try {
    const result = await work(sqlOf(asked));
    if (failure !== undefined) throw failure.error;
    // Whatever is asked from here on would run outside of the transaction.
    isOver = true;
    await connection.ask({ statement: commit, deadlineMs });
    // PostgreSQL rolls back without an error where a statement failed that nobody waited for.
    if (failure !== undefined) throw (failure as { readonly error: unknown }).error;
    return result;
  } catch (error) {
    isOver = true;
    await rollBack(connection, deadlineMs);
    throw isAfterFailure(error) && failure !== undefined ? failure.error : error;
  }
}

/**
 * Behind a statement that fails, the first one is skipped with it; the second one travels alone. A connection that is
 * still inside a transaction after that is of no use to anybody.
 */
async function rollBack(connection: DatabaseConnection, deadlineMs: number): Promise<void> {
  for (let tries = 0; tries < 2 && connection.isOpen; tries += 1) {
    try {
      await connection.ask({ statement: rollback, deadlineMs });
      return;
    } catch {}
  }
  connection.destroy(new DatabaseAway('CONNECTION_CLOSED', 'A transaction could not be ended.'));
}

/** PostgreSQL refuses everything after a failed statement; that statement is what went wrong. */
function isAfterFailure(error: unknown): boolean {
  return (error as { code?: unknown } | null)?.code === '25P02';
}

const [begin, commit, rollback] = ['begin', 'commit', 'rollback'].map(
  (text): WrittenStatement => ({ prepared: preparedText(text).of(undefined), values: [] }),
) as [WrittenStatement, WrittenStatement, WrittenStatement];
