/**
 * Returns the tools that the trial's servers listed. The names of servers come from the run's plan.
 * If the plan cannot be read, current names are used.
 */
import type { OutputOf } from '@proofmark/contract';
import { notFound } from '@proofmark/domain';
import { type Action, refuse } from '../../../../platform/operations/action.ts';
import { findRunPlan } from '../../store/run-plans.ts';
import { findToolSurface } from '../../store/tool-surfaces.ts';
import { noTools, presentTools, surfaceOfText } from './present-tools.ts';
import { serverNamesOf } from './read-server-names.ts';

type Tools = OutputOf<'getEvalIterationTools'>;

export const getEvalIterationTools: Action<'getEvalIterationTools'> = async (
  context,
  { params },
): Promise<Tools> =>
  context.tenant(async (sql) => {
    const projectId = context.project.id;
    const { hash, surface } =
      (await findToolSurface(sql, projectId, params.runId, params.iterationId)) ?? refuse(notFound);
    const listed = surfaceOfText(surface);
    if (hash === null || listed === undefined) return refuse(noTools);
    const plan = await findRunPlan(sql, params.runId);
    const names = await serverNamesOf(sql, projectId, plan, Object.keys(listed));
    return presentTools({ hash, listed, plan, names });
  });
