import { invalid, misleadingName, providerAddress, type Refusal } from '@proofmark/domain';
import { type Action, refuse, refuseIf } from '../../../platform/operations/action.ts';
import { actorOf } from '../../../platform/operations/record-audit.ts';
import type { ModelsParts } from '../models-context.ts';
import { listProviders } from '../store/model-providers.ts';
import { namesInFile } from './models-of.ts';
import { presentProvider } from './present-provider.ts';
import { requireOwner } from './require-owner.ts';
import { changedMeanwhile, writeProvider } from './write-provider.ts';

export const setModelProvider: Action<'setModelProvider', ModelsParts> = (
  context,
  { params, body },
) =>
  requireOwner(context, params.organizationId, async (sql) => {
    const { organizationId, providerName: name } = params;
    const { vault } = context.database;
    const { expectedRevision, ...edit } = body;
    const all = await listProviders(sql, vault, organizationId);
    const isOperators =
      namesInFile(context.models).includes(name) ||
      all.some((one) => one.name === name && one.organizationId === null);
    const written = await writeProvider(
      { sql, vault, actor: actorOf(context.caller), organizationId, name },
      context.newId('modelProvider'),
      (stored) => {
        if ((stored?.revision ?? 0) !== expectedRevision) refuse(changedMeanwhile);
        if (stored !== undefined) return edit;
        if (isOperators) refuse(takenByOperator);
        const own = all.filter((one) => one.organizationId !== null);
        if (own.length >= mostProviders) refuse(tooMany);
        return edit;
      },
      (definition) => {
        refuseIf(misleadingName(name, definition));
        const address = providerAddress(definition.kind, definition.baseUrl);
        if (address === null || context.mayReach(address)) return;
        const message =
          'The service is not allowed to call this address; use a public address, or ask the operator to allow it.';
        refuse(invalid('body.baseUrl', message, { reason: 'EGRESS_BLOCKED' }));
      },
    );
    return presentProvider(written, !isOperators);
  });

const mostProviders = 100;

const takenByOperator: Refusal = {
  code: 'CONFLICT',
  message: 'The operator already has a provider with this name; choose another name.',
  details: { reason: 'NAME_OF_OPERATOR' },
};

const tooMany: Refusal = {
  code: 'CONFLICT',
  message: `An organization has at most ${mostProviders} providers; delete one first.`,
  details: { reason: 'TOO_MANY_PROVIDERS' },
};
