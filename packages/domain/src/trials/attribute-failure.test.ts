import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Attribution, SetupSignal } from '../chain/trial-evidence.ts';
import {
  attributeFailure,
  foldSignals,
  isConnectFailure,
  mcpErrorCodeOf,
} from './attribute-failure.ts';

const down = { code: 'SERVER_UNREACHABLE', reason: 'UNREACHABLE' };

test.each([
  ['a name nobody knows', { ...down, systemCode: 'ENOTFOUND' }, 'ours', -32000, true],
  ['a name server that is away', { ...down, systemCode: 'EAI_AGAIN' }, 'ours', -32000, true],
  ['a forbidden address', { ...down, reason: 'EGRESS_BLOCKED' }, 'ours', -32000, true],
  ['HTTP 401', { code: 'OAUTH_REQUIRED', status: 401 }, 'ours', -32000, false],
  ['HTTP 403', { code: 'FORBIDDEN', status: 403 }, 'ours', -32000, false],
  ['too many of our own calls', { code: 'RATE_LIMITED' }, 'ours', -32000, false],
  [
    'the code of a closed connection',
    { ...down, reason: 'SERVER_ERROR', mcpErrorCode: -32000 },
    'ours',
    -32000,
    false,
  ],
  [
    'the code of a timeout',
    { ...down, reason: 'SERVER_ERROR', mcpErrorCode: -32001 },
    'ours',
    -32001,
    false,
  ],
  ['a request without answer', { code: 'TIMEOUT' }, 'ours', -32001, false],
  ['a stream that ended', { ...down, reason: 'CONNECTION_CLOSED' }, 'ours', -32000, false],
  ['a connection refused', { ...down, systemCode: 'ECONNREFUSED' }, 'theirs', -32000, true],
  ['a connection reset', { ...down, systemCode: 'ECONNRESET' }, 'theirs', -32000, false],
  ['a connection aborted', { ...down, systemCode: 'ECONNABORTED' }, 'theirs', -32000, false],
  [
    'a connection never accepted',
    { ...down, systemCode: 'UND_ERR_CONNECT_TIMEOUT' },
    'theirs',
    -32000,
    true,
  ],
  ['a socket that broke', { ...down, systemCode: 'UND_ERR_SOCKET' }, 'theirs', -32000, false],
  [
    'a bad certificate',
    { ...down, reason: 'TLS', systemCode: 'CERT_HAS_EXPIRED' },
    'theirs',
    -32000,
    true,
  ],
  ['HTTP 500', { ...down, reason: 'HTTP_ERROR', status: 500 }, 'theirs', undefined, false],
  ['HTTP 404', { ...down, reason: 'HTTP_ERROR', status: 404 }, 'unknown', undefined, false],
  [
    'HTTP 429',
    { ...down, reason: 'TARGET_RATE_LIMITED', status: 429 },
    'unknown',
    undefined,
    false,
  ],
  [
    'an answer nobody can read',
    { ...down, reason: 'INVALID_RESPONSE' },
    'unknown',
    undefined,
    false,
  ],
  [
    'an error of the server',
    { ...down, reason: 'SERVER_ERROR', mcpErrorCode: -32603 },
    'unknown',
    -32603,
    false,
  ],
  ['nothing known', {}, 'unknown', undefined, false],
] as const)('%s', (_, failure, attribution, code, isConnect) => {
  expect(attributeFailure(failure)).toBe(attribution);
  expect(mcpErrorCodeOf(failure)).toBe(code);
  expect(isConnectFailure(failure)).toBe(isConnect);
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
      const said = signals.flatMap((one) => (one.ok ? [] : [one.attribution]));
      if (folded.ok) return;
      const wanted = said.includes('ours')
        ? 'ours'
        : said.includes('unknown')
          ? 'unknown'
          : 'theirs';
      expect(folded.attribution).toBe(wanted);
    }),
  );
});
