/**
 * The path contains no project, so this code checks whether the caller may read the plugin's
 * project.
 */
import { notFound, projectTier } from '@proofmark/domain';
import { findProject } from '../../../../platform/accounts/store/projects.ts';
import { type Action, refuse } from '../../../../platform/operations/action.ts';
import { findPluginVersion } from '../../store/plugins.ts';
import { presentPluginVersion } from './present-plugin-version.ts';

export const getPluginVersion: Action<'getPluginVersion'> = async (context, { params }) =>
  context.tenant(async (sql) => {
    const version = await findPluginVersion(sql, params.pluginVersionId);
    if (version === undefined) return refuse(notFound);
    const project = await findProject(sql, context.caller.account.id, version.projectId);
    if (project === undefined || projectTier(project) === undefined) refuse(notFound);
    return presentPluginVersion(version);
  });
