/**
 * Reads lists of suites with the results of their runs, and reads and writes authored suites.
 * Counters on the suite's row include deleted runs. A suite known only from reports has an empty
 * definition.
 */
import {
  cutPage,
  firstStart,
  isRecord,
  makeId,
  type Page,
  type PageRequest,
  type ScheduleAttempt,
  type SuiteDefinition,
  type SuiteSchedule,
  terminalRunStatuses,
} from '@proofmark/domain';
import type { Sql } from '../../../platform/database/database.ts';
import { databaseNow } from '../../../platform/database/database-now.ts';
import {
  type Document,
  readRecord,
  readRecords,
} from '../../../platform/database/read-document.ts';
import { countsForSuiteIn } from './counts-for-suite.ts';
import { type AuthoredCase, listAllCases } from './eval-cases.ts';
import { readCalendar } from './schedules.ts';

const trendLength = 10;

export interface StoredSuite {
  readonly id: string;
  readonly projectId: string;
  readonly name: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly runCount: number;
  readonly passedTrials: number;
  readonly failedTrials: number;
  readonly latestRun: LatestRun | null;
  /** The pass rates of the last runs that ended with a passed or failed trial, oldest first. */
  readonly passRateTrend: readonly number[];
}

export interface LatestRun {
  readonly id: string;
  readonly status: string;
  readonly result: string | null;
  readonly verdictPolicyVersion: number | null;
  /** As stored; not validated. */
  readonly verdictSummary: unknown;
  readonly total: number | null;
  readonly passed: number | null;
  readonly failed: number | null;
  readonly createdAtMs: number;
}

/**
 * Run numbers only grow and are never reused. So the newest runs of a suite are read from the end
 * of the index on run numbers.
 */
export async function readSuites(
  sql: Sql,
  projectId: string,
  page: PageRequest,
): Promise<Page<StoredSuite>> {
  const rows = await sql<SuiteRow[]>`
    select suite.id, suite.project_id, suite.name, suite.created_at, suite.updated_at,
      suite.run_count, suite.passed_trials, suite.failed_trials, latest.run as latest_run,
      coalesce(trend.rates, '[]') as pass_rate_trend
    from eval_suites suite
    left join lateral (
      select json_build_object('id', id, 'status', status, 'result', result,
        'verdictPolicyVersion', verdict_policy_version,
        'verdictSummary', document_of(verdict_summary), 'total', total_trials, 'passed', passed_trials, 'failed', failed_trials,
        'createdAtMs', floor(extract(epoch from created_at) * 1000)) as run
      from eval_runs where suite_id = suite.id and ${countsForSuiteIn(sql)}
      order by run_number desc limit 1
    ) latest on true
    left join lateral (
      select json_agg(rate order by run_number) as rates from (
        select run_number, passed_trials::float8 / total_trials as rate
        from eval_runs
        where suite_id = suite.id and total_trials > 0 and passed_trials is not null
          and ${countsForSuiteIn(sql)}
          and status in ${sql(terminalRunStatuses)}
        order by run_number desc limit ${trendLength}
      ) ended
    ) trend on true
    where suite.project_id = ${projectId}
      ${page.after ? sql`and (suite.created_at, suite.id) < (${new Date(page.after.order)}, ${page.after.id})` : sql``}
    order by suite.created_at desc, suite.id desc limit ${page.limit + 1}`;
  return cutPage(rows.map(suiteOfRow), page.limit, (suite) => ({
    order: suite.createdAt.getTime(),
    id: suite.id,
  }));
}

export async function hasSuite(sql: Sql, projectId: string, suiteId: string): Promise<boolean> {
  const rows = await sql`
    select from eval_suites where id = ${suiteId} and project_id = ${projectId}`;
  return rows.count > 0;
}

/**
 * A client on which the suite can run. `serverIds` are the servers in such a run (default: the
 * client's own servers).
 */
export interface SuiteHost {
  readonly id: string;
  readonly serverIds?: readonly string[];
}

