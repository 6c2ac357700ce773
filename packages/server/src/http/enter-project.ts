/** Another organization's project is not found; one's own without the tier is forbidden. */
import type { Operation } from '@proofmark/contract';
import { notFound, type ProjectTier, projectTier, Refused, tierAllows } from '@proofmark/domain';
import type { ActionContext, ProjectContext } from '../actions/action.ts';
import type { AuthenticatedCaller } from './authenticated-caller.ts';

export function enterProject(
  context: ActionContext,
  { project, runRevision, epoch }: Pick<AuthenticatedCaller, 'project' | 'runRevision' | 'epoch'>,
  needed: ProjectTier,
): ProjectContext {
  if (project === undefined) throw new Refused(notFound);
  const tier = projectTier(project);
  if (tier === undefined || !tierAllows(tier, needed)) {
    const message =
      tier === undefined
        ? 'You have no access to this project.'
        : `This needs the ${needed} tier of the project; yours is ${tier}.`;
    throw new Refused({ code: 'FORBIDDEN', message });
  }
  return { ...context, project: { ...project, tier }, runRevision, epoch };
}

export function isTier(access: Operation['access']): access is ProjectTier {
  return access !== 'account' && access !== 'anonymous';
}
