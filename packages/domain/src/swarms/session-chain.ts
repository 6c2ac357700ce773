/**
 * The chain of a session, by the analyzer of trials. What a rubric adds, its turns and assertions, comes from whoever
 * grades; here stands what is known without a grade.
 */
import { stagesAsserted } from '../chain/assertion-owner.ts';
import { type DerivedChain, deriveChain } from '../chain/derive-chain.ts';
import { type DecisionChain, readChain, type StoredChain } from '../chain/read-chain.ts';
import type { AuthoredFacts } from '../chain/trial-evidence.ts';
import { attemptEnds } from './attempt-ends.ts';
import type { JourneyCriterion } from './criterion.ts';
import type { JourneySnapshot } from './journey-snapshot.ts';
import { type AttemptErrorCode, isPlayed, type SessionEvidence } from './session-evidence.ts';

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
    assertedStages: stagesAsserted(
      rubric.flatMap(({ role, predicate }) => (role === 'gating' ? [predicate] : [])),
      true,
    ),
  };
}

const callKinds: ReadonlySet<string> = new Set(['toolCalledWith', 'toolCalledAtLeastOnce']);

/** Of a session that nobody grades: because there is no rubric, or because it was not played to its end. */
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
 * What was measured before the simulated user failed stands; nothing else could be. Whatever had failed by then, what
 * ended the session was ours, so its category sends nobody to the server.
 */
function withoutTheUser(chain: DerivedChain): DerivedChain {
  const stageResults = chain.stageResults.map((row) =>
    row.state === 'notMeasured'
      ? { stage: row.stage, state: row.state, reason: 'evaluatorError' as const }
      : row,
  );
  return { ...chain, stageResults, failureCategory: 'evaluator' };
}

/** As chains of trials are read; of a session alone the simulated user may have failed after a stage had. */
export function readSessionChain(stored: StoredChain | undefined): DecisionChain {
  const read = readChain(stored);
  if (read.status !== 'unverified' || stored?.failureCategory !== 'evaluator') return read;
  const { failureCategory, ...rest } = stored;
  const without = readChain(rest);
  return without.status === 'verified' ? { ...without, failureCategory } : read;
}

/** What the analyzer is told of a session that was stopped from outside, of which nothing was kept. */
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
