import { editEnvironment } from '@proofmark/domain';
import type { Action } from '../../../../platform/operations/action.ts';
import { changeEnvironment } from './change-environment.ts';
import { checkReferences } from './check-references.ts';

export const updateEnvironment: Action<'updateEnvironment'> = async (context, { params, body }) => {
  const fields = Object.keys(body).filter((field) => field !== 'expectedRevision');
  const write = { action: 'environment.updated', fields } as const;
  return changeEnvironment(context, params.environmentId, write, async (current, sql) => {
    const decision = editEnvironment(current, body);
    if ('environment' in decision) await checkReferences(sql, context.project.id, body);
    return decision;
  });
};
