import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Attribution, SetupSignal } from '../chain/trial-evidence.ts';
import {
  attributeFailure,
  type FailureFacts,
  foldSignals,
  isConnectFailure,
  isOurLimit,
  isRefusal,
  mcpErrorOf,
  wasAnswered,
} from './attribute-failure.ts';

const down = { code: 'SERVER_UNREACHABLE', reason: 'UNREACHABLE' };
const closed = { code: 'SERVER_UNREACHABLE', reason: 'CONNECTION_CLOSED' };
const answer = (reason: string, more: object = {}) => ({ ...down, reason, ...more });
const ours = (code: number) => ({ code, origin: 'ours' });
const theirs = (code: number) => ({ code, origin: 'theirs' });

test.each<[string, FailureFacts, Attribution, object | undefined, 'connect' | undefined]>([
  ['a name nobody knows', { ...down, systemCode: 'ENOTFOUND' }, 'ours', ours(-32000), 'connect'],
  [
    'a name server that is away',
    { ...down, systemCode: 'EAI_AGAIN' },
    'ours',
    ours(-32000),
    'connect',
  ],
  ['a forbidden address', answer('EGRESS_BLOCKED'), 'ours', ours(-32000), 'connect'],
  ['a command nobody has', answer('COMMAND_NOT_FOUND'), 'ours', ours(-32000), 'connect'],
  ['a command that cannot start', answer('COMMAND_FAILED'), 'ours', ours(-32000), 'connect'],
  [
    'a version of the protocol that is none',
    answer('PROTOCOL_VERSION', { answered: false }),
    'ours',
    undefined,
    undefined,
  ],
  ['too many of our own calls', { code: 'RATE_LIMITED' }, 'ours', undefined, undefined],
  ['a request without answer', { code: 'TIMEOUT' }, 'ours', ours(-32001), undefined],
  ['a stream that ended', closed, 'ours', ours(-32000), undefined],
  [
    'a connection refused',
    { ...down, systemCode: 'ECONNREFUSED' },
    'theirs',
    ours(-32000),
    'connect',
  ],
  ['a connection reset', { ...down, systemCode: 'ECONNRESET' }, 'theirs', ours(-32000), undefined],
  [
    'a connection aborted',
    { ...down, systemCode: 'ECONNABORTED' },
    'theirs',
    ours(-32000),
    undefined,
  ],
  [
    'a connection never accepted',
    { ...down, systemCode: 'UND_ERR_CONNECT_TIMEOUT' },
    'theirs',
    ours(-32000),
    'connect',
  ],
  [
    'a socket that broke',
    { ...down, systemCode: 'UND_ERR_SOCKET' },
    'theirs',
    ours(-32000),
    undefined,
  ],
  [
    'a bad certificate',
    answer('TLS', { systemCode: 'CERT_HAS_EXPIRED' }),
    'theirs',
    ours(-32000),
    'connect',
  ],
  ['nothing known', {}, 'unknown', undefined, undefined],
])('nothing came back: %s', (_, failure, attribution, error, stage) => {
  expect(attributeFailure(failure)).toBe(attribution);
  expect(mcpErrorOf(failure)).toEqual(error);
  expect(isConnectFailure(failure)).toBe(stage === 'connect');
  expect(wasAnswered(failure)).toBe(false);
});

