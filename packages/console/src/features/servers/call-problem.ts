/**
 * Texts for a failed call to a server: the service's message, and advice. The error's code and
 * reason decide the advice; the message is never parsed.
 */
import { ApiError } from '@proofmark/client';

export interface CallProblem {
  readonly title: string;
  readonly message: string;
  readonly advice: string;
  /** Whether the server works and only lacks this capability. */
  readonly isAbsence: boolean;
  readonly needsTokens: boolean;
}

export function callProblem(error: Error): CallProblem {
  const plain = { message: error.message, isAbsence: false, needsTokens: false };
  if (!(error instanceof ApiError)) {
    return { ...plain, title: 'The service did not answer', advice: 'Try again.' };
  }
  switch (error.code) {
    case 'OAUTH_REQUIRED':
      return {
        ...plain,
        title: 'This server needs an OAuth grant',
        advice:
          'Get tokens for it with a client of your own and store them here with the command below. They are sealed, sent with every call and refreshed.',
        needsTokens: true,
      };
    case 'TIMEOUT':
      return {
        ...plain,
        title: 'The server did not answer in time',
        advice: 'Look whether it hangs, or give it more time in its settings.',
      };
    case 'FEATURE_NOT_SUPPORTED':
      return {
        ...plain,
        title: 'This server does not offer this',
        advice: 'It says so itself in its capabilities.',
        isAbsence: true,
      };
    case 'SERVER_UNREACHABLE': {
      const { reason, cause } = error.details;
      const [title, advice] =
        reasonWords.get(String(reason === 'CONNECT_FAILED' ? cause : reason)) ?? unreachable;
      return { ...plain, title, advice };
    }
    case 'FORBIDDEN':
      return error.details['reason'] === 'CREDENTIALS_REJECTED'
        ? {
            ...plain,
            title: 'The server refused the stored credentials',
            advice: 'Replace the headers or the tokens that are stored for it.',
          }
        : { ...plain, title: 'You may not do this', advice: 'Ask an admin of the project.' };
    case 'VALIDATION_ERROR':
      return error.details['reason'] === 'INVALID_PARAMS'
        ? {
            ...plain,
            title: 'The server refused the arguments',
            advice: 'Compare them with the schema, or send them anew.',
          }
        : { ...plain, title: 'The request is not valid', advice: 'Correct it and send it again.' };
    case 'NOT_FOUND':
      return error.details['reason'] === 'RESOURCE_NOT_FOUND'
        ? {
            ...plain,
            title: 'The server does not have this',
            advice: 'Take an address from its lists.',
          }
        : {
            ...plain,
            title: 'This is no longer saved here',
            advice: 'Look at the servers of the project; somebody may have deleted it.',
          };
    default:
      return { ...plain, title: 'The call failed', advice: 'Try again.' };
  }
}

const unreachable = [
  'The server could not be reached',
  'Check that it runs and that its address is right.',
] as const;

const reasonWords = new Map<string, readonly [title: string, advice: string]>(
  Object.entries({
    UNREACHABLE: unreachable,
    TLS: [
      'The secure connection to the server failed',
      'Check its certificate: its name, its date and who signed it.',
    ],
    EGRESS_BLOCKED: [
      'The service may not call this address',
      'Use a public address, or ask the operator to allow this one.',
    ],
    RESPONSE_TOO_LARGE: [
      'The server’s answer is too large',
      'Ask for less, or let the server cut its lists into pages.',
    ],
    INVALID_RESPONSE: [
      'The server’s answer is not MCP',
      'Check the path of its address; the doctor says what came back instead.',
    ],
    TARGET_RATE_LIMITED: ['The server asks to wait', 'Try again a little later.'],
    SERVER_ERROR: ['The server answered with an error', 'Look at the server’s own log.'],
  }),
);
