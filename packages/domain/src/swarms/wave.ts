/** A wave: the runs of a project that were launched together, and how much of it can be relied on. */
import type { InsightCoverage } from '../insights/finding-evidence.ts';
import type { Refusal } from '../kernel/refusal.ts';

/** Of a wave so many played sessions are read, the newest first. */
export const mostMinedSessions = 500;

/** Whoever reads a wave reads all its runs. */
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
  /** All sessions of its runs, begun or not. */
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

/** Nothing of it goes on any more, and nothing waits to be graded. A run that is launched into it opens it again. */
export function isTerminalWave(
  runs: readonly { readonly status: string; readonly pendingGradings: number }[],
): boolean {
  return runs.every(({ status, pendingGradings }) => status !== 'running' && pendingGradings === 0);
}

/** Whether findings were looked for in a wave: failed is given up, until a run in it ends anew. */
export const waveMinings = ['pending', 'completed', 'failed'] as const;
export type WaveMining = (typeof waveMinings)[number];

/** One that has ended has work that mines it, until there is a result or it is given up. */
export function miningOfWave(wave: {
  readonly isTerminal: boolean;
  readonly hasOpenWork: boolean;
  readonly hasResult: boolean;
  /** The last mining of it; what an earlier one found is then not of all its runs. */
  readonly isGivenUp: boolean;
}): WaveMining {
  if (!wave.isTerminal || wave.hasOpenWork) return 'pending';
  return wave.hasResult && !wave.isGivenUp ? 'completed' : 'failed';
}

/** What became of the sessions of a target, whoever ended them: health of the runs, never a finding. */
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
    // What was never begun tells nothing of its target, whoever ended it.
    if (begun === 0) continue;
    health.attempted += 1;
    if (status === 'succeeded') health.succeeded += 1;
    else if (status === 'rate_limited') health.rateLimited += 1;
    else if (status === 'failed') health.failed += 1;
  }
  return [...byTarget.values()];
}

/** The path of a session's trace, relative to the base address; an id can add no segment. */
export function sessionTracePath(projectId: string, runId: string, sessionId: string): string {
  const [project, run, session] = [projectId, runId, sessionId].map((id) =>
    encodeURIComponent(id.toWellFormed()),
  );
  return `/projects/${project}/journey-runs/${run}/sessions/${session}/trace`;
}
