/**
 * Builds the error that a person in the playground sees instead of an answer: its cause, and the
 * next action.
 */
import type { ToolResultPart } from '../../../outside/model/model-gateway.ts';
import { type ShownResult, shownToVisitor, type TurnErrors } from '../../turns/index.ts';

export function leftOutOfChat(name: string, needsOAuth: boolean): string {
  return needsOAuth
    ? `${name} is left out: connect it on its page first.`
    : `${name} is left out: it cannot be reached now.`;
}

/** Members of the project may see the reason of a failed call. */
export function shownToMember(output: ToolResultPart['output']): ShownResult {
  if (output.type !== 'error-text') return shownToVisitor(output);
  const content = [{ type: 'text', text: output.value }];
  return { ...shownToVisitor({ type: 'json', value: { content } }), isError: true };
}

export const errorsOfChat: TurnErrors = {
  oauth_required: {
    code: 'OAUTH_REQUIRED',
    message: 'A server needs a sign-in. Connect it on its page, then send the message again.',
  },
  server_unreachable: {
    code: 'SERVER_UNREACHABLE',
    message: 'A server cannot be reached. Run the doctor on its page for the reason.',
  },
  provider_failed: {
    code: 'PROVIDER_FAILED',
    message: 'The model gave no answer. The server did not cause this. Send the message again.',
  },
  rate_limited: {
    code: 'PROVIDER_FAILED',
    message:
      'The provider of the model accepts no more requests for now. Send the message again in a moment.',
  },
};
