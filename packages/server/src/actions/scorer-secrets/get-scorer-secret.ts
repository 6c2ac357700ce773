import { readScorerSecretAge } from '../../storage/accounts/scorer-secrets.ts';
import type { Action } from '../action.ts';

export const getScorerSecret: Action<'getScorerSecret'> = (context) =>
  context.tenant(async (sql) => {
    const { id: projectId } = context.project;
    const madeAt = await readScorerSecretAge(sql, projectId);
    return { projectId, madeAt: madeAt?.getTime() ?? null };
  });
