import type { Database, Sql } from './database.ts';

/**
 * Runs the work for all organizations, 100 at a time, since row-level security needs their ids.
 * Returns the total number of rows.
 */
export async function inEveryOrganization(
  database: Database,
  work: (sql: Sql) => Promise<{ readonly count: number }>,
): Promise<number> {
  const organizations = await database.sql<{ id: string }[]>`select id from organizations`;
  let count = 0;
  for (let start = 0; start < organizations.length; start += organizationsAtOnce) {
    const some = organizations.slice(start, start + organizationsAtOnce).map(({ id }) => id);
    count += (await database.tenant(some, work, 'slow')).count;
  }
  return count;
}

const organizationsAtOnce = 100;
