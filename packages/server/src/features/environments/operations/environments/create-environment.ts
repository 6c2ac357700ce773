import { editEnvironment } from '@proofmark/domain';
import { type Action, refuse } from '../../../../platform/operations/action.ts';
import { nameTaken } from '../../../../platform/operations/name-taken.ts';
import { recordAudit } from '../../../../platform/operations/record-audit.ts';
import { insertEnvironment } from '../../store/environments.ts';
import { checkReferences } from './check-references.ts';
import { emptyEnvironment } from './empty-environment.ts';
import { presentEnvironment } from './present-environment.ts';

export const createEnvironment: Action<'createEnvironment'> = async (context, { body }) => {
  const { project } = context;
  const empty = emptyEnvironment(context, { name: body.name, hostId: body.hostId });
  const first = editEnvironment(empty, { ...body, expectedRevision: empty.revision });
  if ('refusal' in first) return refuse(first.refusal);
  return context.tenant(async (sql) => {
    await checkReferences(sql, project.id, body);
    const stored = await insertEnvironment(sql, project.organizationId, first.environment);
    if (stored === 'nameTaken') return refuse(nameTaken('environment'));
    await recordAudit(sql, context, {
      action: 'environment.created',
      subjectId: stored.id,
      details: { fields: Object.keys(body) },
    });
    return presentEnvironment(stored);
  });
};
