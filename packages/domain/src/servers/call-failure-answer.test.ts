import { expect, test } from 'vitest';
import { callFailureAnswer, readingResource } from './call-failure-answer.ts';

const rpc = (mcpErrorCode: number, message: string) => ({
  code: 'SERVER_UNREACHABLE' as const,
  message: `The server answered with an error: ${message}`,
  details: {
    reason: 'SERVER_ERROR',
    mcpErrorCode,
    mcpError: { code: mcpErrorCode, message: message },
  },
});
const refused = (message: string) => ({
  code: 'VALIDATION_ERROR' as const,
  message: `The server refused the parameters: ${message}`,
  details: { path: 'body', reason: 'INVALID_PARAMS', mcpErrorCode: -32602 },
});
const nothing = (reason: string) => ({
  code: 'SERVER_UNREACHABLE' as const,
  message: 'Nobody answered.',
  details: { reason, systemCode: 'ECONNREFUSED' },
});

test.each<
  [
    string,
    Parameters<typeof callFailureAnswer>[0],
    'resource' | 'other',
    string,
    string | undefined,
  ]
>([
  ['refused parameters', refused('Bad cursor'), 'other', 'VALIDATION_ERROR', 'INVALID_PARAMS'],
  ['a tool not found', refused('Tool x not found'), 'other', 'VALIDATION_ERROR', 'INVALID_PARAMS'],
  ['a resource, by code', rpc(-32002, 'No.'), 'resource', 'NOT_FOUND', 'RESOURCE_NOT_FOUND'],
  [
    'the code without a resource',
    rpc(-32002, 'No.'),
    'other',
    'SERVER_UNREACHABLE',
    'SERVER_ERROR',
  ],
  [
    'a resource, by word',
    refused('Resource a://b not found'),
    'resource',
    'NOT_FOUND',
    'RESOURCE_NOT_FOUND',
  ],
  [
    'a resource, by word, code 0',
    rpc(0, 'Unknown resource: a://b'),
    'resource',
    'NOT_FOUND',
    'RESOURCE_NOT_FOUND',
  ],
  ['a bad URI', refused('The URI is malformed'), 'resource', 'VALIDATION_ERROR', 'INVALID_PARAMS'],
  [
    'an unknown method',
    rpc(-32601, 'Method not found'),
    'other',
    'FEATURE_NOT_SUPPORTED',
    'SERVER_ERROR',
  ],
  ['any other error', rpc(-32000, 'Busy'), 'other', 'SERVER_UNREACHABLE', 'SERVER_ERROR'],
  [
    'a page of HTML',
    nothing('INVALID_RESPONSE'),
    'other',
    'SERVER_UNREACHABLE',
    'INVALID_RESPONSE',
  ],
  ['blocked egress', nothing('EGRESS_BLOCKED'), 'other', 'SERVER_UNREACHABLE', 'EGRESS_BLOCKED'],
])('%s', (_name, failed, asked, code, reason) => {
  const about = asked === 'resource' ? { asked: readingResource } : {};
  const answer = callFailureAnswer({ ...failed, details: { ...failed.details, ...about } });
  expect(answer.details).not.toHaveProperty('asked');
  expect([answer.code, answer.details?.['reason']]).toEqual([code, reason]);
  expect(answer.message).toBe(failed.message);
  expect(answer.details?.['mcpErrorCode']).toBe(failed.details['mcpErrorCode' as never]);
});

test.each(['UNREACHABLE', 'TLS', 'CONNECTION_CLOSED', 'COMMAND_NOT_FOUND', 'COMMAND_FAILED'])(
  'nothing came because of %s: CONNECT_FAILED, with the cause beside it',
  (cause) => {
    expect(callFailureAnswer(nothing(cause))).toEqual({
      code: 'SERVER_UNREACHABLE',
      message: 'Nobody answered.',
      details: { reason: 'CONNECT_FAILED', cause, systemCode: 'ECONNREFUSED' },
    });
  },
);
