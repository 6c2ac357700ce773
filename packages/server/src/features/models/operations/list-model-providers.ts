import { savedInForce } from '@proofmark/domain';
import type { Action } from '../../../platform/operations/action.ts';
import type { ModelsParts } from '../models-context.ts';
import { listProviders } from '../store/model-providers.ts';
import { namesInFile } from './models-of.ts';
import { presentConfigured, presentProvider } from './present-provider.ts';
import { requireOwner } from './require-owner.ts';

export const listModelProviders: Action<'listModelProviders', ModelsParts> = (
  context,
  { params },
) =>
  requireOwner(context, params.organizationId, async (sql) => {
    const { database, models } = context;
    const saved = await listProviders(sql, database.vault, params.organizationId);
    const inForce = savedInForce(namesInFile(models), saved);
    const items = [
      ...models.configured.map(presentConfigured),
      ...saved.map((one) => presentProvider(one, inForce.includes(one))),
    ];
    return { items: items.sort((one, other) => (one.name < other.name ? -1 : 1)) };
  });
