import { isFirstStart, waiverWarningMs } from '@proofmark/domain';
import { readProjectNames } from '../../../platform/accounts/store/projects.ts';
import type { Sql } from '../../../platform/database/database.ts';
import type { Action } from '../../../platform/operations/action.ts';
import { findWaiversInForce, readRunsById, readSample, readTrials } from '../../evals/index.ts';
import * as homeRuns from '../store/home-runs.ts';
import { presentHome, type ReadRun } from './present-home.ts';

/** The maximum number of items in each list; the totals count the rest too. */
const shown = 10;
const newest = 8;
/** The number of trials of a failed run that are read to find the stage where it stops. */
const trialsOfRun = 10;

export const getHome: Action<'getHome'> = async (context) => {
  const { account, organizationIds } = context.caller;
  const sample = (await readSample(context.database)) ?? undefined;
  return context.tenant(async (sql) => {
    const projectNames = await readProjectNames(sql, account.id, organizationIds);
    const ids = [...projectNames.keys()];
    const cut = { ofStanding: shown, newest, waiverWarningMs };
    const [latest, open, schedules, servers, own] = await Promise.all([
      homeRuns.readLatestOfSuites(sql, ids, cut),
      homeRuns.readOpenRuns(sql, ids, shown),
      homeRuns.readRefusedSchedules(sql, ids, shown),
      homeRuns.readServersInTrouble(sql, ids, shown),
      homeRuns.countOwn(sql, ids, sample),
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
      { latest, open, schedules, servers, runs, trials: new Map(trials), projectNames },
      { isFirst: isFirstStart(own), shown },
      Date.now(),
    );
  });
};

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
