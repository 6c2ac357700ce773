/**
 * The chain (the result of each stage) of an ungraded session, derived by the same analyzer as for
 * trials. The grader derives the chain of graded sessions.
 */
import { stagesAsserted } from '../chain/assertion-owner.ts';
import { type DerivedChain, deriveChain } from '../chain/derive-chain.ts';
import { type DecisionChain, readChain, type StoredChain } from '../chain/read-chain.ts';
import type { AuthoredFacts } from '../chain/trial-evidence.ts';
import { attemptEnds } from './attempt-ends.ts';
import type { JourneyCriterion } from './criterion.ts';
import type { JourneySnapshot } from './journey-snapshot.ts';
import { type AttemptErrorCode, isPlayed, type SessionEvidence } from './session-evidence.ts';

/** Every session has a prompt. All other expectations come from the gating criteria. */
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
    assertedStages: stagesAsserted(
      rubric.flatMap(({ role, predicate }) => (role === 'gating' ? [predicate] : [])),
      true,
    ),
  };
}

const callKinds: ReadonlySet<string> = new Set(['toolCalledWith', 'toolCalledAtLeastOnce']);

export function chainOfUngraded(
  { seen, end }: Pick<SessionEvidence, 'seen' | 'end'>,
  { rubric, judge }: Pick<JourneySnapshot, 'rubric' | 'judge'> = nothingAsked,
): DerivedChain {
  const owesJudge = judge !== null && isPlayed(end);
  const authored = { ...factsOfRubric(rubric), hasExpectedOutput: owesJudge };
  const chain = deriveChain({
    ...seen,
    authored,
    turns: [],
    assertions: [],
    renders: [],
    ...(owesJudge && { judge: { status: 'pending' } }),
  });
  const isOfUser = end.kind === 'notPlayed' && end.errorCode === 'persona_driver_failed';
  return isOfUser ? withoutTheUser(chain) : chain;
}

const nothingAsked = { rubric: [], judge: null };

/**
 * Corrects the stage results of a session that ended because the simulated user failed. Measured
 * stages stay; the others get the reason `evaluatorError`. The category is `evaluator` even after a
 * failed stage, so that the server is not blamed.
 */
function withoutTheUser(chain: DerivedChain): DerivedChain {
  const stageResults = chain.stageResults.map((row) =>
    row.state === 'notMeasured'
      ? { stage: row.stage, state: row.state, reason: 'evaluatorError' as const }
      : row,
  );
  return { ...chain, stageResults, failureCategory: 'evaluator' };
}

/**
 * Reads the stored stage results of a session. A failed stage with the category `evaluator` is
 * valid for a session but invalid for a trial. The reader for trials therefore gets it without the
 * category.
 */
export function readSessionChain(stored: StoredChain | undefined): DecisionChain {
  const read = readChain(stored);
  if (read.status !== 'unverified' || stored?.failureCategory !== 'evaluator') return read;
  const { failureCategory, ...rest } = stored;
  const without = readChain(rest);
  return without.status === 'verified' ? { ...without, failureCategory } : read;
}

/** Returns the evidence of a session that was stopped from outside before it stored any. */
export function unseen(errorCode: AttemptErrorCode): SessionEvidence['seen'] {
  const seen: SessionEvidence['seen'] = {
    tracePresent: false,
    executorEmitsSpans: true,
    spans: [],
    toolErrors: [],
    ...attemptEnds[errorCode].evidence,
  };
  return seen;
}
