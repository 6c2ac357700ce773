import { expect, test } from 'vitest';
import { advise, type DoctorTrouble } from './advise.ts';

const unreachable = 'SERVER_UNREACHABLE';

test.each<[string, DoctorTrouble, RegExp]>([
  ['a grant is wanted', { code: 'OAUTH_REQUIRED', status: 401 }, /OAuth grant/],
  ['credentials are refused', { code: 'FORBIDDEN', status: 403 }, /headers or tokens/],
  [
    'a redirect to another origin',
    { code: unreachable, reason: 'EGRESS_BLOCKED', isRedirected: true },
    /final address/,
  ],
  ['a blocked address', { code: unreachable, reason: 'EGRESS_BLOCKED' }, /public address/],
  [
    'a bad certificate',
    { code: unreachable, reason: 'TLS', systemCode: 'CERT_HAS_EXPIRED' },
    /certificate/,
  ],
  [
    'an unknown host',
    { code: unreachable, reason: 'UNREACHABLE', systemCode: 'ENOTFOUND' },
    /host name/,
  ],
  [
    'a closed port',
    { code: unreachable, reason: 'UNREACHABLE', systemCode: 'ECONNREFUSED' },
    /nothing listens/,
  ],
  [
    'no connection in time',
    { code: unreachable, reason: 'UNREACHABLE', systemCode: 'UND_ERR_CONNECT_TIMEOUT' },
    /firewalls/,
  ],
  ['a missing program', { code: unreachable, reason: 'COMMAND_NOT_FOUND' }, /command/],
  ['a program that may not run', { code: unreachable, reason: 'COMMAND_FAILED' }, /may run/],
  [
    'a limit of the server',
    { code: unreachable, reason: 'TARGET_RATE_LIMITED', status: 429 },
    /Wait/,
  ],
  ['an unknown version', { code: unreachable, reason: 'PROTOCOL_VERSION' }, /version of MCP/],
  [
    'a wrong path, though it shows a page',
    { code: unreachable, reason: 'HTTP_ERROR', status: 404, isHtml: true },
    /path of the URL/,
  ],
  [
    'a page for people',
    { code: unreachable, reason: 'INVALID_RESPONSE', isHtml: true },
    /pages for people/,
  ],
  [
    'a fault of the server',
    { code: unreachable, reason: 'HTTP_ERROR', status: 503 },
    /logs of the server/,
  ],
  ['too large an answer', { code: unreachable, reason: 'RESPONSE_TOO_LARGE' }, /smaller answers/],
  ['silence', { code: 'TIMEOUT' }, /silent/],
  [
    'a closed connection',
    { code: unreachable, reason: 'CONNECTION_CLOSED' },
    /ends the connection/,
  ],
  ['no MCP', { code: unreachable, reason: 'INVALID_RESPONSE' }, /follows the protocol/],
  ['nothing known', { code: unreachable, reason: 'UNREACHABLE' }, /runs/],
  ['an error of its own', { code: unreachable, reason: 'SERVER_ERROR' }, /wrote about this call/],
])('%s has advice of its own', (_title, trouble, advice) => {
  expect(advise(trouble)).toMatch(advice);
  expect(advise(trouble)).toMatch(/^[A-Z][^\n]*\.$/);
});
