/** A wave: the runs of a project that were launched together. */
import type { InsightCoverage } from '../insights/finding-evidence.ts';
import type { Refusal } from '../kernel/refusal.ts';

/**
 * The largest number of played sessions of a wave that its analysis (mining) reads; the newest are
 * used.
 */
export const mostMinedSessions = 500;

/** The largest number of runs in a wave, since every reader of a wave reads all its runs. */
export const mostRunsOfWave = 100;

export function refuseFullWave(runs: number): Refusal | undefined {
  if (runs < mostRunsOfWave) return undefined;
  return {
    code: 'CONFLICT',
    message: `A wave has at most ${mostRunsOfWave} runs; launch into another one.`,
    details: { reason: 'WAVE_FULL', limit: mostRunsOfWave },
  };
}

export interface WaveCounts {
  /** All sessions of the wave's runs, started or not. */
  readonly total: number;
  readonly played: number;
  readonly graded: number;
}

export function coverageOfWave({ total, played, graded }: WaveCounts): InsightCoverage {
  return {
    unit: 'sessions',
    analyzed: Math.min(played, mostMinedSessions),
    total,
    gradedCount: graded,
    truncated: played > mostMinedSessions,
    lowConfidence: played * 2 < total,
  };
}

/**
 * Returns whether no run of the wave is running and no session waits for a grade. A run that joins
 * the wave later makes this false again.
 */
export function isTerminalWave(
  runs: readonly { readonly status: string; readonly pendingGradings: number }[],
): boolean {
  return runs.every(({ status, pendingGradings }) => status !== 'running' && pendingGradings === 0);
}

/**
 * The state of the analysis (mining) of a wave. `failed` stays until another run of the wave ends.
 */
export const waveMinings = ['pending', 'completed', 'failed'] as const;
export type WaveMining = (typeof waveMinings)[number];

/**
 * An ended wave is still `pending` while a work item for its mining (the analysis of its sessions)
 * is open.
 */
export function miningOfWave(wave: {
  readonly isTerminal: boolean;
  readonly hasOpenWork: boolean;
  readonly hasResult: boolean;
  /**
   * Whether the latest mining (analysis of the wave) was given up. An older result then does not
   * cover all runs.
   */
  readonly isGivenUp: boolean;
}): WaveMining {
  if (!wave.isTerminal || wave.hasOpenWork) return 'pending';
  return wave.hasResult && !wave.isGivenUp ? 'completed' : 'failed';
}

/**
 * Counts of the outcomes of sessions on a target, regardless of the cause of their end. They never
 * become a finding.
 */
export interface TargetHealth {
  readonly subjectKind: 'environment' | 'host';
  readonly subjectId: string;
  readonly subjectLabel: string;
  readonly attempted: number;
  readonly succeeded: number;
  readonly failed: number;
  readonly rateLimited: number;
}

export function healthOfTargets(
  attempts: readonly {
    readonly target: {
      readonly kind: 'environment' | 'host';
      readonly id: string;
      readonly label: string;
    };
    readonly status: string;
    readonly begun: number;
  }[],
): TargetHealth[] {
  const byTarget = new Map<
    string,
    { -readonly [Name in keyof TargetHealth]: TargetHealth[Name] }
  >();
  for (const { target, status, begun } of attempts) {
    const key = JSON.stringify([target.kind, target.id]);
    const health = byTarget.get(key) ?? {
      subjectKind: target.kind,
      subjectId: target.id,
      subjectLabel: target.label,
      attempted: 0,
      succeeded: 0,
      failed: 0,
      rateLimited: 0,
    };
    byTarget.set(key, health);
    // A session that was never started says nothing about its target.
    if (begun === 0) continue;
    health.attempted += 1;
    if (status === 'succeeded') health.succeeded += 1;
    else if (status === 'rate_limited') health.rateLimited += 1;
    else if (status === 'failed') health.failed += 1;
  }
  return [...byTarget.values()];
}

/**
 * Returns the path of a session's trace, relative to the base address. Ids are encoded, so that
 * none can add a path segment.
 */
export function sessionTracePath(projectId: string, runId: string, sessionId: string): string {
  const [project, run, session] = [projectId, runId, sessionId].map((id) =>
    encodeURIComponent(id.toWellFormed()),
  );
  return `/projects/${project}/journey-runs/${run}/sessions/${session}/trace`;
}
