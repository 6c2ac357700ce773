import { mayLaunchOwnText } from '@proofmark/domain';
import type { Action } from '../../../../platform/operations/action.ts';
import type { EvalsParts } from '../../evals-context.ts';
import { launchDependenciesOf } from './launch-dependencies-of.ts';
import { launchRun } from './launch-run.ts';

export const rerunEvalRun: Action<'rerunEvalRun', EvalsParts> = (
  context,
  { params, body, idempotencyKey },
) => {
  const { scope, ...stated } = body;
  return launchRun(
    { ...launchDependenciesOf(context), savedOnly: !mayLaunchOwnText(context.caller.scope) },
    {
      ...stated,
      ...(idempotencyKey !== undefined && { idempotencyKey }),
      rerunOf: { runId: params.runId, scope },
    },
  );
};
