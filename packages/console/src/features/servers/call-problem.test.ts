import { ApiError, ConnectionError } from '@proofmark/client';
import { describe, expect, test } from 'vitest';
import { callProblem } from './call-problem.ts';

const problem = (code: string, reason?: string, cause?: string) =>
  callProblem(
    new ApiError(
      500,
      { code, message: 'As the service says it.', details: { reason, cause } } as never,
      undefined,
    ),
  );

describe('a failed call in words', () => {
  test.each([
    ['OAUTH_REQUIRED', undefined, /OAuth grant/],
    ['TIMEOUT', undefined, /in time/],
    ['FEATURE_NOT_SUPPORTED', undefined, /does not offer/],
    ['SERVER_UNREACHABLE', 'EGRESS_BLOCKED', /may not call/],
    ['SERVER_UNREACHABLE', 'RESPONSE_TOO_LARGE', /too large/],
    ['SERVER_UNREACHABLE', 'INVALID_RESPONSE', /not MCP/],
    ['SERVER_UNREACHABLE', 'a reason of later', /could not be reached/],
    ['SERVER_UNREACHABLE', 'constructor', /could not be reached/],
    ['FORBIDDEN', 'CREDENTIALS_REJECTED', /refused the stored credentials/],
    ['FORBIDDEN', undefined, /may not/],
    ['VALIDATION_ERROR', 'INVALID_PARAMS', /refused the arguments/],
    ['SOMETHING_NEW', undefined, /failed/],
  ])('%s %s', (code, reason, title) => {
    const shown = problem(code, reason);
    expect(shown.title).toMatch(title);
    expect(shown.message).toBe('As the service says it.');
    expect(shown.advice).toMatch(/^[A-Z].*\.$/);
  });

  test('where nothing came back, the cause decides', () => {
    const shown = problem('SERVER_UNREACHABLE', 'CONNECT_FAILED', 'TLS');
    expect(shown.title).toMatch(/secure connection/);
    expect(problem('SERVER_UNREACHABLE', 'CONNECT_FAILED').title).toMatch(/could not be reached/);
    expect(problem('NOT_FOUND', 'RESOURCE_NOT_FOUND').title).toMatch(/does not have/);
    expect(problem('NOT_FOUND').title).toMatch(/no longer saved here/);
  });

  test('only a missing grant asks for tokens, and only a missing feature is no failure', () => {
    expect(problem('OAUTH_REQUIRED').needsTokens).toBe(true);
    expect(problem('TIMEOUT').needsTokens).toBe(false);
    expect(problem('FEATURE_NOT_SUPPORTED').isAbsence).toBe(true);
    expect(problem('OAUTH_REQUIRED').isAbsence).toBe(false);
  });

  test('the service itself may be away', () => {
    const away = callProblem(new ConnectionError('http://127.0.0.1:1/', undefined));
    expect(away.title).toBe('The service did not answer');
  });
});
