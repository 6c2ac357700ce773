import { notFound } from '@proofmark/domain';
import * as projects from '../../../platform/accounts/store/projects.ts';
import { type Action, refuse } from '../../../platform/operations/action.ts';
import { recordAudit } from '../../../platform/operations/record-audit.ts';
import { presentProject } from './present-project.ts';
import { projectNameTaken } from './project-name-taken.ts';

export const updateProject: Action<'updateProject'> = async (context, { body }) => {
  const { project, caller } = context;
  return context.tenant(async (sql) => {
    const change = await projects.saveProject(sql, project.id, body);
    if (change === 'nameTaken') refuse(projectNameTaken);
    if (change === 'updated') {
      const fields = Object.keys(body);
      await recordAudit(sql, context, {
        action: 'project.updated',
        subjectId: project.id,
        details: { fields },
      });
    }
    const updated = await projects.findProject(sql, caller.account.id, project.id);
    if (updated === undefined) return refuse(notFound);
    return presentProject(updated, project.tier);
  });
};
