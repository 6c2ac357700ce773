import { notFound } from '@proofmark/domain';
import { listSuiteRuns } from '../../storage/eval-runs/eval-runs.ts';
import { findWaiversInForce } from '../../storage/eval-runs/gate-waivers.ts';
import { hasSuite } from '../../storage/eval-suites/eval-suites.ts';
import { type Action, presentPage, refuse } from '../action.ts';
import { presentRun } from './present-run.ts';

export const listEvalSuiteRuns: Action<'listEvalSuiteRuns'> = async (context, { params, page }) => {
  return context.tenant(async (sql) => {
    if (!(await hasSuite(sql, context.project.id, params.suiteId))) refuse(notFound);
    const runs = await listSuiteRuns(sql, params.suiteId, page);
    const runIds = runs.items.map((run) => run.id);
    const waivers = await findWaiversInForce(sql, runIds);
    return presentPage(runs, (run) => presentRun(run, waivers.get(run.id)));
  });
};
