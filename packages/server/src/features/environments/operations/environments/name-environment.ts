import * as rules from '@proofmark/domain';
import type { Action } from '../../../../platform/operations/action.ts';
import { changeEnvironment } from './change-environment.ts';

export const nameEnvironment: Action<'nameEnvironment'> = async (context, { params, body }) => {
  const { expectedRevision: _revision, ...given } = body;
  const write = { action: 'environment.updated', fields: Object.keys(given) } as const;
  return changeEnvironment(context, params.environmentId, write, (current) =>
    rules.nameEnvironment(current, body),
  );
};
