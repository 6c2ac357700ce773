import { notFound } from '@proofmark/domain';
import { replaceScorerSecret } from '../../storage/accounts/scorer-secrets.ts';
import { type Action, refuse } from '../action.ts';
import { recordAudit } from '../record-audit.ts';

export const rotateScorerSecret: Action<'rotateScorerSecret'> = (context) =>
  context.tenant(async (sql) => {
    const { project, database } = context;
    const made = await replaceScorerSecret(sql, database.vault, project);
    if (made === undefined) return refuse(notFound);
    const action = 'project.scorerSecretRotated';
    await recordAudit(sql, context, { action, subjectId: project.id });
    return { projectId: project.id, madeAt: made.madeAt.getTime(), secret: made.secret };
  });
