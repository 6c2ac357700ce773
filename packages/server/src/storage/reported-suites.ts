/** Suites that reporters name. The name finds the suite that took it first, also after a rename. */
import type { Fragment, Sql } from './database.ts';

interface SuiteName {
  readonly organizationId: string;
  readonly projectId: string;
  readonly name: string;
}

/** A piece of a statement: the id of the suite, or nothing. */
export function suiteNamed(
  sql: Sql,
  { projectId, name }: Omit<SuiteName, 'organizationId'>,
): Fragment {
  return sql`
    select id from eval_suites
    where project_id = ${projectId} and (reported_name = ${name} or name = ${name})
    order by (reported_name = ${name}) desc nulls last, created_at, id limit 1`;
}

export interface LockedSuite {
  readonly id: string;
  readonly runCount: number;
  /** Whether it is more than what reporters know of it. */
  readonly isAuthored: boolean;
}

/** Finds or makes the suite and holds it until the transaction ends: one run at a time gets a number. */
export async function lockReportedSuite(
  sql: Sql,
  suite: SuiteName & { readonly description: string | null; newId(): string },
): Promise<LockedSuite> {
  const lock = async () => {
    const [row] = await sql<LockedSuite[]>`
      select id, run_count, definition is not null as is_authored from eval_suites where id = (${suiteNamed(sql, suite)}) for no key update`;
    return row;
  };
  const found = await lock();
  if (found !== undefined) return found;
  await sql`
    insert into eval_suites (id, organization_id, project_id, name, reported_name, description)
    values (${suite.newId()}, ${suite.organizationId}, ${suite.projectId}, ${suite.name}, ${suite.name},
      ${suite.description})
    on conflict (project_id, reported_name) do nothing`;
  const made = await lock();
  if (made === undefined) throw new Error('The suite is gone in the moment it was made.');
  return made;
}