test.each<[string, FailureFacts, object | undefined]>([
  ['HTTP 500', answer('HTTP_ERROR', { status: 500 }), undefined],
  ['HTTP 404', answer('HTTP_ERROR', { status: 404 }), undefined],
  ['HTTP 400', answer('HTTP_ERROR', { status: 400 }), undefined],
  ['HTTP 402', answer('HTTP_ERROR', { status: 402 }), undefined],
  ['a redirect elsewhere', answer('EGRESS_BLOCKED', { status: 307 }), undefined],
  ['an answer nobody can read', answer('INVALID_RESPONSE'), undefined],
  ['another version of the protocol', answer('PROTOCOL_VERSION'), undefined],
  ['a question in return', answer('INPUT_REQUIRED'), undefined],
  ['an error of the server', answer('SERVER_ERROR', { mcpErrorCode: -32603 }), theirs(-32603)],
  [
    'the code of a closed connection, over the wire',
    answer('SERVER_ERROR', { mcpErrorCode: -32000 }),
    theirs(-32000),
  ],
  [
    'the code of a timeout, over the wire and with a status',
    answer('SERVER_ERROR', { mcpErrorCode: -32001, status: 400 }),
    theirs(-32001),
  ],
  [
    'parameters refused',
    { code: 'VALIDATION_ERROR', reason: 'INVALID_PARAMS', mcpErrorCode: -32602 },
    theirs(-32602),
  ],
  ['a method it offers and does not know', { code: 'FEATURE_NOT_SUPPORTED' }, undefined],
  ['a stream that ended after it began', { ...closed, answered: true }, ours(-32000)],
  ['silence after it began to answer', { code: 'TIMEOUT', answered: true }, ours(-32001)],
  [
    'a connection reset after it began to answer',
    { ...down, systemCode: 'ECONNRESET', answered: true },
    ours(-32000),
  ],
  ['a process that ended by itself', { ...closed, processEnd: 'exit code 1' }, undefined],
])('whoever answered was reached: %s', (_, failure, error) => {
  expect(attributeFailure(failure)).toBe('theirs');
  expect(wasAnswered(failure)).toBe(true);
  expect(isConnectFailure(failure)).toBe(false);
  expect(isRefusal(failure)).toBe(false);
  expect(mcpErrorOf(failure)).toEqual(error);
});

test.each<[string, FailureFacts]>([
  ['HTTP 401', { code: 'OAUTH_REQUIRED', status: 401 }],
  ['HTTP 403', { code: 'FORBIDDEN', status: 403 }],
  ['HTTP 407', answer('HTTP_ERROR', { status: 407 })],
  ['a token that nobody renewed', answer('TOKEN_NOT_RENEWED', { answered: true })],
  ['HTTP 429', answer('TARGET_RATE_LIMITED', { status: 429 })],
])('%s is a matter of the set-up', (_, failure) => {
  expect(attributeFailure(failure)).toBe('ours');
  expect(wasAnswered(failure)).toBe(false);
  expect(isConnectFailure(failure)).toBe(false);
  expect(isRefusal(failure)).toBe(true);
  expect(mcpErrorOf(failure)).toBeUndefined();
});

test('the fold over servers does not depend on their order, and one failure is a failure', () => {
  const signal = fc.oneof(
    fc.constant<SetupSignal>({ ok: true }),
    fc.tuple(fc.constantFrom<Attribution>('ours', 'theirs', 'unknown'), fc.boolean()).map(
      ([attribution, egressVerified]): SetupSignal => ({
        ok: false,
        attribution,
        egressVerified,
      }),
    ),
  );
  fc.assert(
    fc.property(fc.array(signal, { maxLength: 6 }), (signals) => {
      const folded = foldSignals(signals);
      expect(foldSignals([...signals].reverse())).toEqual(folded);
      expect(folded.ok).toBe(signals.every(({ ok }) => ok));
      const attributions = signals.flatMap((one) => (one.ok ? [] : [one.attribution]));
      if (folded.ok) return;
      const wanted = attributions.includes('ours')
        ? 'ours'
        : attributions.includes('unknown')
          ? 'unknown'
          : 'theirs';
      expect(folded.attribution).toBe(wanted);
    }),
  );
});

test('a server that sent more than we read was reached, and the limit is ours', () => {
  const failure = answer('RESPONSE_TOO_LARGE');
  expect(attributeFailure(failure)).toBe('ours');
  expect(mcpErrorOf(failure)).toBeUndefined();
  expect(isConnectFailure(failure)).toBe(false);
  expect(wasAnswered(failure)).toBe(true);
  expect(isOurLimit(failure)).toBe(true);
});
