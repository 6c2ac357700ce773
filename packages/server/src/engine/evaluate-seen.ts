/**
 * An assertion about what a trial has seen so far. Where the model was stopped, by the bound of its answers or by the
 * limit of their tokens, a text or a call that is missing may be its doing, so the reason names it.
 */
import {
  type Assertion,
  type AssertionResult,
  evaluateKnownAssertion,
  type PatternEngine,
} from '@proofmark/domain';
import type { TrialLog } from './trial-log.ts';

type Scope = NonNullable<Parameters<typeof evaluateKnownAssertion>[1]['scope']>;

export function evaluateSeen(
  assertion: Assertion,
  log: TrialLog,
  patterns: PatternEngine,
  scope?: Scope,
): AssertionResult {
  const transcript = log.transcript();
  const seen = scope === undefined ? { transcript, patterns } : { transcript, patterns, scope };
  const result = evaluateKnownAssertion(assertion, seen);
  const { stopped } = log;
  if (result.passed || stopped === undefined || !ofMissing.has(assertion.type)) return result;
  return { ...result, reason: `${result.reason} ${stopped}` };
}

const ofMissing: ReadonlySet<Assertion['type']> = new Set([
  'responseContains',
  'responseMatches',
  'finalAssistantMessageNonEmpty',
  'toolCalledWith',
  'toolCalledAtLeastOnce',
  'firstToolWas',
]);
