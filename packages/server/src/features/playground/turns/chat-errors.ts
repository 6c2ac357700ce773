/** What a person in the playground is told where an answer did not come: whose doing it was, and what to do next. */
import type { AttemptErrorCode } from '@proofmark/domain';
import type { PlayedTurn } from '../../../conversation/play-turn.ts';
import type { ToolResultPart } from '../../../outside/model/model-gateway.ts';
import { type ErrorLine, type ShownResult, shownToVisitor } from '../../user-testing/index.ts';

export function leftOutOfChat(name: string, needsOAuth: boolean): string {
  return needsOAuth
    ? `${name} is left out: connect it on its page first.`
    : `${name} is left out: it cannot be reached now.`;
}

/** Whoever is of the project may read why a call failed. */
export function shownToMember(output: ToolResultPart['output']): ShownResult {
  if (output.type !== 'error-text') return shownToVisitor(output);
  const content = [{ type: 'text', text: output.value }];
  return { ...shownToVisitor({ type: 'json', value: { content } }), isError: true };
}

/** Nothing where it came to its end. */
export function errorOfChat(played: PlayedTurn | undefined): ErrorLine | undefined {
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

const failures: Partial<Record<AttemptErrorCode, { code: string; message: string }>> = {
  oauth_required: {
    code: 'OAUTH_REQUIRED',
    message: 'A server needs a sign-in. Connect it on its page, then send this again.',
  },
  server_unreachable: {
    code: 'SERVER_UNREACHABLE',
    message: 'A server cannot be reached. Run the doctor on its page for the reason.',
  },
  provider_failed: {
    code: 'PROVIDER_FAILED',
    message: 'The model gave no answer, which is not the server’s doing. Send it again.',
  },
  rate_limited: {
    code: 'PROVIDER_FAILED',
    message: 'The provider of the model takes no more for now. Send it again in a moment.',
  },
  session_timeout: { code: 'TIMEOUT', message: 'This took too long, so it was ended.' },
  blocked_by_policy: { code: 'FORBIDDEN', message: 'A tool may not be used here.' },
};
