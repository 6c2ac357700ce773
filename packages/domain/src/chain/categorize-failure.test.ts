import { describe, expect, test } from 'vitest';
import { deriveChain } from './derive-chain.ts';
import { allGood, assertion, authored, down, span, toolSpan, turn } from './evidence.fixture.ts';
import type { TrialEvidence } from './trial-evidence.ts';

describe('the failure category', () => {
  const quotes = { attribution: { category: 'metadata', quotes: ['"gets things"'] } } as const;
  const missing = { turns: [turn({ missingCount: 1 })] };
  test.each<[string, Partial<TrialEvidence>, string | undefined]>([
    ['nothing failed', {}, undefined],
    ['nothing failed, grader failed', { evaluatorError: true }, 'evaluator'],
    ['the judge failed', { assertions: [], judge: { status: 'errored' } }, 'evaluator'],
    [
      'a failed grader where user value does not apply',
      { evaluatorError: true, ...authored({ hasAssertion: false }) },
      'evaluator',
    ],
    [
      'a failed grader does not hide a measured failure',
      { evaluatorError: true, ...missing },
      'selection',
    ],
    ['connection', { connect: down('theirs'), spans: [] }, 'setup'],
    ['discovery', { toolsList: down('theirs'), spans: [] }, 'setup'],
    ['selection', missing, 'selection'],
    ['selection, quoted cause', { ...missing, ...quotes }, 'metadata'],
    [
      'selection, cause without a quote',
      { ...missing, attribution: { category: 'metadata', quotes: [' '] } },
      'selection',
    ],
    [
      'selection, another cause quoted',
      { ...missing, attribution: { category: 'selection', quotes: ['x'] } },
      'selection',
    ],
    ['a quoted cause without a failed selection', quotes, undefined],
    ['arguments', { turns: [turn({ argumentMismatchCount: 1, passed: false })] }, 'arguments'],
    ['a server code', { spans: [toolSpan, span({ mcpErrorCode: -32603 })] }, 'serverData'],
    ['a closed connection', { spans: [toolSpan, span({ mcpErrorCode: -32000 })] }, 'setup'],
    [
      'the code of a closed connection, sent by the server',
      { spans: [toolSpan, span({ mcpErrorCode: -32000, mcpErrorOrigin: 'theirs' })] },
      'serverData',
    ],
    [
      'the code of a timeout, sent by the server',
      { spans: [toolSpan, span({ mcpErrorCode: -32001, mcpErrorOrigin: 'theirs' })] },
      'serverData',
    ],
    [
      'a closed connection of our own transport',
      { spans: [toolSpan, span({ mcpErrorCode: -32000, mcpErrorOrigin: 'ours' })] },
      'setup',
    ],
    ['a server code of its own', { spans: [span({ mcpErrorCode: -32050 })] }, 'serverData'],
    [
      'an error that answers arguments which break the schema',
      {
        spans: [span({ status: 'error' })],
        toolErrors: [{ kind: 'content-error', spanId: 'span-1', argumentProblem: 'no city' }],
      },
      'arguments',
    ],
    [
      'the same where the case expects no call',
      {
        ...authored({ expectsToolCall: false }),
        spans: [span({ status: 'error' })],
        toolErrors: [{ kind: 'content-error', spanId: 'span-1', argumentProblem: 'no city' }],
      },
      'arguments',
    ],
    ['a timed out request', { spans: [toolSpan, span({ mcpErrorCode: -32001 })] }, 'setup'],
    ['response', { toolErrors: [{ kind: 'content-error' }] }, 'serverData'],
    ['user value', { assertions: [assertion('responseContains', false)] }, 'userValue'],
  ])('%s', (_title, change, category) => {
    expect(deriveChain({ ...allGood, ...change }).failureCategory).toBe(category);
  });

  test('the quotes stand in the row, before the reasons', () => {
    const assertions = [assertion('toolCalledAtLeastOnce', false, 'find was never called')];
    const chain = deriveChain({ ...allGood, ...missing, ...quotes, assertions });
    expect(chain.stageResults[2]?.evidence).toEqual({
      promptIndexes: [0],
      predicateReasons: ['"gets things"', 'find was never called'],
    });
  });
});
