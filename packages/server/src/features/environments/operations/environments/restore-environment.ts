import * as rules from '@proofmark/domain';
import type { Action } from '../../../../platform/operations/action.ts';
import { findPluginVersions } from '../../store/plugins.ts';
import { changeEnvironment } from './change-environment.ts';
import { lockServers } from './lock-servers.ts';

export const restoreEnvironment: Action<'restoreEnvironment'> = async (
  context,
  { params, body },
) => {
  const write = { action: 'environment.restored', nameTaken: nameTakenMeanwhile } as const;
  return changeEnvironment(context, params.environmentId, write, async (current, sql) => {
    const pins = current.pluginVersionIds ?? [];
    const left = await findPluginVersions(sql, context.project.id, pins, 'hold');
    const ids = new Set(left.map(({ id }) => id));
    await lockServers(sql, context.project.id, current);
    return rules.restoreEnvironment(current, body.expectedRevision, ids);
  });
};

const nameTakenMeanwhile: rules.Refusal = {
  code: 'CONFLICT',
  message: 'Another environment now has this name; rename or archive it first.',
  details: { reason: 'NAME_TAKEN' },
};
