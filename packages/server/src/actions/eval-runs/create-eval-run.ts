import type { BodyOf } from '@proofmark/contract';
import { mayLaunchOwnText } from '@proofmark/domain';
import { type Action, refuse } from '../action.ts';
import { launchDependenciesOf } from './launch-dependencies-of.ts';
import { launchRun } from './launch-run.ts';

export const createEvalRun: Action<'createEvalRun'> = async (context, { body, idempotencyKey }) => {
  const { scope } = context.caller;
  if (!mayLaunchOwnText(scope)) {
    const refused = refusalOf(body);
    const details = { reason: 'KEY_SCOPE', scope };
    if (refused !== undefined) refuse({ code: 'FORBIDDEN', message: refused, details });
  }
  return launchRun(
    launchDependenciesOf(context),
    idempotencyKey === undefined ? body : { ...body, idempotencyKey },
  );
};

/** Which servers a suite is run against, and as whom, is as much a part of what was saved as its text. */
function refusalOf(body: BodyOf<'createEvalRun'>): string | undefined {
  const orFull = 'or use a key of full scope.';
  if (body.suiteId === undefined) {
    return `This API key launches saved suites alone: send a suiteId, ${orFull}`;
  }
  const named = (['serverIds', 'namedHostId', 'overlay'] as const).find(
    (field) => body[field] !== undefined,
  );
  if (named === undefined) return undefined;
  return `This API key launches suites as they are saved: leave ${named} out, ${orFull}`;
}
