import { notFound } from '@proofmark/domain';
import { type Action, refuse } from '../../../../platform/operations/action.ts';
import { recordAudit } from '../../../../platform/operations/record-audit.ts';
import { replaceScorerSecret } from '../../store/scorer-secrets.ts';

export const rotateScorerSecret: Action<'rotateScorerSecret'> = (context) =>
  context.tenant(async (sql) => {
    const { project, database } = context;
    const made = await replaceScorerSecret(sql, database.vault, project);
    if (made === undefined) return refuse(notFound);
    const action = 'project.scorerSecretRotated';
    await recordAudit(sql, context, { action, subjectId: project.id });
    return { projectId: project.id, madeAt: made.madeAt.getTime(), secret: made.secret };
  });
