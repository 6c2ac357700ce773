/** Another organization's project is not found; one's own without the tier is forbidden. */
import { notFound, type ProjectTier, projectTier, Refused, tierAllows } from '@proofmark/domain';
import type { ActionContext, ProjectContext } from '../actions/action.ts';
import { findProject } from '../storage/projects.ts';

export async function enterProject(
  context: ActionContext,
  projectId: string,
  needed: ProjectTier,
): Promise<ProjectContext> {
  const project = await context.tenant((sql) =>
    findProject(sql, context.caller.account.id, projectId),
  );
  if (project === undefined) throw new Refused(notFound);
  const tier = projectTier(project);
  if (tier === undefined || !tierAllows(tier, needed)) {
    const message =
      tier === undefined
        ? 'You have no access to this project.'
        : `This needs the ${needed} tier of the project; yours is ${tier}.`;
    throw new Refused({ code: 'FORBIDDEN', message });
  }
  return { ...context, project: { ...project, tier } };
}
