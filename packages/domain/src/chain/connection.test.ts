import { expect, test } from 'vitest';
import { down, noTrace, ok, rowOf, span, toolSpan } from './evidence.fixture.ts';
import type { TrialEvidence } from './trial-evidence.ts';

test.each<[string, Partial<TrialEvidence>, string]>([
  ['connect ok', { connect: ok }, 'passed/observed'],
  ['a tool span', { spans: [toolSpan] }, 'passed/impliedByLaterEvidence'],
  ['a listed tool', { toolCount: 1 }, 'passed/impliedByLaterEvidence'],
  ['no listed tool', { toolCount: 0 }, 'notMeasured/noEvidenceCaptured'],
  [
    'a tool call outranks a failed connect',
    { connect: down('theirs'), spans: [toolSpan] },
    'passed/impliedByLaterEvidence',
  ],
  [
    'a server error still shows it was reached',
    { spans: [span({ status: 'error', mcpErrorCode: -32602 })] },
    'passed/impliedByLaterEvidence',
  ],
  [
    'a closed connection shows nothing',
    { spans: [span({ status: 'error', mcpErrorCode: -32000 })] },
    'notMeasured/noEvidenceCaptured',
  ],
  [
    'the same code over the wire shows that the server was reached',
    { spans: [span({ status: 'error', mcpErrorCode: -32000, mcpErrorOrigin: 'theirs' })] },
    'passed/impliedByLaterEvidence',
  ],
  [
    'whatever code our own transport made shows nothing',
    { spans: [span({ status: 'error', mcpErrorCode: -32603, mcpErrorOrigin: 'ours' })] },
    'notMeasured/noEvidenceCaptured',
  ],
  [
    'a timed out request shows nothing',
    { spans: [span({ status: 'error', mcpErrorCode: -32001 })] },
    'notMeasured/noEvidenceCaptured',
  ],
  [
    'a span of the model shows nothing',
    { spans: [span({ category: 'llm' })] },
    'notMeasured/noEvidenceCaptured',
  ],
  ['theirs, egress verified', { connect: down('theirs') }, 'failed/connectFailed'],
  ['theirs, egress unverified', { connect: down('theirs', false) }, 'notMeasured/egressUnverified'],
  ['ours', { connect: down('ours') }, 'notMeasured/setupAborted'],
  ['unknown', { connect: down('unknown') }, 'notMeasured/egressUnverified'],
  ['no trace', noTrace, 'notMeasured/traceAbsent'],
  ['a trace and nothing in it', {}, 'notMeasured/noEvidenceCaptured'],
])('connection: %s', (_title, change, expected) => {
  expect(rowOf('connection', change)).toBe(expected);
});
