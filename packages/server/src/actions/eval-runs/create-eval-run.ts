import { mayLaunchOwnText } from '@proofmark/domain';
import { type Action, refuse } from '../action.ts';
import { launchDependenciesOf } from './launch-dependencies-of.ts';
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
    launchDependenciesOf(context),
    idempotencyKey === undefined ? body : { ...body, idempotencyKey },
  );
};
