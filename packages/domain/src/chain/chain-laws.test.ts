/** What holds for every chain, whatever the evidence. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { trialStatuses } from '../verdict/decision.ts';
import { deriveChain } from './derive-chain.ts';
import { DecisionChain, readChain, type StoredChain } from './read-chain.ts';
import type { TrialEvidence } from './trial-evidence.ts';
import {
  failureCategories,
  reasonsOf,
  type Stage,
  StageResultRow,
  type StageResultRow as StageRow,
  stageReasons,
  stageStates,
  stages,
} from './vocabulary.ts';

const index = fc.nat(7);
const text = fc.oneof(
  fc.string({ maxLength: 4 }),
  fc
    .integer({ min: 495, max: 505 })
    .map((length) => `${'x'.repeat(length % 2)}${'😀'.repeat(length >> 1)}`),
);
const signal = fc.oneof(
  fc.record({ ok: fc.constant(true as const) }),
  fc.record({
    ok: fc.constant(false as const),
    attribution: fc.constantFrom('ours' as const, 'theirs' as const, 'unknown' as const),
    egressVerified: fc.boolean(),
  }),
);
const spanIds = fc.array(fc.constantFrom('a', 'b'), { maxLength: 2 });
const span = fc.record(
  {
    id: fc.string({ minLength: 1, maxLength: 4 }),
    category: fc.constantFrom('tool', 'tool', 'llm', 'step', 'error'),
    status: fc.constantFrom('ok' as const, 'error' as const),
    toolName: fc.constantFrom('find', 'read'),
    promptIndex: index,
    mcpErrorCode: fc.constantFrom(-32000, -32001, -32050, -32602, -32603),
    mcpErrorOrigin: fc.constantFrom('ours' as const, 'theirs' as const),
  },
  { requiredKeys: ['id', 'category'] },
);
const turn = fc.record(
  {
    promptIndex: index,
    calledCount: fc.nat(2),
    missingCount: fc.constantFrom(0, 0, 0, 1),
    unexpectedCount: fc.constantFrom(0, 0, 1),
    argumentMismatchCount: fc.constantFrom(0, 0, 0, 1),
    passed: fc.boolean(),
    mismatchedSpanIds: spanIds,
    unexpectedSpanIds: spanIds,
  },
  { requiredKeys: ['missingCount', 'unexpectedCount', 'argumentMismatchCount'] },
);
const assertion = fc.record(
  {
    type: fc.constantFrom(
      'toolCalledWith',
      'toolCalledAtLeastOnce',
      'toolNeverCalled',
      'firstToolWas',
      'onlyToolsCalled',
      'responseContains',
      'noToolErrors',
    ),
    passed: fc.constantFrom(true, true, false),
    reason: text,
    promptIndex: index,
    advisory: fc.boolean(),
    spanIds,
  },
  { requiredKeys: ['type', 'passed'] },
);
const judge = fc.oneof(
  fc.record({ status: fc.constantFrom('pending' as const, 'errored' as const) }),
  fc.record(
    {
      status: fc.constant('scored' as const),
      score: fc.oneof(fc.double({ min: 0, max: 1 }), fc.double()),
      threshold: fc.constantFrom(0.7, 0.5, Number.NaN),
      partialFloor: fc.constantFrom(0.4, 0.2),
      reason: text,
    },
    { requiredKeys: ['status', 'score', 'threshold', 'partialFloor'] },
  ),
);
const toolError = fc.record(
  {
    kind: fc.constantFrom('content-error' as const, 'protocol-error' as const),
    spanId: fc.constantFrom('a', 'b'),
    argumentProblem: fc.constantFrom('no city', 'no day'),
    resultProblem: fc.constantFrom('/temperature'),
  },
  { requiredKeys: ['kind'] },
);
const rarely = fc.constantFrom(false, false, false, true);

function few<Item>(item: fc.Arbitrary<Item>) {
  return fc.oneof(fc.constant([] as Item[]), fc.array(item, { maxLength: 3 }));
}

/** Any evidence a trial could leave behind, likely and unlikely alike. */
const arbitraryEvidence: fc.Arbitrary<TrialEvidence> = fc.record(
  {
    authored: fc.record({
      hasPrompt: fc.boolean(),
      expectsToolCall: fc.boolean(),
      isNegativeTest: fc.boolean(),
      hasAssertion: fc.boolean(),
      hasExpectedOutput: fc.boolean(),
      assertsWidget: rarely,
    }),
    status: fc.oneof(
      fc.constantFrom('completed' as const, 'failed' as const),
      fc.constantFrom(...trialStatuses),
    ),
    blockedByPolicy: rarely,
    connect: signal,
    toolsList: signal,
    toolCount: fc.nat(2),
    tracePresent: fc.boolean(),
    executorEmitsSpans: fc.boolean(),
    spans: few(span),
    turns: few(turn),
    assertions: few(assertion),
    toolErrors: few(toolError),
    renders: few(fc.record({ status: fc.constantFrom('rendered', 'rendered', 'mount_failed') })),
    judge: judge as fc.Arbitrary<NonNullable<TrialEvidence['judge']>>,
    attribution: fc.record({
      category: fc.constantFrom('metadata' as const, 'selection' as const),
      quotes: fc.array(text, { maxLength: 2 }),
    }),
    evaluatorError: rarely,
    providerError: rarely,
  },
  {
    requiredKeys: [
      'authored',
      'status',
      'tracePresent',
      'executorEmitsSpans',
      'spans',
      'turns',
      'assertions',
      'toolErrors',
      'renders',
    ],
  },
);

