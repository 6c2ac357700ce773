/**
 * Suites that reporters name. A name belongs to the suite that took it first, even after a rename.
 * An authored suite takes precedence over a suite known only from reports, because the authored
 * suite's terms decide the reported runs.
 */
import type { Fragment, Sql } from '../../../../platform/database/database.ts';

interface SuiteName {
  readonly organizationId: string;
  readonly projectId: string;
  readonly name: string;
}

function suiteNamed(sql: Sql, { projectId, name }: Omit<SuiteName, 'organizationId'>): Fragment {
  return sql`
    select id from eval_suites
    where project_id = ${projectId} and (reported_name = ${name} or name = ${name})
    order by definition is not null desc, (reported_name = ${name}) desc nulls last, created_at, id limit 1`;
}

/**
 * Returns a subquery for the ids of all suites that may contain a run reported under this name. A
 * run that began before its suite was authored stays in the suite it began in.
 */
export function suitesReportedAs(sql: Sql, suite: Omit<SuiteName, 'organizationId'>): Fragment {
  return sql`
    (${suiteNamed(sql, suite)})
    union select id from eval_suites where project_id = ${suite.projectId} and reported_name = ${suite.name}`;
}

export interface LockedSuite {
  readonly id: string;
  readonly runCount: number;
  /** False if the suite is known only from reports. */
  readonly isAuthored: boolean;
}

/**
 * Finds or creates the suite and locks it until the transaction ends, so that runs are numbered one
 * at a time. The name is locked too: if an author saves the suite meanwhile, two starts of the same
 * run would otherwise lock two different suites.
 */
export async function lockReportedSuite(
  sql: Sql,
  suite: SuiteName & { readonly description: string | null; newId(): string },
): Promise<LockedSuite> {
  const name = JSON.stringify(['reported', suite.projectId, suite.name]);
  await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`;
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
  if (made === undefined)
    throw new Error('Internal fault: the suite was created but could not be read back.');
  return made;
}
