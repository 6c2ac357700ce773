import { expect, test } from 'vitest';
import { isTransientFailure } from './is-transient-failure.ts';

const failure = (code: unknown) => Object.assign(new Error('no'), { code });

test.each([
  'CONNECTION_CLOSED',
  'CONNECTION_ENDED',
  'CONNECT_TIMEOUT',
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EPIPE',
  '08006',
  '40P01',
  '53300',
  '57P01',
  '57P03',
  '25006',
])('%s may pass', (code) => expect(isTransientFailure(failure(code))).toBe(true));

test.each(['22021', '22P05', '23505', '42501', 'ERR_INVALID_ARG_TYPE', '', 7, undefined])(
  '%s stays as it is',
  (code) => expect(isTransientFailure(failure(code))).toBe(false),
);

test('what is no error of the database does not pass', () => {
  for (const thrown of [new TypeError('x'), 'text', null, undefined]) {
    expect(isTransientFailure(thrown)).toBe(false);
  }
});
