import * as projects from '../../storage/projects.ts';
import { type Action, refuse } from '../action.ts';
import { presentProject } from './present-project.ts';
import { projectNameTaken } from './project-name-taken.ts';

export const updateProject: Action<'updateProject'> = async (context, { body }) => {
  const { project, caller } = context;
  return context.tenant(async (sql) => {
    if ((await projects.updateProject(sql, project.id, body)) === 'nameTaken')
      refuse(projectNameTaken);
    const updated = await projects.findProject(sql, caller.account.id, project.id);
    return presentProject(updated ?? project, project.tier);
  });
};
