/**
 * Returns advice for the result of examining a server: one sentence, always the same for the same
 * problem. The first matching rule wins, so more specific rules come first.
 */
export interface DoctorTrouble {
  readonly code: string;
  readonly reason?: string | undefined;
  readonly status?: number | undefined;
  /** The error code of the operating system or the TLS library. */
  readonly systemCode?: string | undefined;
  readonly isHtml?: boolean | undefined;
  readonly isRedirected?: boolean | undefined;
}

export function advise(trouble: DoctorTrouble): string {
  for (const rule of rules) {
    if (rule.fits(trouble)) return rule.advice;
  }
  return 'Read what the server wrote about this call, and try again.';
}

export const olderTransportAdvice =
  'The server only speaks the older SSE transport, which works; Streamable HTTP at this URL would be faster.';

interface Rule {
  readonly advice: string;
  fits(trouble: DoctorTrouble): boolean;
}

const rules: readonly Rule[] = [
  {
    advice:
      'Get an OAuth grant for this server and import its tokens, or correct the Authorization header that is saved for it.',
    fits: (trouble) => trouble.code === 'OAUTH_REQUIRED',
  },
  {
    advice: 'Check the saved headers or tokens: the server recognizes them but denies access.',
    fits: (trouble) => trouble.code === 'FORBIDDEN',
  },
  {
    advice:
      'Save the final address of the server: Proofmark does not follow redirects to another origin.',
    fits: (trouble) => trouble.isRedirected === true,
  },
  {
    advice: 'Use a public address, or ask the operator of this service to allow the host.',
    fits: (trouble) => trouble.reason === 'EGRESS_BLOCKED',
  },
  {
    advice:
      'Make the server present a certificate that is valid for its host name and not expired.',
    fits: (trouble) => trouble.reason === 'TLS',
  },
  {
    advice: 'Check the host name: it cannot be resolved.',
    fits: (trouble) => ['ENOTFOUND', 'EAI_AGAIN', 'ENODATA'].includes(trouble.systemCode ?? ''),
  },
  {
    advice: 'Start the server or correct the port: nothing listens there.',
    fits: (trouble) => trouble.systemCode === 'ECONNREFUSED',
  },
  {
    advice: 'Check firewalls and the address: the connection timed out.',
    fits: (trouble) =>
      ['UND_ERR_CONNECT_TIMEOUT', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH'].includes(
        trouble.systemCode ?? '',
      ),
  },
  {
    advice:
      'Correct the command: the operator’s configuration names a program that does not exist.',
    fits: (trouble) => trouble.reason === 'COMMAND_NOT_FOUND',
  },
  {
    advice: 'Check that the operator’s configuration names a program that this service may run.',
    fits: (trouble) => trouble.reason === 'COMMAND_FAILED',
  },
  {
    advice: 'Wait and try again: the server limits the rate of calls.',
    fits: (trouble) => trouble.reason === 'TARGET_RATE_LIMITED',
  },
  {
    advice:
      'Use a server that speaks a published version of MCP: this one needs an unknown version.',
    fits: (trouble) => trouble.reason === 'PROTOCOL_VERSION',
  },
  {
    advice:
      'Correct the path of the URL, often /mcp or /sse: the server has no endpoint at this one.',
    fits: (trouble) => trouble.status === 404 || trouble.status === 405 || trouble.status === 410,
  },
  {
    advice: 'Point the URL at the MCP endpoint: this one serves pages for people, not MCP.',
    fits: (trouble) => trouble.isHtml === true,
  },
  {
    advice: 'Look into the logs of the server: it failed while answering.',
    fits: (trouble) => (trouble.status ?? 0) >= 500,
  },
  {
    advice:
      'Make the server send smaller answers, in pages or in parts, or raise maxMessageMiB of the saved server if one message is too large.',
    fits: (trouble) => trouble.reason === 'RESPONSE_TOO_LARGE',
  },
  {
    advice: 'Find out why the server is silent, or allow it more time.',
    fits: (trouble) => trouble.code === 'TIMEOUT',
  },
  {
    advice: 'Find out why the server ends the connection before it answers.',
    fits: (trouble) => trouble.reason === 'CONNECTION_CLOSED',
  },
  {
    advice: 'Check that the URL is the MCP endpoint and that the server follows the protocol.',
    fits: (trouble) => trouble.reason === 'INVALID_RESPONSE' || trouble.reason === 'HTTP_ERROR',
  },
  {
    advice: 'Check that the server runs and that its address is right.',
    fits: (trouble) => trouble.reason === 'UNREACHABLE',
  },
];
