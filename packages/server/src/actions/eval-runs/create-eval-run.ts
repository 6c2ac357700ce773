import { mayLaunchOwnText } from '@proofmark/domain';
import { type Action, refuse } from '../action.ts';
import { actorOf } from '../record-audit.ts';
import { launchRun } from './launch-run.ts';

export const createEvalRun: Action<'createEvalRun'> = async (context, { body, idempotencyKey }) => {
  const { scope } = context.caller;
  if (body.suiteId === undefined && !mayLaunchOwnText(scope)) {
    return refuse({
      code: 'FORBIDDEN',
      message:
        'This API key launches saved suites alone: send a suiteId, or use a key of full scope.',
      details: { reason: 'KEY_SCOPE', scope },
    });
  }
  return launchRun(
    {
      database: context.database,
      models: context.models,
      newId: context.newId,
      stdioAddressOf: context.stdioAddressOf,
      organizationId: context.project.organizationId,
      projectId: context.project.id,
      accountId: context.caller.account.id,
      actor: actorOf(context.caller),
      source: context.surface === 'console' ? 'ui' : 'api',
      limits: context.runLimits,
      signal: context.signal,
    },
    idempotencyKey === undefined ? body : { ...body, idempotencyKey },
  );
};
