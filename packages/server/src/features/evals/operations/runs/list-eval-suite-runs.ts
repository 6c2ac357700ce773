import { notFound } from '@proofmark/domain';
import { type Action, presentPage, refuse } from '../../../../platform/operations/action.ts';
import { listSuiteRuns } from '../../store/eval-runs.ts';
import { hasSuite } from '../../store/eval-suites.ts';
import { findWaiversInForce } from '../../store/gate-waivers.ts';
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
