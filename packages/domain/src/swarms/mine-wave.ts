/**
 * What a wave comes to for the findings of its project. Where so much of the wave was not played, or was not read, that
 * silence means nothing, it resolves nothing; what it saw, it saw.
 */
import { orderCandidates } from '../insights/candidate.ts';
import type { InsightCoverage } from '../insights/material.ts';
import type { AnalyzedSession } from './analyzed-session.ts';
import { detectInWave } from './detect-in-wave.ts';
import { type FoundInWave, tellFinding } from './finding-evidence.ts';
import {
  type FindingState,
  type MinedWave,
  type SeenInWave,
  stepOfFinding,
} from './finding-states.ts';

/** A row of the project, as far as a wave changes it. */
export interface KnownFinding {
  readonly fingerprint: string;
  readonly dimension: string;
  readonly state: FindingState;
  /** The journeys in which it fired so far. */
  readonly journeyIds: readonly string[];
}

export interface ChangedFinding {
  readonly fingerprint: string;
  readonly state: FindingState;
  /** Where this wave is the last it fired in. */
  readonly told?: FoundInWave;
}

export interface MinedFindings {
  /** The severest first. */
  readonly found: readonly FoundInWave[];
  readonly changes: readonly ChangedFinding[];
}

export function mineWave(
  known: readonly KnownFinding[],
  sessions: readonly AnalyzedSession[],
  wave: MinedWave & {
    readonly coverage: Pick<InsightCoverage, 'truncated' | 'lowConfidence'>;
    /** The fingerprints that earlier minings of this wave counted. */
    readonly counted: ReadonlySet<string>;
    tracePathOf(session: Pick<AnalyzedSession, 'id' | 'runId'>): string;
  },
): MinedFindings {
  const { detections, measured } = detectInWave(sessions);
  const told = detections.flatMap((detection) => tellFinding(detection, wave) ?? []);
  const byFingerprint = new Map(told.map((one) => [one.candidate.fingerprint, one]));
  const playedJourneys = new Set(
    sessions.flatMap(({ wasPlayed, journey }) => (wasPlayed ? journey.id : [])),
  );
  const isReliable = !wave.coverage.truncated && !wave.coverage.lowConfidence;
  const couldSee = ({ fingerprint, dimension, journeyIds }: KnownFinding) =>
    dimension === 'hallucinated_tool'
      ? journeyIds.some((id) => playedJourneys.has(id))
      : measured.has(fingerprint);
  const before = new Map(known.map((one) => [one.fingerprint, one]));
  const changes = [...new Set([...before.keys(), ...byFingerprint.keys()])].flatMap(
    (fingerprint): ChangedFinding[] => {
      const row = before.get(fingerprint);
      const fired = byFingerprint.get(fingerprint);
      const seen: SeenInWave =
        fired !== undefined
          ? 'fires'
          : row !== undefined && isReliable && couldSee(row)
            ? 'quiet'
            : 'notMeasured';
      const state = stepOfFinding(row?.state, wave, seen, wave.counted.has(fingerprint));
      const isLast = fired !== undefined && state?.lastSeenWaveId === wave.id;
      if (state === undefined || (state === row?.state && !isLast)) return [];
      return [{ fingerprint, state, ...(isLast && { told: fired }) }];
    },
  );
  const order = orderCandidates(told.map(({ candidate }) => candidate));
  return { found: order.flatMap((one) => byFingerprint.get(one.fingerprint) ?? []), changes };
}
