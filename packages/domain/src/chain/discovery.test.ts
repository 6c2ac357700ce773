import { expect, test } from 'vitest';
import { down, noTrace, ok, rowOf, toolSpan } from './evidence.fixture.ts';
import type { TrialEvidence } from './trial-evidence.ts';

test.each<[string, Partial<TrialEvidence>, string]>([
  ['list ok', { toolsList: ok }, 'passed/observed'],
  ['a listed tool', { toolCount: 3 }, 'passed/observed'],
  ['a tool span', { spans: [toolSpan] }, 'passed/impliedByLaterEvidence'],
  [
    'theirs after a connection',
    { connect: ok, toolsList: down('theirs') },
    'failed/toolsListFailed',
  ],
  ['theirs with no connection', { toolsList: down('theirs') }, 'notMeasured/egressUnverified'],
  ['ours', { connect: ok, toolsList: down('ours') }, 'notMeasured/setupAborted'],
  ['unknown', { connect: ok, toolsList: down('unknown') }, 'notMeasured/egressUnverified'],
  ['no trace', noTrace, 'notMeasured/traceAbsent'],
  ['a trace and nothing in it', {}, 'notMeasured/noEvidenceCaptured'],
])('discovery: %s', (_title, change, expected) => {
  expect(rowOf('discovery', change)).toBe(expected);
});
