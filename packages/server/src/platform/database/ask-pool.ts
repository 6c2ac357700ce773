import type { Pool } from './pool.ts';
import type { Row, Rows, StatementTarget } from './sql.ts';
import type { WrittenStatement } from './sql-fragments.ts';

export function askPool(pool: Pool, deadlineMs: number): StatementTarget {
  const ask = async (statement: WrittenStatement | string): Promise<Rows<Row[]>> => {
    const connection = await pool.take();
    try {
      return (await connection.ask({ statement, deadlineMs })).rows;
    } catch (error) {
      // A stale connection has prepared statements that no longer fit the altered tables. The
      // recursion ends, because each connection becomes stale at most once.
      if (connection.isStale) return ask(statement);
      throw error;
    } finally {
      pool.give(connection);
    }
  };
  return {
    ask,
    askPlain: ask,
    walk() {
      throw new Error('Internal fault: rows were read in parts outside a transaction.');
    },
  };
}
