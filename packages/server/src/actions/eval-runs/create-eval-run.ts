import type { Action } from '../action.ts';
import { actorOf } from '../record-audit.ts';
import { launchRun } from './launch-run.ts';

export const createEvalRun: Action<'createEvalRun'> = (context, { body, idempotencyKey }) =>
  launchRun(
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
