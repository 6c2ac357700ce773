/**
 * Builds the error line of a failed turn. The message names the cause; `errors` replaces it where
 * the person can do something.
 */
import type { AttemptErrorCode, VisitLine } from '@proofmark/domain';
import type { PlayedTurn } from '../../conversation/play-turn.ts';

export type ErrorLine = VisitLine & { readonly type: 'error' };

export type TurnErrors = Partial<
  Record<AttemptErrorCode, { readonly code: string; readonly message: string }>
>;

/** Returns undefined if the turn was completed. */
export function errorOfTurn(
  played: PlayedTurn | undefined,
  errors: TurnErrors,
): ErrorLine | undefined {
  if (played === undefined) return { type: 'error', ...ours };
  if (played.refused !== undefined) {
    const { code, message, details } = played.refused.refusal;
    return { type: 'error', code, message, ...(details && { details }) };
  }
  if (played.end.kind === 'completed') return undefined;
  if (played.end.kind === 'aborted') return { type: 'error', ...restarting };
  return { type: 'error', ...(errors[played.end.cause] ?? common[played.end.cause] ?? ours) };
}

const ours = {
  code: 'INTERNAL_ERROR',
  message: 'The service itself failed; send the message again.',
};
const restarting = {
  code: 'INTERNAL_ERROR',
  message: 'The service is being restarted; send the message again.',
};

const common: TurnErrors = {
  session_timeout: { code: 'TIMEOUT', message: 'The turn took too long and was stopped.' },
  blocked_by_policy: {
    code: 'FORBIDDEN',
    message: 'The turn was stopped, because a policy does not allow a tool that the model called.',
  },
};
