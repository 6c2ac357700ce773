/** A wave: the runs of a project that were launched together, and how reliable its counts are. */
import type { InsightCoverage } from '../insights/finding-evidence.ts';
import type { Refusal } from '../kernel/refusal.ts';

/** The number of played sessions of a wave that are read, the newest first. */
export const mostMinedSessions = 500;

/** The limit of runs in a wave, since every reader of a wave reads all of them. */
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
  /** All sessions of its runs, started or not. */
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
 * Whether nothing of the wave is running or waiting for a grade. A run that is launched into it
 * reopens it.
 */
export function isTerminalWave(
  runs: readonly { readonly status: string; readonly pendingGradings: number }[],
): boolean {
  return runs.every(({ status, pendingGradings }) => status !== 'running' && pendingGradings === 0);
}

/** The state of mining a wave. `failed` is final until a run in it ends again. */
export const waveMinings = ['pending', 'completed', 'failed'] as const;
export type WaveMining = (typeof waveMinings)[number];

/**
 * Returns the state of mining. An ended wave has work to mine it, until there is a result or the
 * work is given up.
 */
export function miningOfWave(wave: {
  readonly isTerminal: boolean;
  readonly hasOpenWork: boolean;
  readonly hasResult: boolean;
  /** Whether its last mining was given up; an earlier result then does not cover all its runs. */
  readonly isGivenUp: boolean;
}): WaveMining {
  if (!wave.isTerminal || wave.hasOpenWork) return 'pending';
  return wave.hasResult && !wave.isGivenUp ? 'completed' : 'failed';
}

/**
 * The outcomes of a target's sessions, whatever ended them: the health of the runs, never a
 * finding.
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
    // A session that never started says nothing about its target.
    if (begun === 0) continue;
    health.attempted += 1;
    if (status === 'succeeded') health.succeeded += 1;
    else if (status === 'rate_limited') health.rateLimited += 1;
    else if (status === 'failed') health.failed += 1;
  }
  return [...byTarget.values()];
}

/**
 * Returns the path of a session's trace, relative to the base address; an id cannot add a segment.
 */
export function sessionTracePath(projectId: string, runId: string, sessionId: string): string {
  const [project, run, session] = [projectId, runId, sessionId].map((id) =>
    encodeURIComponent(id.toWellFormed()),
  );
  return `/projects/${project}/journey-runs/${run}/sessions/${session}/trace`;
}
