/** What is kept of a candidate beside its counts: what was recorded of some units, and the definition it is about. */
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

/** A definition of the tool surface that was pinned. */
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
  /** The normal form of what most exemplars failed with. */
  readonly pattern: string;
  /** Exemplars first, then contrasts. */
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

/** What detectors found in a scope, as it is stored. */
export interface DetectedMaterial {
  readonly coverage: InsightCoverage;
  /** How many candidates there are; only the severest are kept whole. */
  readonly candidateCount: number;
  readonly candidates: readonly CandidateMaterial[];
}

/** What is left of it when the traces go that it tells from; counts, ids and definitions of tools are not of traces. */
export function withoutExcerpts(material: DetectedMaterial): DetectedMaterial {
  const candidates = material.candidates.map((one) => ({
    ...one,
    evidence: one.evidence.map((row) => ({ ...row, excerpt: '' })),
  }));
  return { ...material, candidates };
}

/** Without these sessions among its examples; what was counted stays. */
export function forgetInCandidate(candidate: Candidate, gone: ReadonlySet<string>): Candidate {
  const kept = (ids: readonly string[]) => ids.filter((id) => !gone.has(id));
  const { exemplarIds, contrastIds } = candidate;
  return { ...candidate, exemplarIds: kept(exemplarIds), contrastIds: kept(contrastIds) };
}

/** What was quoted from these sessions is emptied, and nothing says any more whose it was. */
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
  /** Of an answer, and so of what is kept. */
  candidates: 20,
  evidence: 5,
  excerpt: 500,
  definition: 4_000,
} as const;

/** Of an eval run: as many trials are read, the failing ones first. */
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
