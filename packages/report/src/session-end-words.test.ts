import { type AttemptErrorCode, attemptEnds } from '@proofmark/domain';
import { expect, test } from 'vitest';
import { doerOfSessionEnd, doingSentence, sessionEndWords } from './session-end-words.ts';

const codes = Object.keys(attemptEnds) as AttemptErrorCode[];

test('every way to end a session before its end has somebody whose doing it was', () => {
  const doers = codes.map((errorCode) => {
    const { status } = attemptEnds[errorCode];
    return [errorCode, doerOfSessionEnd({ status, errorCode })];
  });
  expect(Object.fromEntries(doers)).toEqual({
    server_unreachable: 'setup',
    oauth_required: 'setup',
    blocked_by_policy: 'policy',
    rate_limited: 'provider',
    provider_failed: 'provider',
    persona_driver_failed: 'simulatedUser',
    spend_cap_exceeded: 'credits',
    session_timeout: 'timedOut',
    run_timeout: 'timedOut',
    canceled: 'canceled',
    stale_runner: 'ours',
    runner_failed: 'ours',
  });
});

test('one that was played or goes on was nobody’s doing', () => {
  for (const status of ['pending', 'running', 'succeeded']) {
    expect(doerOfSessionEnd({ status, errorCode: null })).toBeUndefined();
  }
});

test('it is said that such a session is in no rate', () => {
  expect(doingSentence('simulatedUser')).toBe(
    'Not graded, and not counted in any rate. Cause: the model that plays the user, not the server.',
  );
  expect(sessionEndWords.setup).toBe('set-up');
});
