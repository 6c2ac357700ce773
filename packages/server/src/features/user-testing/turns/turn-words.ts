/**
 * Builds the message for a visitor when a turn fails. It states the cause, but reveals no location.
 */
import type { TurnErrors } from '../../turns/index.ts';

export function leftOutNote(name: string, needsOAuth: boolean): string {
  return needsOAuth
    ? `${name} is left out: its owner has to connect it first.`
    : `${name} is left out: it cannot be reached now.`;
}

const ofProvider = {
  code: 'PROVIDER_FAILED',
  message: 'The model gave no answer. The server did not cause this; send the message again.',
};

export const errorsOfVisitors: TurnErrors = {
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
};
