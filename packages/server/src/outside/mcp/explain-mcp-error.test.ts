import { UnsupportedProtocolVersionError } from '@modelcontextprotocol/client';
import { expect, test } from 'vitest';
import { explainMcpError } from './explain-mcp-error.ts';
import { Secrets } from './secrets.ts';

test.each([
  [['2031-01-01', { toString: 1 }, null, '2032-01-01'], /2031-01-01, 2032-01-01/],
  [[{ toString: 1 }], /does not know/],
  ['none', /does not know/],
])('versions a server names are told as far as they are texts: %j', (supported, message) => {
  const error = new UnsupportedProtocolVersionError({
    supported: supported as string[],
    requested: '2026-07-28',
  });
  const failure = explainMcpError(
    error,
    new Secrets({ kind: 'stdio', command: '/a', args: [], env: {} }),
  );
  expect(failure.details).toEqual({ reason: 'PROTOCOL_VERSION' });
  expect(failure.message).toMatch(message);
});