const runs = { numRuns: 500 };

function always(law: (evidence: TrialEvidence) => void) {
  fc.assert(fc.property(arbitraryEvidence, law), runs);
}

describe('a derived chain', () => {
  test('has every stage once, in order, and nothing reached after the first failure', () => {
    always((evidence) => {
      const { stageResults, firstFailedStage } = deriveChain(evidence);
      expect(stageResults.map((row) => row.stage)).toEqual(stages);
      const states = stageResults.map((row) => row.state);
      const first = states.indexOf('failed');
      expect(firstFailedStage).toBe(first === -1 ? undefined : stages[first]);
      const reached = first === -1 ? states : states.slice(0, first + 1);
      expect(reached).not.toContain('notReached');
      for (const row of stageResults.slice(reached.length)) {
        expect(row).toEqual({
          stage: row.stage,
          state: 'notReached',
          reason: 'earlierStageFailed',
        });
      }
    });
  });

  test('passes a stage only when eligible evidence of it was there to inspect', () => {
    always((evidence) => {
      for (const row of deriveChain(evidence).stageResults) {
        if (row.state === 'passed') expect(hasEligibleEvidence[row.stage](evidence)).toBe(true);
      }
    });
  });

  test('passes and fails nothing when nothing was captured', () => {
    always(({ authored, status, tracePresent, executorEmitsSpans }) => {
      const { stageResults } = deriveChain({
        authored,
        status,
        tracePresent,
        executorEmitsSpans,
        spans: [],
        turns: [],
        assertions: [],
        toolErrors: [],
        renders: [],
      });
      for (const row of stageResults) expect(row.state).toMatch(/^not(Measured|Applicable)$/);
    });
  });

  test('gives each state a reason that belongs to it', () => {
    always((evidence) => {
      for (const { state, reason } of deriveChain(evidence).stageResults) {
        expect(reasonsOf[state]).toContain(reason);
      }
    });
  });

  test('is the same bytes for the same evidence, whatever the order of its keys', () => {
    always((evidence) => {
      const bytes = JSON.stringify(deriveChain(evidence));
      expect(JSON.stringify(deriveChain(evidence))).toBe(bytes);
      expect(JSON.stringify(deriveChain(reverseKeys(evidence) as TrialEvidence))).toBe(bytes);
    });
  });

  test('reads back as verified, before and after storage', () => {
    always((evidence) => {
      const chain = deriveChain(evidence);
      const read = readChain(chain);
      expect(read).toMatchObject({ status: 'verified', stages: chain.stageResults });
      expect(readChain(JSON.parse(JSON.stringify(chain)))).toEqual(read);
    });
  });
});

