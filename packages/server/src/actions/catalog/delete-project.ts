import * as projects from '../../storage/projects.ts';
import { type Action, refuse } from '../action.ts';

export const deleteProject: Action<'deleteProject'> = async (context) => {
  const { project } = context;
  if (project.isDefault) {
    refuse({
      code: 'CONFLICT',
      message: 'The Default project of an organization cannot be deleted.',
      details: { reason: 'DEFAULT_PROJECT' },
    });
  }
  await context.tenant((sql) => projects.deleteProject(sql, project.id));
  return { id: project.id, deleted: true };
};
