import type { Pool } from './pool.ts';
import type { Asked, WrittenStatement } from './sql.ts';

/** Each statement on any connection that is free, and committed at once. */
export function askPool(pool: Pool, deadlineMs: number): Asked {
  const ask = async (statement: WrittenStatement | string) => {
    const connection = await pool.take();
    try {
      return (await connection.ask({ statement, deadlineMs })).rows;
    } finally {
      pool.give(connection);
    }
  };
  return {
    ask,
    askPlain: ask,
    walk() {
      throw new Error('Rows are read in parts only inside a transaction.');
    },
  };
}
