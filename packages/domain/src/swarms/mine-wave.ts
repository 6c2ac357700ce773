/**
 * Updates a project's findings with the problems counted in one wave. If too few sessions of the
 * wave were played or read, no finding is resolved, since a missing problem proves nothing.
 * Observed problems still count.
 */
import { fingerprintOf } from '../insights/candidate.ts';
import type { InsightCoverage } from '../insights/finding-evidence.ts';
import type { FindingState, MinedScope } from '../insights/finding-states.ts';
import {
  type ChangedState,
  type SteppedFindings,
  stepFindings,
} from '../insights/step-findings.ts';
import type { AnalyzedSession } from './analyzed-session.ts';
import { detectInWave } from './detect-in-wave.ts';
import { type FoundInWave, makeFinding } from './finding-evidence.ts';

export interface KnownFinding {
  readonly fingerprint: string;
  readonly dimension: string;
  readonly state: FindingState;
  readonly journeyIds: readonly string[];
}

export type ChangedFinding = ChangedState<FoundInWave>;

export function touchedBy(sessions: readonly AnalyzedSession[]): {
  readonly fired: string[];
  readonly measured: string[];
} {
  const { detections, measured } = detectInWave(sessions);
  const fired = detections.map(({ detector, subject }) => fingerprintOf(detector, subject));
  return { fired, measured: [...measured] };
}

export function mineWave(
  known: readonly KnownFinding[],
  sessions: readonly AnalyzedSession[],
  wave: MinedScope & {
    readonly coverage: Pick<InsightCoverage, 'truncated' | 'lowConfidence'>;
    /** The fingerprints of problems that an earlier analysis of this wave already counted. */
    readonly counted: ReadonlySet<string>;
    tracePathOf(session: Pick<AnalyzedSession, 'id' | 'runId'>): string;
  },
): SteppedFindings<FoundInWave> {
  const { detections, measured, omitted } = detectInWave(sessions);
  const findings = detections.flatMap((detection) => makeFinding(detection, wave) ?? []);
  const playedJourneys = new Set(
    sessions.flatMap(({ wasPlayed, journey }) => (wasPlayed ? journey.id : [])),
  );
  const isReliable = !wave.coverage.truncated && !wave.coverage.lowConfidence;
  return stepFindings(known, findings, wave, {
    couldSee: ({ fingerprint, dimension, journeyIds }) =>
      isReliable &&
      (dimension === 'hallucinated_tool'
        ? !omitted.has(fingerprint) && journeyIds.some((id) => playedJourneys.has(id))
        : measured.has(fingerprint)),
    wasCounted: (fingerprint) => wave.counted.has(fingerprint),
  });
}
