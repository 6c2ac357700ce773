import { notFound, projectTier } from '@proofmark/domain';
import * as projects from '../../../platform/accounts/store/projects.ts';
import { type Action, presentPage, refuse } from '../../../platform/operations/action.ts';
import { presentProject } from './present-project.ts';

export const listProjects: Action<'listProjects'> = async (context, { query, page }) => {
  const { account, organizationIds } = context.caller;
  if (query.organizationId !== undefined && !organizationIds.includes(query.organizationId)) {
    refuse(notFound);
  }
  const filter = {
    organizationIds: query.organizationId === undefined ? organizationIds : [query.organizationId],
  };
  const found = await context.tenant((sql) => projects.readProjects(sql, account.id, filter, page));
  return presentPage(found, (project) => presentProject(project, projectTier(project) ?? 'member'));
};