describe('whose fault it was', () => {
  test("arguments that break the schema are never the server's, alone or beside nothing else", () => {
    always((evidence) => {
      const { spans: _, turns: __, providerError: ___, evaluatorError: ____, ...rest } = evidence;
      const excused = {
        ...rest,
        blockedByPolicy: false,
        status: 'completed' as const,
        connect: { ok: true } as const,
        toolsList: { ok: true } as const,
        turns: [],
        assertions: [],
        spans: [{ id: 'a', category: 'tool', status: 'error' } as const],
        toolErrors: [{ kind: 'content-error', spanId: 'a', argumentProblem: 'no city' }] as const,
      };
      const { failureCategory, firstFailedStage, stageResults } = deriveChain(excused);
      expect([firstFailedStage, failureCategory]).toEqual(['call', 'arguments']);
      expect(stageResults[3]?.evidence?.predicateReasons).toEqual(['no city']);
    });
  });

  test('a call is of set-up only where our own transport lost it', () => {
    always((evidence) => {
      const { failureCategory, firstFailedStage } = deriveChain(evidence);
      if (firstFailedStage !== 'call' || failureCategory !== 'setup') return;
      const isOurs = ({ mcpErrorCode, mcpErrorOrigin }: TrialEvidence['spans'][number]) =>
        mcpErrorCode !== undefined &&
        (mcpErrorOrigin === undefined
          ? [-32000, -32001].includes(mcpErrorCode)
          : mcpErrorOrigin === 'ours');
      expect(evidence.spans.some(isOurs)).toBe(true);
    });
  });

  test('a provider that failed explains every row that is not measured, but for a broken grader', () => {
    always((evidence) => {
      const measured = { ...evidence, status: 'completed' as const, blockedByPolicy: false };
      for (const { state, reason } of deriveChain({ ...measured, providerError: true })
        .stageResults) {
        if (state === 'notMeasured') expect(['providerError', 'evaluatorError']).toContain(reason);
      }
    });
  });

  test('a provider that failed leaves no stage passed by silence', () => {
    always((evidence) => {
      const silent = {
        ...evidence,
        providerError: true,
        spans: [],
        turns: evidence.turns.map((turn) => ({ ...turn, calledCount: 0 })),
      };
      const { stageResults } = deriveChain(silent);
      expect(stageResults[2]?.state).not.toBe('passed');
      expect(stageResults[3]?.state).not.toBe('passed');
    });
  });

  test('a row that rests on a call names it', () => {
    always((evidence) => {
      const spanOf = { unexpectedSpanIds: ['a'], mismatchedSpanIds: ['a'] };
      const { stageResults } = deriveChain({
        ...evidence,
        spans: evidence.spans.map((span) => ({ ...span, id: 'a' })),
        turns: evidence.turns.map((turn) => ({ ...turn, ...spanOf })),
        toolErrors: evidence.toolErrors.map((error) => ({ ...error, spanId: 'a' })),
        assertions: evidence.assertions.map((one) => ({ ...one, spanIds: ['a'] })),
      });
      for (const { reason, evidence: pointers } of stageResults) {
        if (!restsOnCall.includes(String(reason))) continue;
        expect(pointers?.spanIds).toEqual(['a']);
      }
    });
  });
});

const restsOnCall = ['protocolError', 'argumentMismatch', 'unexpectedToolCall', 'toolError'];

describe('a broken grader', () => {
  test('never makes a failure and never moves one into another category than its own', () => {
    always((evidence) => {
      const { evaluatorError: _dropped, ...graded } = evidence;
      const before = deriveChain(graded);
      const after = deriveChain({ ...graded, evaluatorError: true });
      if (after.failureCategory !== before.failureCategory) {
        expect(after.failureCategory).toBe('evaluator');
      }
      for (const [index, row] of after.stageResults.entries()) {
        if (row.state === 'failed') expect(row).toEqual(before.stageResults[index]);
      }
    });
  });

  test('hides no failure that was measured before it was asked', () => {
    always((evidence) => {
      const { firstFailedStage } = deriveChain(evidence);
      if (firstFailedStage === undefined || firstFailedStage === 'userValue') return;
      const after = deriveChain({ ...evidence, evaluatorError: true });
      expect(after.firstFailedStage).toBe(firstFailedStage);
    });
  });

  test('is never the category of a chain in which a stage failed', () => {
    always((evidence) => {
      const { firstFailedStage, failureCategory } = deriveChain(evidence);
      if (firstFailedStage !== undefined) expect(failureCategory).not.toBe('evaluator');
    });
  });
});

