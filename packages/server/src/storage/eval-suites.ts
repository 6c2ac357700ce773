/** Suites with what their runs came to. Their own counters say how much was ever recorded. */
import { cutPage, type Page, type PageRequest, terminalRunStatuses } from '@proofmark/domain';
import type { Sql } from './database.ts';

const trendLength = 10;

export interface EvalSuite {
  readonly id: string;
  readonly projectId: string;
  readonly name: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly runCount: number;
  readonly passedTrials: number;
  readonly failedTrials: number;
  readonly latestRun: LatestRun | null;
  /** Of the last runs that ended with a trial, oldest first. */
  readonly passRateTrend: readonly number[];
}

export interface LatestRun {
  readonly id: string;
  readonly status: string;
  readonly total: number | null;
  readonly passed: number | null;
  readonly failed: number | null;
  readonly createdAtMs: number;
}

/** Run numbers grow and are never used again, so the newest runs stand at the end of their index. */
export async function listEvalSuites(
  sql: Sql,
  projectId: string,
  page: PageRequest,
): Promise<Page<EvalSuite>> {
  const rows = await sql<SuiteRow[]>`
    select suite.id, suite.project_id, suite.name, suite.created_at, suite.updated_at,
      suite.run_count, suite.passed_trials, suite.failed_trials, latest.run as latest_run,
      coalesce(trend.rates, '[]') as pass_rate_trend
    from eval_suites suite
    left join lateral (
      select json_build_object('id', id, 'status', status, 'total', total_trials,
        'passed', passed_trials, 'failed', failed_trials,
        'createdAtMs', floor(extract(epoch from created_at) * 1000)) as run
      from eval_runs where suite_id = suite.id order by run_number desc limit 1
    ) latest on true
    left join lateral (
      select json_agg(rate order by run_number) as rates from (
        select run_number, passed_trials::float8 / total_trials as rate
        from eval_runs
        where suite_id = suite.id and total_trials > 0 and passed_trials is not null
          and status in ${sql(terminalRunStatuses)}
        order by run_number desc limit ${trendLength}
      ) ended
    ) trend on true
    where suite.project_id = ${projectId}
      ${page.after ? sql`and (suite.created_at, suite.id) < (${new Date(page.after.order)}, ${page.after.id})` : sql``}
    order by suite.created_at desc, suite.id desc limit ${page.limit + 1}`;
  return cutPage(rows.map(readSuite), page.limit, (suite) => ({
    order: suite.createdAt.getTime(),
    id: suite.id,
  }));
}

export async function hasSuite(sql: Sql, projectId: string, suiteId: string): Promise<boolean> {
  const rows = await sql`
    select from eval_suites where id = ${suiteId} and project_id = ${projectId}`;
  return rows.count > 0;
}

/** Counters of trials are wider than a number can be trusted to be, and arrive as text. */
type SuiteRow = Omit<EvalSuite, 'passedTrials' | 'failedTrials'> & {
  readonly passedTrials: string;
  readonly failedTrials: string;
};

function readSuite(row: SuiteRow): EvalSuite {
  return {
    ...row,
    passedTrials: Number(row.passedTrials),
    failedTrials: Number(row.failedTrials),
  };
}
