/**
 * For each suite, reads the latest ended run if that run failed, is undecided or is new. Each list
 * is limited, but its total counts all entries.
 */
import { type DoctorCheckName, type DoctorStatus, terminalRunStatuses } from '@proofmark/domain';
import type { Sql } from '../../../platform/database/database.ts';
import { countsForSuiteIn } from '../../evals/index.ts';

/**
 * The preliminary state of a run, from its columns alone. Only reading the decision shows whether
 * it is valid, so the domain rules make the final choice.
 */
export type StoredStanding = 'failing' | 'ending' | 'waived' | 'undecided' | 'settled';

export interface LatestOfSuite {
  readonly runId: string;
  readonly suiteName: string;
  readonly standing: StoredStanding;
  readonly standingTotal: number;
  readonly isNew: boolean;
  readonly total: number;
}

export interface RunGoingOn {
  readonly runId: string;
  readonly suiteName: string;
  readonly total: number;
}

export interface RefusedSchedule {
  readonly projectId: string;
  readonly suiteId: string;
  readonly suiteName: string;
  readonly message: string;
  readonly at: Date;
  readonly total: number;
}

export interface ServerInTrouble {
  readonly projectId: string;
  readonly serverId: string;
  readonly serverName: string;
  readonly status: DoctorStatus;
  readonly failedCheck: DoctorCheckName | null;
  readonly at: Date;
  readonly total: number;
}

export interface OpenFindings {
  readonly projectId: string;
  readonly ofSwarms: number;
  readonly ofVisitors: number;
  /** The number of open findings in all projects. */
  readonly total: number;
}

export interface NextSchedule {
  readonly projectId: string;
  readonly suiteId: string;
  readonly suiteName: string;
  readonly nextAt: Date;
  readonly total: number;
}

export async function readLatestOfSuites(
  sql: Sql,
  projectIds: readonly string[],
  cut: { readonly ofStanding: number; readonly newest: number; readonly waiverWarningMs: number },
): Promise<LatestOfSuite[]> {
  return sql<LatestOfSuite[]>`
    with latest as (
      select run.id as run_id, suite.name as suite_name, run.ended_at, waiver.expires_at,
        case
          when run.result = 'failed' and waiver.expires_at is null then 'failing'
          when run.result = 'failed'
            and waiver.expires_at <= statement_timestamp() + make_interval(secs => ${cut.waiverWarningMs / 1000})
            then 'ending'
          when run.result = 'failed' then 'waived'
          when run.result is null and run.status <> 'cancelled' then 'undecided'
          else 'settled'
        end as standing
      from eval_suites suite
      cross join lateral (
        select id, result, status, coalesce(completed_at, created_at) as ended_at from eval_runs
        where suite_id = suite.id and status in ${sql(terminalRunStatuses)}
          and ${countsForSuiteIn(sql)}
        order by run_number desc limit 1
      ) run
      left join lateral (
        select max(expires_at) as expires_at from gate_waivers
        where run_id = run.id and revoked_at is null and expires_at > statement_timestamp()
      ) waiver on true
      where suite.project_id = any (${projectIds as string[]})
    ), placed as (
      select run_id, suite_name, standing,
        (count(*) over (partition by standing))::integer as standing_total,
        (count(*) over ())::integer as total,
        row_number() over (partition by standing order by
          case when standing = 'ending' then expires_at end, ended_at desc, run_id) as place,
        row_number() over (order by ended_at desc, run_id) as place_of_all
      from latest
    )
    select run_id, suite_name, standing, standing_total, total, place_of_all <= ${cut.newest} as is_new
    from placed
    where place_of_all <= ${cut.newest} or place = 1
      or (place <= ${cut.ofStanding} and standing in ('failing', 'ending', 'undecided'))
    order by place_of_all`;
}

/** Lists open runs. A reported run has no expected end, so it is listed for only one day. */
export async function readOpenRuns(
  sql: Sql,
  projectIds: readonly string[],
  limit: number,
): Promise<RunGoingOn[]> {
  return sql<RunGoingOn[]>`
    select run.id as run_id, suite.name as suite_name, (count(*) over ())::integer as total
    from eval_runs run join eval_suites suite on suite.id = run.suite_id
    where run.project_id = any (${projectIds as string[]}) and run.status in ('pending', 'running')
      and (run.source <> 'sdk' or run.created_at > statement_timestamp() - interval '1 day')
    order by run.created_at desc, run.id limit ${limit}`;
}

export async function readRefusedSchedules(
  sql: Sql,
  projectIds: readonly string[],
  limit: number,
): Promise<RefusedSchedule[]> {
  return sql<RefusedSchedule[]>`
    select project_id, id as suite_id, name as suite_name, coalesce(schedule_error_message, '') as message,
      schedule_attempted_at as at, (count(*) over ())::integer as total
    from eval_suites
    where project_id = any (${projectIds as string[]}) and schedule_enabled
      and schedule_error_code is not null and schedule_attempted_at is not null
    order by schedule_attempted_at desc, id limit ${limit}`;
}

export async function readServersInTrouble(
  sql: Sql,
  projectIds: readonly string[],
  limit: number,
): Promise<ServerInTrouble[]> {
  return sql<ServerInTrouble[]>`
    select project_id, id as server_id, name as server_name, health_status as status,
      health_failed_check as failed_check, health_checked_at as at, (count(*) over ())::integer as total
    from servers
    where project_id = any (${projectIds as string[]}) and enabled
      and health_status in ('error', 'oauth_required')
    order by health_checked_at desc, id limit ${limit}`;
}

/** Counts findings that are neither resolved nor dismissed, for the projects with the most. */
export async function countOpenFindings(
  sql: Sql,
  projectIds: readonly string[],
  limit: number,
): Promise<OpenFindings[]> {
  return sql<OpenFindings[]>`
    select project_id, (count(*) filter (where is_swarm))::integer as of_swarms,
      (count(*) filter (where not is_swarm))::integer as of_visitors,
      (sum(count(*)) over ())::integer as total
    from (
      select project_id, true as is_swarm from findings
      where project_id = any (${projectIds as string[]}) and status <> 'resolved' and dismissed_at is null
      union all
      select found.project_id, false from scenario_findings found
      join scenarios scenario on scenario.id = found.scenario_id and scenario.unpublished_at is null
      where found.project_id = any (${projectIds as string[]}) and found.status <> 'resolved'
        and found.dismissed_at is null
    ) open
    group by project_id order by count(*) desc, project_id limit ${limit}`;
}

export async function readNextSchedules(
  sql: Sql,
  projectIds: readonly string[],
  limit: number,
): Promise<NextSchedule[]> {
  return sql<NextSchedule[]>`
    select project_id, id as suite_id, name as suite_name, schedule_next_at as next_at,
      (count(*) over ())::integer as total
    from eval_suites
    where project_id = any (${projectIds as string[]}) and schedule_enabled and schedule_next_at is not null
    order by schedule_next_at, id limit ${limit}`;
}

/** Leaves out the server and the suite of the sample project. */
export async function countOwn(
  sql: Sql,
  projectIds: readonly string[],
  sample: { readonly serverId: string; readonly suiteId: string } | undefined,
): Promise<{ readonly servers: number; readonly suites: number }> {
  const [row] = await sql<{ servers: number; suites: number }[]>`
    select
      (select count(*)::integer from servers
        where project_id = any (${projectIds as string[]}) and id <> ${sample?.serverId ?? ''}) as servers,
      (select count(*)::integer from eval_suites
        where project_id = any (${projectIds as string[]}) and id <> ${sample?.suiteId ?? ''}) as suites`;
  return row as { servers: number; suites: number };
}
