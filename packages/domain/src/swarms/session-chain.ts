/**
 * The chain of a session, by the analyzer of trials. What a rubric adds, its turns and assertions, comes from whoever
 * grades; here stands what is known without a grade.
 */
import { type DerivedChain, deriveChain } from '../chain/derive-chain.ts';
import type { AuthoredFacts } from '../chain/trial-evidence.ts';
import { attemptEnds } from './attempt-ends.ts';
import type { JourneyCriterion } from './criterion.ts';
import type { AttemptErrorCode, SessionEvidence } from './session-evidence.ts';

/** A session is always asked something; what more is expected of it, its gating criteria say. */
export function factsOfRubric(rubric: readonly JourneyCriterion[]): AuthoredFacts {
  return {
    hasPrompt: true,
    expectsToolCall: rubric.some(
      ({ role, predicate }) => role === 'gating' && callKinds.has(predicate.type),
    ),
    isNegativeTest: false,
    hasAssertion: rubric.length > 0,
    hasExpectedOutput: false,
    assertsWidget: false,
  };
}

const callKinds: ReadonlySet<string> = new Set(['toolCalledWith', 'toolCalledAtLeastOnce']);

/** Of a session that nobody grades: because there is no rubric, or because it was not played to its end. */
export function chainOfUngraded(
  { seen, end }: Pick<SessionEvidence, 'seen' | 'end'>,
  rubric: readonly JourneyCriterion[] = [],
): DerivedChain {
  const authored = factsOfRubric(rubric);
  const chain = deriveChain({ ...seen, authored, turns: [], assertions: [], renders: [] });
  const isOfUser = end.kind === 'notPlayed' && end.errorCode === 'persona_driver_failed';
  return isOfUser ? withoutTheUser(chain) : chain;
}

/** What was measured before the simulated user failed stands; nothing else could be. */
function withoutTheUser(chain: DerivedChain): DerivedChain {
  const stageResults = chain.stageResults.map((row) =>
    row.state === 'notMeasured'
      ? { stage: row.stage, state: row.state, reason: 'evaluatorError' as const }
      : row,
  );
  const failed = chain.firstFailedStage !== undefined;
  return { ...chain, stageResults, ...(!failed && { failureCategory: 'evaluator' as const }) };
}

/** What the analyzer is told of a session that was stopped from outside, of which nothing was kept. */
export function unseen(errorCode: AttemptErrorCode): SessionEvidence['seen'] {
  const seen: SessionEvidence['seen'] = {
    ...{ tracePresent: false, executorEmitsSpans: true, spans: [], toolErrors: [] },
    ...attemptEnds[errorCode].evidence,
  };
  return seen;
}
