import { notFound } from '@proofmark/domain';
import { type Action, refuse } from '../../../../platform/operations/action.ts';
import { listGroupRuns } from '../../store/eval-runs.ts';
import { findWaiversInForce } from '../../store/gate-waivers.ts';
import { findGroup } from '../../store/run-groups.ts';
import { presentRun } from './present-run.ts';

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