describe('an altered chain', () => {
  test('keeps to the rules or reads as unverified, and shows no more than was stored', () => {
    let refused = 0;
    const alteration = fc.record({
      place: fc.nat(5),
      member: fc.constantFrom('stage', 'state', 'reason', 'evidence', 'note'),
      column: fc.constantFrom('row', 'row', 'firstFailedStage', 'failureCategory'),
      value: fc.oneof(
        fc.constantFrom(...stages, ...stageStates, ...stageReasons, ...failureCategories),
        fc.constantFrom<unknown>(null, undefined, 7, [], {}, 'other'),
        fc.record({ promptIndexes: fc.array(fc.integer(), { maxLength: 7 }) }),
      ),
    });
    fc.assert(
      fc.property(arbitraryEvidence, alteration, (evidence, { place, member, column, value }) => {
        const chain = deriveChain(evidence);
        const altered: StoredChain =
          column === 'row'
            ? {
                ...chain,
                stageResults: chain.stageResults.map((row, index) =>
                  index === place ? { ...row, [member]: value } : row,
                ),
              }
            : { ...chain, [column]: value };
        const read = readChain(altered);
        expect(DecisionChain.safeParse(read).success).toBe(true);
        if (!keepsToTheRules(altered)) {
          refused += 1;
          expect(read).toEqual({ status: 'unverified', analyzerVersion: 2 });
        } else {
          expect(read).toMatchObject({ status: 'verified', stages: altered.stageResults });
        }
      }),
      runs,
    );
    expect(refused).toBeGreaterThan(runs.numRuns / 4);
  });

  test('whatever was stored, reading it never throws', () => {
    const columns = fc.record(
      {
        stageResults: fc.anything(),
        firstFailedStage: fc.anything(),
        failureCategory: fc.anything(),
        stageAnalyzerVersion: fc.oneof(fc.anything(), fc.nat(4)),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(columns, (stored) => {
        expect(readChain(stored).status).not.toBe('verified');
      }),
      runs,
    );
  });
});

const hasEligibleEvidence: Record<Stage, (evidence: TrialEvidence) => boolean> = {
  connection: ({ connect, toolCount, spans }) =>
    connect?.ok === true || Number(toolCount) > 0 || spans.some((span) => span.category === 'tool'),
  discovery: ({ toolsList, toolCount, spans }) =>
    toolsList?.ok === true ||
    Number(toolCount) > 0 ||
    spans.some((span) => span.category === 'tool'),
  selection: ({ turns }) => turns.length > 0,
  call: ({ spans, turns, authored }) =>
    spans.some((span) => span.category === 'tool') || (authored.isNegativeTest && turns.length > 0),
  response: ({ spans, renders }) =>
    spans.some((span) => span.category === 'tool' && span.status === 'ok') || renders.length > 0,
  userValue: ({ assertions, judge }) =>
    judge?.status === 'scored' || assertions.some((assertion) => !assertion.advisory),
};

/** The rules of a stored chain of a version we know, said a second time. */
function keepsToTheRules({ stageResults, firstFailedStage, failureCategory }: StoredChain) {
  const rows = stageResults as readonly StageRow[];
  if (rows.some((row, index) => row.stage !== stages[index])) return false;
  if (rows.some((row) => !StageResultRow.safeParse(row).success)) return false;
  if (failureCategory !== undefined && !failureCategories.some((one) => one === failureCategory)) {
    return false;
  }
  let failedAt: Stage | undefined;
  let failedFor: StageRow['reason'];
  for (const row of rows) {
    const isExcused = row.reason === undefined || row.reason === 'earlierStageFailed';
    if (failedAt !== undefined && (row.state !== 'notReached' || !isExcused)) return false;
    if (row.state !== 'failed') continue;
    if (row.reason !== undefined && !reasonsOf.failed.some((one) => one === row.reason)) {
      return false;
    }
    failedAt = row.stage;
    failedFor = row.reason;
  }
  if (firstFailedStage !== failedAt) return false;
  return failureCategory === undefined || fitsTable(failedAt, failedFor, String(failureCategory));
}

function fitsTable(
  stage: Stage | undefined,
  reason: StageRow['reason'],
  category: string,
): boolean {
  if (stage === undefined) return category === 'setup' || category === 'evaluator';
  if (stage === 'connection' || stage === 'discovery') return category === 'setup';
  if (stage === 'selection') return category === 'selection' || category === 'metadata';
  if (stage !== 'call') return category === (stage === 'response' ? 'serverData' : 'userValue');
  if (reason === undefined) return ['setup', 'arguments', 'serverData'].includes(category);
  return (category === 'arguments') === (reason === 'argumentMismatch')
    ? ['setup', 'arguments', 'serverData'].includes(category)
    : false;
}

function reverseKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reverseKeys);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, member]) => [key, reverseKeys(member)]);
  return Object.fromEntries(entries.reverse());
}
