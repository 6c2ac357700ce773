/**
 * Measures the criteria of a session when it ends, from its complete data. Later measurements would
 * be wrong, since calls and texts are stored truncated and without secrets.
 */
import { isAdvisory } from '../assertions/assertion.ts';
import type { AssertionContext } from '../assertions/assertion-kind.ts';
import { evaluateKnownAssertion } from '../assertions/evaluate-assertion.ts';
import { sortSeenErrors } from '../assertions/excused-errors.ts';
import { defaultMatchOptions } from '../assertions/match-options.ts';
import type { ToolCall } from '../assertions/transcript.ts';
import { isAboutChoice } from '../chain/assertion-owner.ts';
import { spansOfErrors } from '../chain/expected-errors.ts';
import type { TurnEvidence } from '../chain/trial-evidence.ts';
import { type AskedAssertion, assertionEvidence, gradeTurns } from '../trials/grade-trial.ts';
import type { JourneyCriterion } from './criterion.ts';
import type { MeasuredRubric, SessionEvidence } from './session-evidence.ts';

export function measureRubric(
  rubric: readonly JourneyCriterion[],
  evidence: Pick<SessionEvidence, 'transcript' | 'turns'>,
  engines: Pick<AssertionContext, 'patterns' | 'schemas' | 'countTokens'>,
): MeasuredRubric {
  const siblings = rubric.map(({ predicate }) => ({ assertion: predicate }));
  const subject = { transcript: evidence.transcript, ...engines, siblings };
  const asked = rubric.map(
    ({ predicate }): AskedAssertion => ({
      assertion: predicate,
      result: evaluateKnownAssertion(predicate, subject),
    }),
  );
  const calls = evidence.turns.flat();
  const spanIds = new Map(calls.map((call) => [call.arguments, call.spanId]));
  const spanIdOf = (call: Pick<ToolCall, 'arguments'>) => spanIds.get(call.arguments);
  const choosing = rubric.some(
    ({ predicate }) => !isAdvisory(predicate) && isAboutChoice(predicate.type),
  );
  const { toolCalls, toolErrors = [] } = evidence.transcript;
  const stated = spansOfErrors(sortSeenErrors(siblings, { toolCalls, toolErrors }));
  return {
    criteria: rubric.map(({ id }, index) => {
      const { passed = false, reason = '', evaluatorError } = asked[index]?.result ?? {};
      const grade = { criterionId: id, passed, reason };
      return evaluatorError ? { ...grade, evaluatorError } : grade;
    }),
    // If no gating criterion is about the choice of tools, the choice is not evaluated.
    turns: choosing ? turnsOf(evidence, asked, spanIdOf) : [],
    assertions: assertionEvidence(asked, calls, spanIdOf),
    ...(stated.excused.length > 0 && { excusedSpanIds: stated.excused }),
    ...(stated.unknown.length > 0 && { unknownSpanIds: stated.unknown }),
  };
}

/**
 * Grades all calls of a session as one turn, since criteria do not say in which turn a call must
 * happen. The evidence still names the turn of each call.
 */
function turnsOf(
  { turns }: Pick<SessionEvidence, 'turns'>,
  asked: readonly AskedAssertion[],
  spanIdOf: (call: Pick<ToolCall, 'arguments'>) => string | undefined,
): TurnEvidence[] {
  const turnOfSpan = new Map(
    turns.flatMap((calls, index) => calls.map(({ spanId }) => [spanId, index] as const)),
  );
  const graded = gradeTurns({
    planned: { isNegative: false, matchOptions: defaultMatchOptions, failOnToolError: false },
    turns: [
      {
        authored: { promptIndex: 0, opener: 'prompt', prompt: '', expected: [], stated: [] },
        actual: turns.flat(),
      },
    ],
    skillsOffered: false,
    asked,
    hasToolError: false,
    hasPinnedToolError: false,
    spanIdOf,
  });
  return graded.turns.map(({ promptIndex: _, ...turn }) => {
    const [first] = turn.mismatchedSpanIds ?? [];
    const promptIndex = first === undefined ? undefined : turnOfSpan.get(first);
    return promptIndex === undefined ? turn : { ...turn, promptIndex };
  });
}
