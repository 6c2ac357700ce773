import { notFound } from '@proofmark/domain';
import { type Action, refuse } from '../../../platform/operations/action.ts';
import { actorOf } from '../../../platform/operations/record-audit.ts';
import { requireOwner } from './require-owner.ts';
import { removeProvider } from './write-provider.ts';

export const deleteModelProvider: Action<'deleteModelProvider'> = (context, { params }) =>
  requireOwner(context, params.organizationId, async (sql) => {
    const { organizationId, providerName: name } = params;
    const { vault } = context.database;
    const actor = actorOf(context.caller);
    if (!(await removeProvider({ sql, vault, actor, organizationId, name }))) refuse(notFound);
    return { name, deleted: true };
  });
