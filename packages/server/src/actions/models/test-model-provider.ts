import { invalid, notFound } from '@proofmark/domain';
import { type Action, refuse } from '../action.ts';
import { asOwner } from './as-owner.ts';
import { modelsOf } from './models-of.ts';
import { tryProvider } from './try-provider.ts';

/** Of the provider that counts under this name; nothing is held while it is asked. */
export const testModelProvider: Action<'testModelProvider'> = async (context, { params, body }) => {
  const { organizationId, providerName: name } = params;
  const { models, saved } = await asOwner(context, organizationId, (sql) =>
    modelsOf(sql, context, organizationId),
  );
  try {
    const configured = [...models.configured, ...saved].find((one) => one.name === name);
    const [first] = (configured ?? refuse(notFound)).models;
    const model = body.model ?? first?.name;
    if (model === undefined) {
      return refuse(invalid('body.model', 'This provider offers no model; name one to ask.'));
    }
    return await tryProvider(models, name, model, context.signal);
  } finally {
    if (models !== context.models) await models.close();
  }
};
