import type { Action } from '../../../../platform/operations/action.ts';
import { compareSurfaces } from './compare-surfaces.ts';
import { findBaseRun } from './find-base-run.ts';
import { findRun } from './find-run.ts';

export const getEvalRunSurface: Action<'getEvalRunSurface'> = (context, { params, query }) =>
  context.tenant(async (sql) => {
    const projectId = context.project.id;
    const run = await findRun(sql, projectId, params.runId);
    const base = await findBaseRun(sql, projectId, run, query.baseRunId);
    const { surface, tokens } = await compareSurfaces(sql, projectId, base, run);
    return { ...surface, tokens: tokens.compare };
  });
