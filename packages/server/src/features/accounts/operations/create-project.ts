import { invalid, notFound } from '@proofmark/domain';
import * as projects from '../../../platform/accounts/store/projects.ts';
import { type Action, type ActionContext, refuse } from '../../../platform/operations/action.ts';
import { recordAudit } from '../../../platform/operations/record-audit.ts';
import { presentProject } from './present-project.ts';
import { projectNameTaken } from './project-name-taken.ts';

export const createProject: Action<'createProject'> = async (context, { body }) => {
  const { account } = context.caller;
  const draft = {
    id: context.newId('project'),
    organizationId: organizationOf(context, body.organizationId),
    name: body.name,
    description: body.description ?? null,
    icon: body.icon ?? null,
    visibility: body.visibility ?? 'public',
  };
  return context.tenant(async (sql) => {
    if ((await projects.insertProject(sql, draft, account.id)) === 'nameTaken')
      refuse(projectNameTaken);
    const where = { caller: context.caller, project: draft };
    const fields = Object.keys(body);
    await recordAudit(sql, where, {
      action: 'project.created',
      subjectId: draft.id,
      details: { fields },
    });
    const project = await projects.findProject(sql, account.id, draft.id);
    return presentProject(project as projects.ProjectMembership, 'admin');
  });
};

function organizationOf({ caller }: ActionContext, wanted: string | undefined): string {
  const [first, ...others] = caller.organizationIds;
  if (wanted === undefined && first !== undefined && others.length === 0) return first;
  if (wanted === undefined) {
    refuse(
      invalid(
        'body.organizationId',
        'You belong to several organizations; name the one for the new project.',
      ),
    );
  }
  return caller.organizationIds.includes(wanted) ? wanted : refuse(notFound);
}