export interface AuthoredSuite {
  readonly id: string;
  readonly projectId: string;
  readonly name: string;
  readonly description: string | null;
  readonly definition: SuiteDefinition;
  /** Present if the stored definition cannot be read. */
  readonly isUnreadable?: true;
  readonly serverIds: readonly string[];
  readonly environmentIds: readonly string[];
  readonly hosts: readonly SuiteHost[];
  readonly tags: readonly string[];
  readonly createdBy: string | null;
  readonly schedule: SuiteSchedule;
  /** Null while the schedule is off. */
  readonly scheduleNextAt: Date | null;
  readonly scheduleAttempt: ScheduleAttempt | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export interface SuiteToRun extends AuthoredSuite {
  /** Includes disabled cases, in their order. */
  readonly cases: readonly AuthoredCase[];
}

export async function readSuite(
  sql: Sql,
  projectId: string,
  suiteId: string,
  lock: 'forUpdate' | 'forNoKeyUpdate' | 'read' = 'read',
): Promise<AuthoredSuite | undefined> {
  const locked = {
    forUpdate: sql`for update`,
    forNoKeyUpdate: sql`for no key update`,
    read: sql``,
  }[lock];
  const [row] = await sql<AuthoredRow[]>`
    ${selected(sql)} where project_id = ${projectId} and id = ${suiteId} ${locked}`;
  return row && readAuthored(row);
}

/**
 * Finds the suite with this declared id or this id. Locks the declared id even if no suite has it,
 * so that one of two concurrent imports creates the suite and the other replaces its content.
 */
export async function findDeclaredSuite(
  sql: Sql,
  projectId: string,
  declaredId: string,
): Promise<AuthoredSuite | undefined> {
  const name = JSON.stringify([projectId, declaredId]);
  await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`;
  const [row] = await sql<AuthoredRow[]>`
    ${selected(sql)}
    where project_id = ${projectId}
      and (id = ${declaredId} or document_of(definition) ->> 'declaredId' = ${declaredId})
    order by id = ${declaredId} desc, created_at, id limit 1 for no key update`;
  return row && readAuthored(row);
}

export async function findSuiteToRun(
  sql: Sql,
  projectId: string,
  suiteId: string,
): Promise<SuiteToRun | undefined> {
  const suite = await readSuite(sql, projectId, suiteId);
  return suite && { ...suite, cases: await listAllCases(sql, suiteId) };
}

export interface NewSuite
  extends Pick<
    AuthoredSuite,
    'id' | 'projectId' | 'name' | 'description' | 'definition' | 'serverIds'
  > {
  readonly organizationId: string;
  readonly createdBy: string;
  readonly environmentIds?: readonly string[];
  readonly tags?: readonly string[];
}

export async function insertSuite(sql: Sql, suite: NewSuite): Promise<void> {
  await sql`
    insert into eval_suites ${sql({
      id: suite.id,
      organization_id: suite.organizationId,
      project_id: suite.projectId,
      name: suite.name,
      description: suite.description,
      definition: JSON.stringify(suite.definition),
      server_ids: suite.serverIds as string[],
      environment_ids: (suite.environmentIds ?? []) as string[],
      tags: (suite.tags ?? []) as string[],
      created_by: suite.createdBy,
    })}`;
}

/** Finds the suite of the conformance runs of a server, by its name. */
export async function findConformanceSuite(
  sql: Sql,
  projectId: string,
  name: string,
  serverId: string,
): Promise<string | undefined> {
  const [row] = await sql<{ id: string }[]>`
    select id from eval_suites
    where project_id = ${projectId} and name = ${name} and server_ids = ${[serverId]}
      and definition::json ->> 'mode' = 'serverContract'
    order by created_at, id limit 1`;
  return row?.id;
}

/**
 * The caller must lock the row before it reads the content from which the new content is derived.
 */
export async function storeSuite(sql: Sql, suite: AuthoredSuite): Promise<AuthoredSuite> {
  const [row] = await sql<AuthoredRow[]>`
    update eval_suites set ${sql({
      name: suite.name,
      description: suite.description,
      definition: JSON.stringify(suite.definition),
      server_ids: suite.serverIds as string[],
      environment_ids: suite.environmentIds as string[],
      hosts: JSON.stringify(suite.hosts),
      schedule_environment_id: suite.schedule.environmentId,
    })}, updated_at = clock_timestamp()
    where id = ${suite.id} returning ${columns(sql)}`;
  return readAuthored(row as AuthoredRow);
}

export async function storeSchedule(
  sql: Sql,
  suiteId: string,
  schedule: SuiteSchedule,
): Promise<AuthoredSuite> {
  const { enabled, intervalMinutes, calendar, environmentId } = schedule;
  const startMs = firstStart(schedule, (await databaseNow(sql)).getTime());
  const [row] = await sql<AuthoredRow[]>`
    update eval_suites set ${sql({
      schedule_enabled: enabled,
      schedule_interval_minutes: intervalMinutes,
      schedule_calendar: calendar && JSON.stringify(calendar),
      schedule_environment_id: environmentId,
      schedule_next_at: startMs === null ? null : new Date(startMs),
    })}, updated_at = clock_timestamp()
    where id = ${suiteId} returning ${columns(sql)}`;
  return readAuthored(row as AuthoredRow);
}

export async function deleteSuite(sql: Sql, suiteId: string): Promise<void> {
  await sql`delete from eval_suites where id = ${suiteId}`;
}

/**
 * A reported run counts only if a trial arrived since `reportedSince`. The id of its newest trial
 * shows this, because ids begin with their creation time.
 */
export async function findOpenRun(
  sql: Sql,
  suiteId: string,
  reportedSince: Date,
): Promise<'launched' | 'reported' | undefined> {
  const sinceId = makeId('evalIteration', reportedSince.getTime(), new Uint8Array(10));
  const [row] = await sql<{ isReported: boolean }[]>`
    select source = 'sdk' as is_reported from eval_runs
    where suite_id = ${suiteId} and status in ('pending', 'running')
      and (source <> 'sdk' or created_at >= ${reportedSince} or (
        select id collate "C" >= ${sinceId} from eval_iterations
        where run_id = eval_runs.id order by ordinal desc limit 1
      ))
    order by is_reported limit 1`;
  if (row === undefined) return undefined;
  return row.isReported ? 'reported' : 'launched';
}

/** Read as text, because the counters may exceed the range of exact numbers in JavaScript. */
type SuiteRow = Omit<StoredSuite, 'passedTrials' | 'failedTrials'> & {
  readonly passedTrials: string;
  readonly failedTrials: string;
};

function suiteOfRow(row: SuiteRow): StoredSuite {
  return {
    ...row,
    passedTrials: Number(row.passedTrials),
    failedTrials: Number(row.failedTrials),
  };
}

type AuthoredRow = Omit<AuthoredSuite, 'definition' | 'hosts' | 'schedule' | 'scheduleAttempt'> & {
  readonly definition: string | null;
  readonly hosts: string;
  readonly scheduleEnabled: boolean;
  readonly scheduleIntervalMinutes: number | null;
  readonly scheduleCalendar: string | null;
  readonly scheduleEnvironmentId: string | null;
  readonly scheduleAttemptedAt: Date | null;
  readonly scheduleErrorCode: string | null;
  readonly scheduleErrorMessage: string | null;
};

function readAuthored({
  definition,
  hosts,
  scheduleEnabled,
  scheduleIntervalMinutes,
  scheduleCalendar,
  scheduleEnvironmentId,
  scheduleAttemptedAt,
  scheduleErrorCode: code,
  scheduleErrorMessage: message,
  ...row
}: AuthoredRow): AuthoredSuite {
  return {
    ...row,
    ...readDefinition(definition),
    hosts: readRecords(hosts).filter(isHost),
    schedule: {
      enabled: scheduleEnabled,
      intervalMinutes: scheduleIntervalMinutes,
      calendar: readCalendar(scheduleCalendar),
      environmentId: scheduleEnvironmentId,
    },
    scheduleAttempt: scheduleAttemptedAt && {
      atMs: scheduleAttemptedAt.getTime(),
      error: code === null ? null : { code, message: message ?? '' },
    },
  };
}

/** An unreadable definition is replaced by an empty one, marked as unreadable. */
function readDefinition(text: string | null): Pick<AuthoredSuite, 'definition' | 'isUnreadable'> {
  if (text === null) return { definition: { settings: {} } };
  const definition = readRecord(text);
  return definition !== undefined && isRecord(definition['settings'])
    ? { definition: definition as SuiteDefinition & Document }
    : { definition: { settings: {} }, isUnreadable: true };
}

function isHost(host: Document): host is SuiteHost & Document {
  const { id, serverIds } = host;
  return typeof id === 'string' && (serverIds === undefined || Array.isArray(serverIds));
}

function selected(sql: Sql) {
  return sql`select ${columns(sql)} from eval_suites`;
}

function columns(sql: Sql) {
  return sql`id, project_id, name, description, definition, server_ids, environment_ids, hosts, tags, created_by,
    schedule_enabled, schedule_interval_minutes, schedule_calendar, schedule_environment_id, schedule_next_at,
    schedule_attempted_at, schedule_error_code, schedule_error_message, created_at, updated_at`;
}
