/**
 * Rejects inputs that an API key for saved suites may not send: inline cases, servers, a client,
 * and an overlay (replacements for listed tools). The saved suite determines them.
 */
import type { BodyOf } from '@proofmark/contract';
import { type KeyScope, mayLaunchOwnText } from '@proofmark/domain';
import { refuse } from '../../../../platform/operations/action.ts';

type Brought = Partial<
  Pick<BodyOf<'createEvalRun'>, 'suiteId' | 'serverIds' | 'namedHostId' | 'overlay'>
>;

export function refuseOwnText(scope: KeyScope, body: Brought): void {
  if (mayLaunchOwnText(scope)) return;
  const message = refusalOf(body);
  const details = { reason: 'KEY_SCOPE', scope };
  if (message !== undefined) refuse({ code: 'FORBIDDEN', message, details });
}

function refusalOf(body: Brought): string | undefined {
  const orFull = 'or use a key with full scope.';
  if (body.suiteId === undefined) {
    return `This API key can launch only saved suites; send a suiteId, ${orFull}`;
  }
  const named = (['serverIds', 'namedHostId', 'overlay'] as const).find(
    (field) => body[field] !== undefined,
  );
  if (named === undefined) return undefined;
  return `This API key can launch suites only as they are saved; remove ${named}, ${orFull}`;
}
