/**
 * A transaction on a connection that is reserved for it. It begins in the same round trip as its
 * first statement. A failed statement ends it even if the error was caught, as in PostgreSQL
 * itself.
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
  readonly first: readonly WrittenStatement[];
}

export async function runTransaction<Result>(
  { connection, deadlineMs, first }: TransactionOptions,
  work: (sql: Sql) => Promise<Result>,
): Promise<Result> {
  let failure: { readonly error: unknown } | undefined;
  let isOver = false;
  const ask = async (asking: Omit<Asking, 'deadlineMs'>): Promise<StatementAnswer> => {
    if (isOver)
      throw new Error('Internal fault: a statement was sent after its transaction had ended.');
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
  // These statements are sent together with the first statement of the work. If they fail,
  // `failure` is thrown at the end.
  for (const statement of [begin, ...first]) ask({ statement }).catch(() => undefined);
  try {
    const result = await work(sqlOf(asked));
    if (failure !== undefined) throw failure.error;
    // A statement after this point would run outside of the transaction, so `ask` rejects it.
    isOver = true;
    await connection.ask({ statement: commit, deadlineMs });
    // If a statement failed and was never awaited, PostgreSQL answers the commit with a rollback
    // and no error, so the failure is thrown here.
    if (failure !== undefined) throw (failure as { readonly error: unknown }).error;
    return result;
  } catch (error) {
    isOver = true;
    await rollBack(connection, deadlineMs);
    throw isAfterFailure(error) && failure !== undefined ? failure.error : error;
  }
}

/**
 * Rolls back. If the first rollback is sent together with a failing statement, PostgreSQL skips it
 * too; the second one is sent alone. If that fails as well, the connection may still be inside the
 * transaction and is destroyed.
 */
async function rollBack(connection: DatabaseConnection, deadlineMs: number): Promise<void> {
  for (let tries = 0; tries < 2 && connection.isOpen; tries += 1) {
    try {
      await connection.ask({ statement: rollback, deadlineMs });
      return;
    } catch {}
  }
  connection.destroy(
    new DatabaseAway('CONNECTION_CLOSED', 'A transaction could not be rolled back.'),
  );
}

/**
 * Returns whether PostgreSQL rejected a statement only because an earlier one had failed. The
 * earlier error must be reported instead.
 */
function isAfterFailure(error: unknown): boolean {
  return (error as { code?: unknown } | null)?.code === '25P02';
}

const [begin, commit, rollback] = ['begin', 'commit', 'rollback'].map(
  (text): WrittenStatement => ({ prepared: preparedText(text).of(undefined), values: [] }),
) as [WrittenStatement, WrittenStatement, WrittenStatement];
