/**
 * An assertion about what a trial has seen so far. Where the model was stopped, by the bound of its answers or by the
 * limit of their tokens, a text or a call that is missing may be its doing, so the reason names it.
 */
import {
  type Assertion,
  type AssertionResult,
  type AssertionScope,
  evaluateKnownAssertion,
  looksAtTurnAlone,
  statedRows,
  type Transcript,
} from '@proofmark/domain';
import { boundedSchemas } from '../mcp/schema-engine.ts';
import type { TrialContext } from './trial-context.ts';
import type { TrialLog } from './trial-log.ts';

export function evaluateSeen(
  assertion: Assertion,
  { log, dependencies, planned, projected }: TrialContext,
  scope?: AssertionScope,
): AssertionResult {
  const result = evaluateKnownAssertion(assertion, {
    transcript: seenBy(assertion, log, scope),
    patterns: dependencies.patterns,
    schemas: boundedSchemas,
    siblings: statedRows(projected, planned.assertions),
    ...(scope !== undefined && { scope }),
  });
  const { stopped } = log;
  if (result.passed || stopped === undefined || !ofMissing.has(assertion.type)) return result;
  return { ...result, reason: `${result.reason} ${stopped}` };
}

/** Of a turn, where the assertion asks about no more. */
function seenBy(
  assertion: Assertion,
  log: TrialLog,
  scope: AssertionScope | undefined,
): Transcript {
  const transcript = log.transcript();
  if (scope === undefined || !looksAtTurnAlone(assertion.type)) return transcript;
  const { promptIndex } = scope;
  return {
    ...transcript,
    toolCalls: log.callsOfTurns[promptIndex] ?? [],
    toolErrors: log.toolErrors.filter((error) => error.promptIndex === promptIndex),
  };
}

const ofMissing: ReadonlySet<Assertion['type']> = new Set([
  'responseContains',
  'responseMatches',
  'responseCloseTo',
  'finalAssistantMessageNonEmpty',
  'toolCalledWith',
  'toolCalledAtLeastOnce',
  'firstToolWas',
]);
