import { type Candidate, cutText, makeCandidate } from '../insights/candidate.ts';
import { groupBy } from '../insights/detection.ts';
import { findingTitle } from '../insights/detectors.ts';
import { patternOf } from '../insights/pattern.ts';
import type { AnalyzedSession } from './analyzed-session.ts';
import { criterionSubjectId, type SessionDetection } from './detect-in-wave.ts';
import { sessionAdvice, sessionNextAction } from './session-next-action.ts';

export interface SwarmFindingEvidence {
  readonly waveId: string;
  readonly affected: number;
  readonly sliceTotal: number;
  readonly exemplars: readonly {
    readonly runId: string;
    readonly sessionId: string;
    readonly tracePath: string;
    readonly promptIndex?: number;
    readonly reason?: string;
  }[];
  readonly contrastSessionIds: readonly string[];
  readonly targets: readonly {
    readonly targetId: string;
    readonly affected: number;
    readonly sliceTotal: number;
  }[];
  readonly patterns: readonly { readonly pattern: string; readonly affected: number }[];
}

export interface FoundInWave {
  readonly candidate: Candidate;
  readonly title: string;
  /** Null if the problem occurred in several journeys. */
  readonly journeyId: string | null;
  readonly journeyIds: readonly string[];
  readonly nextAction: string;
  readonly advice?: string;
  readonly evidence: SwarmFindingEvidence;
}

const [mostPatterns, longestReason] = [3, 500];

export function makeFinding(
  detection: SessionDetection,
  wave: {
    readonly id: string;
    tracePathOf(session: Pick<AnalyzedSession, 'id' | 'runId'>): string;
  },
): FoundInWave | undefined {
  const { detector, subject, fired, slice } = detection;
  const candidate = makeCandidate(detector, subject, detection);
  if (candidate === undefined) return undefined;
  const byId = new Map(fired.map((session) => [session.id, session]));
  const exemplars = candidate.exemplarIds.flatMap((id) => byId.get(id) ?? []);
  const atStage = exemplars.find(
    ({ firstFailedStage }) => firstFailedStage === candidate.firstFailedStage,
  );
  const advice = sessionAdvice(candidate.failureCategory, atStage?.stages);
  const journeyIds = [...new Set(fired.map(({ journey }) => journey.id))].sort();
  return {
    candidate,
    title: cutText(findingTitle(detector, candidate.subjectLabel), 300),
    journeyId: journeyIds.length === 1 ? (journeyIds[0] ?? null) : null,
    journeyIds,
    nextAction: sessionNextAction(candidate.failureCategory),
    ...(advice !== undefined && { advice }),
    evidence: {
      waveId: wave.id,
      affected: candidate.affected,
      sliceTotal: candidate.sliceTotal,
      exemplars: exemplars.map((session) => {
        const reason = cutText(reasonOf(detection, session), longestReason);
        return {
          runId: session.runId,
          sessionId: session.id,
          tracePath: wave.tracePathOf(session),
          ...(session.failedPrompt !== undefined && { promptIndex: session.failedPrompt }),
          ...(reason !== '' && { reason }),
        };
      }),
      contrastSessionIds: candidate.contrastIds,
      targets: targetsOf(fired, slice),
      patterns: patternsOf(detection),
    },
  };
}

/**
 * Returns the error or the reason recorded in a session; empty for detectors that record neither.
 */
export function reasonOf(
  {
    detector,
    subject,
  }: {
    readonly detector: string;
    readonly subject: { readonly id: string; readonly label: string };
  },
  session: AnalyzedSession,
): string {
  if (detector === 'tool_errors' || detector === 'error_recovered_pass') {
    return session.toolErrors.get(subject.id) ?? '';
  }
  if (detector !== 'criterion_fail') return '';
  const grade = session.criteria.find((one) => criterionSubjectId(session, one) === subject.id);
  return grade?.reason ?? '';
}

function targetsOf(
  fired: readonly AnalyzedSession[],
  slice: readonly AnalyzedSession[],
): SwarmFindingEvidence['targets'] {
  const affected = groupBy(fired, ({ targetId }) => targetId);
  return [...groupBy(slice, ({ targetId }) => targetId)]
    .map(([targetId, of]) => ({
      targetId,
      affected: affected.get(targetId)?.length ?? 0,
      sliceTotal: of.length,
    }))
    .sort((one, other) => (one.targetId < other.targetId ? -1 : 1));
}

function patternsOf(detection: SessionDetection): SwarmFindingEvidence['patterns'] {
  const reasons = detection.fired.map((session) => patternOf(reasonOf(detection, session)));
  return [
    ...groupBy(
      reasons.filter((one) => one !== ''),
      (one) => one,
    ),
  ]
    .map(([pattern, of]) => ({ pattern, affected: of.length }))
    .sort((one, other) => other.affected - one.affected || (one.pattern < other.pattern ? -1 : 1))
    .slice(0, mostPatterns);
}
