import { expect, test } from 'vitest';
import { assertion, down, noTrace, ok, rowOf, toolSpan } from './evidence.fixture.ts';
import type { TrialEvidence } from './trial-evidence.ts';

function named(passed: boolean, more: object = {}) {
  return {
    assertions: [{ ...assertion('toolNamesUnique', passed, 'Two are called find.'), ...more }],
  };
}

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
  ['a check that does not hold', { toolsList: ok, ...named(false) }, 'failed/predicateFailed'],
  [
    'a list that failed comes before a check of it',
    { connect: ok, toolsList: down('theirs'), ...named(false) },
    'failed/toolsListFailed',
  ],
  ['a check that holds, of a list nobody recorded', named(true), 'passed/observed'],
  [
    'a check without an answer',
    { toolsList: ok, ...named(false, { unanswered: true }) },
    'notMeasured/evaluatorError',
  ],
  [
    'a check that advises',
    { toolsList: ok, ...named(false, { advisory: true }) },
    'passed/observed',
  ],
  ['no trace', noTrace, 'notMeasured/traceAbsent'],
  ['a trace and nothing in it', {}, 'notMeasured/noEvidenceCaptured'],
])('discovery: %s', (_title, change, expected) => {
  expect(rowOf('discovery', change)).toBe(expected);
});
