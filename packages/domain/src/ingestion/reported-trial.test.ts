import { runsOf } from '@proofmark/harness/fixed-seed.ts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readChain } from '../chain/read-chain.ts';
import { trialStatuses } from '../verdict/decision.ts';
import {
  numberInId,
  type ReportedResult,
  recordTrial,
  reportedCalls,
  statedNumber,
} from './reported-trial.ts';

const caseTitle = 'adds';
const brokenScore = {
  scores: [
    {
      scorerId: 'judge',
      scorerVersion: '1',
      definitionHash: 'h',
      status: 'error',
      passThreshold: 0.5,
      deterministic: false,
    },
  ],
  evaluationConfig: {
    hash: 'c',
    definitions: [
      ...[
        {
          scorerId: 'judge',
          scorerVersion: '1',
          role: 'gating',
          onError: 'fail',
          passThreshold: 0.5,
        },
      ],
    ],
  },
};

describe('status and result', () => {
  test.each<[string, Partial<ReportedResult>, object]>([
    ['passed', { passed: true }, { status: 'completed', result: 'passed', evaluatorError: false }],
    [
      'not passed',
      { passed: false },
      { status: 'completed', result: 'failed', evaluatorError: false },
    ],
    [
      'a trial that timed out',
      { passed: true, status: 'timed_out' },
      { status: 'timed_out', result: null, evaluatorError: false },
    ],
    [
      'a broken grader',
      { passed: true, evaluatorError: true },
      { status: 'completed', result: null, evaluatorError: true },
    ],
    [
      'a broken grader in metadata',
      { passed: false, metadata: { evaluatorError: true } },
      { result: null, evaluatorError: true },
    ],
    [
      'a gating scorer that broke',
      { passed: true, metadata: brokenScore },
      { result: null, evaluatorError: true },
    ],
    [
      'a grader that broke before the trial was completed',
      { status: 'cancelled', evaluatorError: true },
      { status: 'cancelled', result: null, evaluatorError: false },
    ],
  ])('%s', (_title, reported, recorded) => {
    expect(recordTrial({ caseTitle, ...reported })).toMatchObject(recorded);
  });
});

describe('the chain', () => {
  test.each<[string, Record<string, unknown>]>([
    [
      'a whole one',
      {
        stageResults: [{ stage: 'call', state: 'odd', more: 1 }],
        firstFailedStage: 'call',
        failureCategory: 'x',
        stageAnalyzerVersion: 9,
      },
    ],
    ['one row of nonsense', { stageResults: 'nonsense' }],
    ['a stored null', { firstFailedStage: null }],
    ['a category alone', { failureCategory: 'setup' }],
  ])('that came is kept as it came: %s', (_title, chain) => {
    const recorded = recordTrial({
      caseTitle,
      passed: true,
      metadata: { ...chain, retryCount: 1 },
    });
    expect(recorded.chain).toEqual(chain);
    expect(recorded.details).toEqual({ metadata: { retryCount: 1 } });
  });

  test('a version with nothing beside it is no chain: one is derived', () => {
    const recorded = recordTrial({
      caseTitle,
      passed: true,
      metadata: { stageAnalyzerVersion: 9 },
    });
    expect(readChain(recorded.chain)).toMatchObject({ status: 'verified', analyzerVersion: 2 });
  });

  test('a trace gives the same evidence in every spelling', () => {
    const span = {
      id: 's',
      name: 't',
      category: 'tool',
      startMs: 0,
      endMs: 1,
      status: 'error',
      toolName: 't',
      mcpErrorCode: -32602,
      promptIndex: 0,
    };
    const trace = { messages: [{ role: 'user', content: 'Add.' }], spans: [span] };
    const trial = {
      caseTitle,
      passed: false,
      expectedToolCalls: [{ toolName: 't' }],
      actualToolCalls: [{ toolName: 't' }],
    };
    const recorded = recordTrial({ ...trial, trace });
    expect(recorded.chain.firstFailedStage).toBe('call');
    expect(recordTrial({ ...trial, trace: JSON.stringify(trace) })).toEqual(recorded);
  });
});

