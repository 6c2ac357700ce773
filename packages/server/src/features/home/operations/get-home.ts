import { isFirstStart, notFound, waiverWarningMs } from '@proofmark/domain';
import { readProjectNames } from '../../../platform/accounts/store/projects.ts';
import type { Sql } from '../../../platform/database/database.ts';
import { type Action, refuse } from '../../../platform/operations/action.ts';
import { findWaiversInForce, readRunsById, readSample, readTrials } from '../../evals/index.ts';
import * as homeRuns from '../store/home-runs.ts';
import { presentHome, type ReadRun } from './present-home.ts';

/** The maximum number of items in each list; the totals count the rest too. */
const shown = 10;
const newest = 8;
const newestOfProject = 100;
/** The number of trials of a failed run that are read to find the stage where it stops. */
const trialsOfRun = 10;

export const getHome: Action<'getHome'> = async (context, { query }) => {
  const { account, organizationIds } = context.caller;
  const sample = (await readSample(context.database)) ?? undefined;
  return context.tenant(async (sql) => {
    const all = await readProjectNames(sql, account.id, organizationIds);
    const projectNames = namesOf(all, query.projectId);
    const ids = [...projectNames.keys()];
    const most = query.projectId === undefined ? newest : newestOfProject;
    const cut = { ofStanding: shown, newest: most, waiverWarningMs };
    const [latest, open, schedules, servers, own, findings, due] = await Promise.all([
      homeRuns.readLatestOfSuites(sql, ids, cut),
      homeRuns.readOpenRuns(sql, ids, shown),
      homeRuns.readRefusedSchedules(sql, ids, shown),
      homeRuns.readServersInTrouble(sql, ids, shown),
      homeRuns.countOwn(sql, ids, sample),
      homeRuns.countOpenFindings(sql, ids, shown),
      homeRuns.readNextSchedules(sql, ids, shown),
    ]);
    const runs = await readRuns(sql, [...latest, ...open]);
    const trials = await Promise.all(
      latest
        .filter(({ standing }) => standing === 'failing')
        .map(async ({ runId }) => {
          const page = { limit: trialsOfRun };
          return [runId, await readTrials(sql, runId, page, { result: 'notPassed' })] as const;
        }),
    );
    return presentHome(
      {
        latest,
        open,
        schedules,
        servers,
        findings,
        due,
        runs,
        projectNames,
        trials: new Map(trials),
      },
      { isFirst: isFirstStart(own), shown },
      Date.now(),
    );
  });
};

function namesOf(
  all: ReadonlyMap<string, string>,
  projectId: string | undefined,
): ReadonlyMap<string, string> {
  if (projectId === undefined) return all;
  const name = all.get(projectId);
  return name === undefined ? refuse(notFound) : new Map([[projectId, name]]);
}

async function readRuns(
  sql: Sql,
  named: readonly { readonly runId: string; readonly suiteName: string }[],
): Promise<Map<string, ReadRun>> {
  const ids = named.map(({ runId }) => runId);
  const [runs, waivers] = await Promise.all([readRunsById(sql, ids), findWaiversInForce(sql, ids)]);
  const suiteNames = new Map(named.map(({ runId, suiteName }) => [runId, suiteName]));
  return new Map(
    runs.map((run) => [
      run.id,
      { run, waiver: waivers.get(run.id), suiteName: suiteNames.get(run.id) ?? '' },
    ]),
  );
}
