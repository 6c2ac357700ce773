import type { Candidate } from './candidate.ts';

export const insightUnits = ['iterations', 'sessions'] as const;
export type InsightUnit = (typeof insightUnits)[number];

export const evidenceKinds = ['tool_error', 'transcript', 'feedback', 'judge', 'contrast'] as const;

export interface FindingEvidence {
  readonly kind: (typeof evidenceKinds)[number];
  readonly excerpt: string;
  readonly iterationId?: string;
  readonly sessionId?: string;
  readonly toolName?: string;
  readonly errorCode?: string;
}

export const findingSurfaces = [
  'description',
  'input_schema',
  'output_schema',
  'handler',
  'server_instructions',
  'capability',
] as const;

export interface FindingTarget {
  readonly serverId: string;
  readonly toolName?: string;
  readonly surface: (typeof findingSurfaces)[number];
  readonly fieldPath?: string;
  readonly snapshotHash: string;
  readonly currentDefinition?: {
    readonly description?: string;
    readonly inputSchemaJson?: string;
    readonly outputSchemaJson?: string;
    readonly truncated: boolean;
  };
}

export interface CandidateMaterial {
  readonly candidate: Candidate;
  /** The most frequent failure text of the exemplars (units shown as examples), in normal form. */
  readonly pattern: string;
  /** The excerpts: first of exemplars, which show the problem, then of contrasts, which do not. */
  readonly evidence: readonly FindingEvidence[];
  readonly omittedEvidence: number;
  readonly target?: FindingTarget;
}

export interface InsightCoverage {
  readonly unit: InsightUnit;
  readonly analyzed: number;
  readonly total: number;
  readonly gradedCount?: number;
  readonly feedbackCount?: number;
  readonly truncated: boolean;
  readonly lowConfidence: boolean;
}

export interface DetectedMaterial {
  readonly coverage: InsightCoverage;
  /** Counts all candidates. Only the severest are stored completely. */
  readonly candidateCount: number;
  readonly candidates: readonly CandidateMaterial[];
}

/**
 * Removes the excerpts when their traces are deleted. Counts, ids and tool definitions stay, since
 * they are not part of a trace.
 */
export function withoutExcerpts(material: DetectedMaterial): DetectedMaterial {
  const candidates = material.candidates.map((one) => ({
    ...one,
    evidence: one.evidence.map((row) => ({ ...row, excerpt: '' })),
  }));
  return { ...material, candidates };
}

/** Removes the given sessions from a candidate's examples. Its counts stay. */
export function forgetInCandidate(candidate: Candidate, gone: ReadonlySet<string>): Candidate {
  const kept = (ids: readonly string[]) => ids.filter((id) => !gone.has(id));
  const { exemplarIds, contrastIds } = candidate;
  return { ...candidate, exemplarIds: kept(exemplarIds), contrastIds: kept(contrastIds) };
}

export function forgetInMaterial(
  material: DetectedMaterial,
  gone: ReadonlySet<string>,
): DetectedMaterial {
  const candidates = material.candidates.map((one) => ({
    ...one,
    candidate: forgetInCandidate(one.candidate, gone),
    evidence: one.evidence.map((row) => {
      if (row.sessionId === undefined || !gone.has(row.sessionId)) return row;
      const { sessionId: _, ...rest } = row;
      return { ...rest, excerpt: '' };
    }),
  }));
  return { ...material, candidates };
}

export const materialLimits = {
  /** The maximum number of candidates in an answer, and therefore of stored ones. */
  candidates: 20,
  evidence: 5,
  excerpt: 500,
  definition: 4_000,
} as const;

/** The maximum number of a run's trials that are read. Failing trials are read first. */
export const mostAnalyzedTrials = 2_000;

export function coverageOfRun(total: number, graded: number): InsightCoverage {
  return {
    unit: 'iterations',
    analyzed: Math.min(total, mostAnalyzedTrials),
    total,
    gradedCount: graded,
    truncated: total > mostAnalyzedTrials,
    lowConfidence: graded * 2 < total,
  };
}
