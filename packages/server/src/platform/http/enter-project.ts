/**
 * Decides whether a caller may enter a project. A project of another organization counts as not
 * found. A caller without the needed tier gets "forbidden".
 */
import type { Operation } from '@proofmark/contract';
import {
  featureIsOff,
  notFound,
  type OrganizationFeature,
  type ProjectTier,
  projectTier,
  Refused,
  tierAllows,
} from '@proofmark/domain';
import { readFeatures } from '../accounts/store/organizations.ts';
import type { ActionContext, ProjectContext } from '../operations/action.ts';
import type { AuthenticatedCaller } from './authenticated-caller.ts';
import type { HttpOptions } from './http-options.ts';

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

/**
 * Rejects the request if the feature is switched off. This runs before the input is read, so that
 * the caller gets this error even if the input is invalid.
 */
export async function requireFeature(
  { database }: Pick<HttpOptions, 'database'>,
  context: ActionContext | ProjectContext,
  feature: OrganizationFeature,
): Promise<void> {
  if (!('project' in context))
    throw new Error('Internal fault: an operation outside a project needs a feature.');
  const on = await readFeatures(database, context.project.organizationId);
  if (!(feature === 'swarms' ? on.swarms : on.userTesting))
    throw new Refused(featureIsOff(feature));
}

export function isTier(access: Operation['access']): access is ProjectTier {
  return access !== 'account' && access !== 'anonymous' && access !== 'visitor';
}
