import { editEnvironment } from '@proofmark/domain';
import { insertEnvironment } from '../../storage/environments/environments.ts';
import { type Action, refuse } from '../action.ts';
import { nameTaken } from '../name-taken.ts';
import { recordAudit } from '../record-audit.ts';
import { checkReferences } from './check-references.ts';
import { presentEnvironment } from './present-environment.ts';

export const createEnvironment: Action<'createEnvironment'> = async (context, { body }) => {
  const { project } = context;
  // A new environment is an empty one after its first edit, so that one rule says what the fields become.
  const empty = {
    id: context.newId('environment'),
    projectId: project.id,
    name: body.name,
    description: null,
    hostId: body.hostId,
    serverAttachmentId: null,
    modelId: null,
    skillSelection: null,
    pluginVersionIds: null,
    sandboxImageId: null,
    revision: 0,
    archivedAt: null,
  };
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
