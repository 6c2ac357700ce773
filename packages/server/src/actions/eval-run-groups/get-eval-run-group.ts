import { notFound } from '@proofmark/domain';
import { listGroupRuns } from '../../storage/eval-runs/eval-runs.ts';
import { findWaiversInForce } from '../../storage/eval-runs/gate-waivers.ts';
import { findGroup } from '../../storage/eval-runs/run-groups.ts';
import { type Action, refuse } from '../action.ts';
import { presentRun } from '../eval-runs/present-run.ts';

export const getEvalRunGroup: Action<'getEvalRunGroup'> = async (context, { params }) => {
  return context.tenant(async (sql) => {
    const group = (await findGroup(sql, context.project.id, params.runGroupId)) ?? refuse(notFound);
    const runs = await listGroupRuns(sql, group.id);
    const waivers = await findWaiversInForce(
      sql,
      runs.map(({ id }) => id),
    );
    return {
      runGroupId: group.id,
      suiteId: group.suiteId,
      runs: runs.map((run) => presentRun(run, waivers.get(run.id))),
    };
  });
};
