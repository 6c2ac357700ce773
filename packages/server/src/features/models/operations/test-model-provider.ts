import { randomUUID } from 'node:crypto';
import { invalid, notFound } from '@proofmark/domain';
import { type Action, refuse } from '../../../platform/operations/action.ts';
import { brake } from '../../../platform/spending/brake.ts';
import { payingModels } from '../../../platform/spending/paying-models.ts';
import type { ModelsParts } from '../models-context.ts';
import { modelsOf } from './models-of.ts';
import { requireOwner } from './require-owner.ts';
import { tryProvider } from './try-provider.ts';

/**
 * Tests the provider that this name means for the caller's organization. No lock is held during the
 * model call. The call is recorded like any other, and on the operator's key it counts towards the
 * credit limit.
 */
export const testModelProvider: Action<'testModelProvider', ModelsParts> = async (
  context,
  { params, body },
) => {
  const { organizationId, providerName: name } = params;
  const { models, saved } = await requireOwner(context, organizationId, (sql) =>
    modelsOf(sql, context, organizationId),
  );
  try {
    const own = saved.find((one) => one.name === name && one.organizationId !== null);
    const provider = own ?? [...models.configured, ...saved].find((one) => one.name === name);
    const offered = (provider ?? refuse(notFound)).models.map((one) => one.name);
    const model = body.model ?? offered[0];
    if (model === undefined) {
      return refuse(
        invalid('body.model', 'This provider lists no models; name the model to test.'),
      );
    }
    // A model that the operator does not offer is rejected, because it would be called on the
    // operator's key.
    if (own === undefined && !offered.includes(model)) {
      const message =
        'This provider belongs to the operator, so only the models that it offers can be tested.';
      return refuse(invalid('body.model', message));
    }
    const { database, spending } = context;
    await brake({ database, spending, project: { organizationId } }, 'providerTest');
    const paying = payingModels(models, {
      database,
      creditsPerDay: spending.limits.creditsPerDay,
      place: { organizationId, projectId: null },
      kind: 'provider_test',
      ref: randomUUID(),
    });
    return await tryProvider(paying, name, model, context.signal);
  } finally {
    if (models !== context.models) await models.close();
  }
};
