import type { Action } from '../../../../platform/operations/action.ts';
import type { EvalsParts } from '../../evals-context.ts';
import { launchDependenciesOf } from './launch-dependencies-of.ts';
import { launchRun } from './launch-run.ts';
import { refuseOwnText } from './refuse-own-text.ts';

export const createEvalRun: Action<'createEvalRun', EvalsParts> = async (
  context,
  { body, idempotencyKey },
) => {
  refuseOwnText(context.caller.scope, body);
  return launchRun(
    launchDependenciesOf(context),
    idempotencyKey === undefined ? body : { ...body, idempotencyKey },
  );
};
