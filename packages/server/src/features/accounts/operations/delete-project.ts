import * as projects from '../../../platform/accounts/store/projects.ts';
import { type Action, refuse } from '../../../platform/operations/action.ts';
import { recordAudit } from '../../../platform/operations/record-audit.ts';
import { holdsOperatorServers } from '../../servers/index.ts';

export const deleteProject: Action<'deleteProject'> = async (context) => {
  const { project } = context;
  if (project.isDefault) {
    refuse({
      code: 'CONFLICT',
      message: 'The Default project of an organization cannot be deleted.',
      details: { reason: 'DEFAULT_PROJECT' },
    });
  }
  await context.tenant(async (sql) => {
    if (await holdsOperatorServers(sql, project.id)) {
      refuse({
        code: 'CONFLICT',
        message:
          'This project contains a stdio server from the operator’s configuration file, so it cannot be deleted.',
        details: { reason: 'OPERATOR_MANAGED' },
      });
    }
    await projects.lockProject(sql, project.id);
    if (await projects.hasOpenRun(sql, project.id)) {
      refuse({
        code: 'CONFLICT',
        message: 'A run of this project has not ended; wait for it or cancel it first.',
        details: { reason: 'RUN_IN_PROGRESS' },
      });
    }
    if ((await projects.removeProject(sql, project.id)) === 'deleted')
      await recordAudit(sql, context, { action: 'project.deleted', subjectId: project.id });
  });
  return { id: project.id, deleted: true };
};
