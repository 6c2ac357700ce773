/**
 * The installation's record of its sample project: whether there ever was one, and its ids, which
 * stay even after the sample is deleted.
 */
import type { Database, Sql } from '../../../platform/database/database.ts';
import { readServer, sealAddresses } from '../../servers/index.ts';
import { countsForSuiteIn } from './counts-for-suite.ts';

export interface Sample {
  readonly organizationId: string;
  readonly projectId: string;
  readonly serverId: string;
  readonly suiteId: string;
  /**
   * The sample's journey (a goal that a simulated user pursues), which is played once. Absent if
   * the sample was created without one.
   */
  readonly journeyId?: string;
  readonly accountId: string;
}

/**
 * Returns undefined before the first start with a sample, and null if that start created none
 * because a name was taken.
 */
export async function readSample({ sql }: Database): Promise<Sample | null | undefined> {
  const [row] = await sql<{ sample: string | null }[]>`select sample from installation`;
  return row?.sample == null ? undefined : (JSON.parse(row.sample) as Sample | null);
}

export async function recordSample(sql: Sql, sample: Sample | null): Promise<Sample | null> {
  await sql`update installation set sample = ${JSON.stringify(sample)}`;
  return sample;
}

export async function findFirstOwner(
  { sql }: Database,
  organizationId: string,
): Promise<string | undefined> {
  const [row] = await sql<{ accountId: string }[]>`
    select account_id from memberships
    where organization_id = ${organizationId} and role = 'owner'
    order by created_at, account_id limit 1`;
  return row?.accountId;
}

export async function readSampleUrl(
  { sql, vault }: Database,
  { projectId, serverId }: Sample,
): Promise<string | undefined> {
  return (await readServer(sql, vault, projectId, serverId))?.url ?? undefined;
}

/**
 * Changes the address of the sample's server only if it is still the one that was read, so that
 * later edits are kept.
 */
export async function moveSample(
  { vault, ...database }: Database,
  { projectId, serverId }: Sample,
  from: string,
  to: string,
): Promise<void> {
  await database.transaction(async (sql) => {
    const server = await readServer(sql, vault, projectId, serverId, 'forUpdate');
    if (server?.url !== from) return;
    const sealed = sealAddresses(vault, { ...server, url: to });
    await sql`update servers set sealed_addresses = ${sealed}, url = null where id = ${serverId}`;
  });
}

/**
 * Returns the newest run of the sample's suite: null without a run, undefined if the suite no
 * longer exists.
 */
export async function findSampleRun(sql: Sql, suiteId: string): Promise<string | null | undefined> {
  const [row] = await sql<{ runId: string | null }[]>`
    select (
      select id from eval_runs where suite_id = eval_suites.id and ${countsForSuiteIn(sql)}
      order by run_number desc limit 1
    ) as run_id
    from eval_suites where id = ${suiteId}`;
  return row?.runId;
}

/**
 * Returns the newest run of the sample's journey: null without a run, undefined if the journey is
 * archived or deleted.
 */
export async function findSampleJourneyRun(
  sql: Sql,
  journeyId: string,
): Promise<string | null | undefined> {
  const [row] = await sql<{ runId: string | null }[]>`
    select (
      select id from journey_runs where journey_id = journeys.id
      order by created_at desc, id desc limit 1
    ) as run_id
    from journeys where id = ${journeyId} and archived_at is null`;
  return row?.runId;
}
