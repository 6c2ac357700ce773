/** What a visitor is told where a turn did not go as they hoped. Whose doing it was is said; where anything is, is not. */
import type { AttemptErrorCode, VisitLine } from '@proofmark/domain';
import type { PlayedTurn } from '../../../conversation/play-turn.ts';

export type ErrorLine = VisitLine & { readonly type: 'error' };

export function leftOutNote(name: string, needsOAuth: boolean): string {
  return needsOAuth
    ? `${name} is left out: its owner has to connect it first.`
    : `${name} is left out: it cannot be reached now.`;
}

/** Nothing where it came to its end. */
export function errorOf(played: PlayedTurn | undefined): ErrorLine | undefined {
  if (played === undefined) return { type: 'error', ...ours };
  if (played.refused !== undefined) {
    const { code, message, details } = played.refused.refusal;
    return { type: 'error', code, message, ...(details && { details }) };
  }
  if (played.end.kind === 'completed') return undefined;
  if (played.end.kind === 'aborted') return { type: 'error', ...restarting };
  return { type: 'error', ...(failures[played.end.cause] ?? ours) };
}

const ours = { code: 'INTERNAL_ERROR', message: 'Something failed on our side; send it again.' };
const restarting = {
  code: 'INTERNAL_ERROR',
  message: 'The service is being restarted; send it again.',
};
const ofProvider = {
  code: 'PROVIDER_FAILED',
  message: 'The model gave no answer. This is not the server’s doing; send it again.',
};

const failures: Partial<Record<AttemptErrorCode, { code: string; message: string }>> = {
  oauth_required: {
    code: 'OAUTH_REQUIRED',
    message: 'A server of this assistant needs a sign-in; the owner has to connect it.',
  },
  server_unreachable: {
    code: 'SERVER_UNREACHABLE',
    message: 'A server of this assistant cannot be reached now.',
  },
  provider_failed: ofProvider,
  rate_limited: ofProvider,
  session_timeout: { code: 'TIMEOUT', message: 'This took too long, so it was ended.' },
  blocked_by_policy: { code: 'FORBIDDEN', message: 'A tool may not be used here.' },
};
