import { always, arbitraryEvidence, runs } from '@proofmark/harness/any-evidence.ts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { stageOfAssertion } from './assertion-owner.ts';
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

describe('an assertion', () => {
  const measured = (evidence: TrialEvidence): TrialEvidence => {
    const { blockedByPolicy: _, providerError: __, evaluatorError: ___, ...rest } = evidence;
    return { ...rest, status: 'completed', tracePresent: true };
  };

  test('that gates and does not hold fails its stage, or one before it did', () => {
    always((evidence) => {
      const trial = measured(evidence);
      for (const one of trial.assertions) {
        if (one.passed || one.advisory || one.unanswered) continue;
        const stage = stageOfAssertion(one.type, trial.authored.hasPrompt);
        if (stage === undefined) continue;
        const authored = { ...trial.authored, assertedStages: [stage] };
        const { firstFailedStage } = deriveChain({ ...trial, authored });
        expect(firstFailedStage).toBeDefined();
        expect(stages.indexOf(firstFailedStage as Stage)).toBeLessThanOrEqual(
          stages.indexOf(stage),
        );
      }
    });
  });

  test('that nobody could answer leaves its stage without a pass', () => {
    always((evidence) => {
      const trial = measured(evidence);
      for (const one of trial.assertions) {
        if (one.advisory || !one.unanswered) continue;
        const stage = stageOfAssertion(one.type, trial.authored.hasPrompt);
        const row = deriveChain(trial).stageResults.find((found) => found.stage === stage);
        expect(row?.state).not.toBe('passed');
      }
    });
  });

  test('that advises changes nothing', () => {
    always((evidence) => {
      const assertions = evidence.assertions.map((one) => ({ ...one, advisory: true }));
      expect(deriveChain({ ...evidence, assertions })).toEqual(
        deriveChain({
          ...evidence,
          assertions: assertions.map((one) => ({ ...one, passed: true })),
        }),
      );
    });
  });
});

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
  discovery: ({ toolsList, toolCount, spans, assertions }) =>
    toolsList?.ok === true ||
    Number(toolCount) > 0 ||
    spans.some((span) => span.category === 'tool') ||
    assertions.some(isAnsweredOf('discovery')),
  selection: ({ turns }) => turns.length > 0,
  call: ({ spans, turns, authored, assertions }) =>
    spans.some((span) => span.category === 'tool') ||
    (authored.isNegativeTest && turns.length > 0) ||
    assertions.some(isAnsweredOf('call')),
  response: ({ spans, renders, assertions }) =>
    spans.some((span) => span.category === 'tool' && span.status === 'ok') ||
    renders.length > 0 ||
    assertions.some(isAnsweredOf('response')),
  userValue: ({ assertions, judge, authored }) =>
    judge?.status === 'scored' || assertions.some(isAnsweredOf('userValue', authored.hasPrompt)),
};

function isAnsweredOf(stage: Stage, hasPrompt = true) {
  return ({ type, advisory, unanswered }: TrialEvidence['assertions'][number]) =>
    !advisory && !unanswered && stageOfAssertion(type, hasPrompt) === stage;
}

/**
 * Checks the rules for a stored chain of a known version, written independently of the tested code.
 */
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
  if (stage === 'connection') return category === 'setup';
  if (stage === 'discovery') {
    const mayBe = { setup: reason !== 'predicateFailed', metadata: isAsserted(reason) };
    return mayBe[category as 'setup'] === true;
  }
  if (stage === 'selection') return category === 'selection' || category === 'metadata';
  if (stage !== 'call') return category === (stage === 'response' ? 'serverData' : 'userValue');
  if (reason === undefined) return ['setup', 'arguments', 'serverData'].includes(category);
  return (category === 'arguments') === (reason === 'argumentMismatch')
    ? ['setup', 'arguments', 'serverData'].includes(category)
    : false;
}

function isAsserted(reason: StageRow['reason']): boolean {
  return reason === undefined || reason === 'predicateFailed';
}

function reverseKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reverseKeys);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, member]) => [key, reverseKeys(member)]);
  return Object.fromEntries(entries.reverse());
}
