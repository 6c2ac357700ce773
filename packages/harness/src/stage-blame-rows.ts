/**
 * Rows of the stage table (trials with known failures) about the cause of a failure: error codes of
 * the server, its schemas, or credentials that the server or a proxy rejected.
 */
import { ask, type StageRow, sunny, weatherOfRome, whole } from './stage-row.ts';

export const blameRows: readonly StageRow[] = [
  {
    name: 'the server sends the code of a closed connection itself',
    server: { kind: 'good', weather: { error: { code: -32000, message: 'Stock is closed.' } } },
    definition: { steps: whole },
    model: [weatherOfRome, sunny],
    expected: {
      status: 'completed',
      result: 'failed',
      stage: 'call',
      reason: 'protocolError',
      category: 'serverData',
      evidence: { spanIds: ['tool-3'], promptIndexes: [0] },
      error: 'Stock is closed.',
    },
  },
  {
    name: 'the server answers the handshake with HTTP 404',
    server: { kind: 'status', method: 'initialize', status: 404 },
    definition: { steps: whole },
    model: [],
    expected: {
      status: 'setup_failed',
      result: null,
      stage: 'connection',
      reason: 'connectFailed',
      category: 'setup',
      error: 'HTTP 404',
    },
  },
  {
    name: 'the grant is revoked before the call',
    server: { kind: 'status', method: 'tools/call', status: 401 },
    definition: { steps: whole },
    model: [weatherOfRome],
    expected: {
      status: 'setup_failed',
      result: null,
      category: 'setup',
      others: {
        connection: 'observed',
        discovery: 'observed',
        selection: 'setupAborted',
        call: 'setupAborted',
        response: 'setupAborted',
        userValue: 'setupAborted',
      },
      error: 'The call of "weather" was refused',
    },
  },
  {
    name: 'the arguments break the schema of the tool, which says so',
    server: {
      kind: 'good',
      weather: { result: { content: [{ type: 'text', text: 'No city.' }], isError: true } },
    },
    definition: {
      steps: [
        ask,
        {
          id: 'calls',
          kind: 'assert',
          assertion: { type: 'toolCalledAtLeastOnce', toolName: 'weather' },
        },
      ],
    },
    model: [{ calls: [{ tool: 'weather', input: { city: 7 } }] }, sunny],
    expected: {
      status: 'completed',
      result: 'failed',
      stage: 'call',
      reason: 'argumentMismatch',
      category: 'arguments',
      evidence: {
        spanIds: ['tool-3'],
        promptIndexes: [0],
        predicateReasons: [
          'The arguments of "weather" break its input schema: The value at /city must be string.',
        ],
      },
      others: { selection: 'observed' },
      error: 'break its input schema',
    },
  },
  {
    name: 'the result breaks the schema of the tool',
    server: {
      kind: 'good',
      weather: { result: { content: [], structuredContent: { degrees: 'warm' } } },
      outputSchema: { type: 'object', properties: { degrees: { type: 'number' } } },
    },
    definition: { steps: whole },
    model: [weatherOfRome, sunny],
    expected: {
      status: 'completed',
      result: 'failed',
      stage: 'response',
      reason: 'toolError',
      category: 'serverData',
      evidence: {
        spanIds: ['tool-3'],
        promptIndexes: [0],
        predicateReasons: [
          'The result of "weather" breaks its output schema: The value at /degrees must be number.',
        ],
      },
      error: 'breaks its output schema',
    },
  },
  {
    name: 'the provider of the model fails where no call is wanted',
    server: { kind: 'good' },
    definition: { steps: [ask], isNegative: true },
    model: ['fails'],
    expected: {
      status: 'failed',
      result: null,
      category: 'setup',
      others: { selection: 'providerError', call: 'providerError', response: 'providerError' },
    },
  },
];
