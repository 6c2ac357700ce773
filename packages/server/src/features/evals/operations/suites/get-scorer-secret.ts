import type { Action } from '../../../../platform/operations/action.ts';
import { readScorerSecretAge } from '../../store/scorer-secrets.ts';

export const getScorerSecret: Action<'getScorerSecret'> = (context) =>
  context.tenant(async (sql) => {
    const { id: projectId } = context.project;
    const madeAt = await readScorerSecretAge(sql, projectId);
    return { projectId, madeAt: madeAt?.getTime() ?? null };
  });