describe('whatever is reported', () => {
  const loose = fc.jsonValue({ maxDepth: 4 });
  const calls = fc.option(
    fc.array(
      fc.oneof(
        fc.record({ toolName: fc.constantFrom('a', 'b'), arguments: loose }),
        fc.record({ toolName: loose }),
      ),
    ),
    { nil: undefined },
  );
  const span = fc.record(
    {
      id: fc.string(),
      name: fc.string(),
      toolName: fc.constantFrom('a', 'b'),
      category: fc.constantFrom('tool', 'llm', 'connection', 'discovery', 'odd'),
      status: fc.constantFrom('ok', 'error', 'odd'),
      mcpErrorCode: fc.constantFrom(-32602, -32000, -32001, 'x'),
      promptIndex: fc.oneof(fc.nat(2), loose),
    },
    { requiredKeys: [] },
  );
  const turn = fc.record(
    {
      promptIndex: fc.nat(2),
      expectedToolCalls: loose,
      actualToolCalls: loose,
      passed: fc.boolean(),
      missing: fc.array(loose),
      unexpected: fc.array(loose),
      argumentMismatches: fc.array(loose),
      predicateResults: fc.array(loose),
    },
    { requiredKeys: [] },
  );
  const trace = fc.oneof(
    loose,
    fc.record(
      {
        messages: fc.oneof(fc.array(loose), loose),
        spans: fc.oneof(fc.array(span), loose),
        prompts: fc.oneof(fc.array(turn), loose),
      },
      { requiredKeys: [] },
    ),
  );
  const predicates = fc.array(
    fc.record(
      {
        type: fc.constantFrom('responseContains', 'toolCalledWith', 'widgetRendered', 'odd'),
        passed: fc.boolean(),
        reason: fc.string({ maxLength: 600 }),
      },
      { requiredKeys: [] },
    ),
  );
  const report = fc.record(
    {
      caseTitle: fc.constant(caseTitle),
      passed: fc.boolean(),
      evaluatorError: fc.boolean(),
      status: fc.constantFrom(...trialStatuses),
      query: fc.string(),
      trace,
      error: fc.string(),
      expectedToolCalls: calls,
      actualToolCalls: calls,
      isNegativeTest: fc.boolean(),
      expectedOutput: fc.string(),
      metadata: fc.record(
        {
          predicates: fc.oneof(predicates, loose),
          evaluatorError: fc.boolean(),
          scores: loose,
          evaluationConfig: loose,
          stageAnalyzerVersion: loose,
        },
        { requiredKeys: [] },
      ),
    },
    { requiredKeys: ['caseTitle'] },
  ) as fc.Arbitrary<ReportedResult>;
  const runs = runsOf(500);

  test('a derived chain reads back as verified, before and after storage', () => {
    fc.assert(
      fc.property(report, (reported) => {
        const { chain } = recordTrial(reported);
        expect(readChain(chain)).toMatchObject({ status: 'verified', analyzerVersion: 2 });
        expect(readChain(JSON.parse(JSON.stringify(chain)))).toEqual(readChain(chain));
      }),
      runs,
    );
  });

  test('a chain that came is kept byte for byte', () => {
    const chain = fc.record(
      {
        stageResults: loose,
        firstFailedStage: loose,
        failureCategory: loose,
        stageAnalyzerVersion: loose,
      },
      { requiredKeys: ['stageResults'] },
    );
    fc.assert(
      fc.property(report, chain, (reported, came) => {
        const metadata = { ...reported.metadata, stageAnalyzerVersion: undefined, ...came };
        const kept = recordTrial({ ...reported, metadata }).chain;
        expect(Object.keys(kept).sort()).toEqual(Object.keys(came).sort());
        for (const [name, value] of Object.entries(came)) {
          expect(JSON.stringify(kept[name as keyof typeof kept])).toBe(JSON.stringify(value));
        }
      }),
      runs,
    );
  });

  test('a result is there exactly when the trial was completed and no grader broke', () => {
    fc.assert(
      fc.property(report, (reported) => {
        const { status, result, evaluatorError } = recordTrial(reported);
        expect(result === null).toBe(status !== 'completed' || evaluatorError);
        if (reported.evaluatorError === true) expect(result).toBeNull();
      }),
      runs,
    );
  });
});

test('the details are what else was said, and what is kept elsewhere is not said twice', () => {
  const { details } = recordTrial({
    caseTitle,
    passed: true,
    query: 'Add.',
    isNegativeTest: false,
    expectedOutput: '4',
    advancedConfig: { a: 1 },
    matchOptions: {},
    errorDetails: 'x',
    widgetSnapshots: [],
    unknown: 1,
    model: 'm',
    error: 'no',
    metadata: { ...brokenScore, iterationNumber: 3, stageAnalyzerVersion: 1, retryCount: 2 },
  });
  expect(details).toEqual({
    query: 'Add.',
    isNegativeTest: false,
    expectedOutput: '4',
    advancedConfig: { a: 1 },
    matchOptions: {},
    errorDetails: 'x',
    widgetSnapshots: [],
    metadata: { retryCount: 2 },
  });
  expect(recordTrial({ caseTitle, passed: true }).details).toEqual({});
});

test.each<[string, Partial<ReportedResult>, string | null, number | undefined]>([
  ['stated', { metadata: { iterationNumber: 0 }, externalIterationId: 'run-5' }, 'run', 0],
  ['the end of the id', { externalIterationId: 'run-12' }, 'run', 12],
  [
    'the end of the id, where the stated one is none',
    { externalIterationId: 'run-12', metadata: { iterationNumber: 1.5 } },
    'run',
    12,
  ],
  ['none: negative', { metadata: { iterationNumber: -1 } }, 'run', undefined],
  ['none: too large to store', { metadata: { iterationNumber: 2 ** 31 } }, 'run', undefined],
  ['none: text', { metadata: { iterationNumber: '3' } }, 'run', undefined],
  ['none: another run', { externalIterationId: 'other-12' }, 'run', undefined],
  ['none: no number at the end', { externalIterationId: 'run-12b' }, 'run', undefined],
  ['none: nothing at the end', { externalIterationId: 'run-' }, 'run', undefined],
  ['none: too many digits', { externalIterationId: 'run-1234567890' }, 'run', undefined],
  ['none: a run without an id', { externalIterationId: 'run-12' }, null, undefined],
  ['none: no id', {}, 'run', undefined],
])('the number of a trial is %s', (_title, reported, externalRunId, number) => {
  const trial: ReportedResult = { caseTitle, ...reported };
  const found = statedNumber(trial) ?? numberInId(trial.externalIterationId, externalRunId);
  expect(found).toBe(number);
});

test('calls that are no objects are not shown', () => {
  expect(reportedCalls([{ toolName: 'a' }, 'b', null, [1], 5])).toEqual([{ toolName: 'a' }]);
  expect(reportedCalls(undefined)).toEqual([]);
});
