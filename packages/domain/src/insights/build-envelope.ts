import { canonicalJson } from '../kernel/canonical-json.ts';
import { confidenceOf, severityOf } from './candidate.ts';
import { findingTitle } from './detectors.ts';
import {
  type CandidateMaterial,
  type DetectedMaterial,
  type InsightCoverage,
  type InsightUnit,
  materialLimits,
} from './finding-evidence.ts';
import { findingPage } from './finding-page.ts';
import type { ActionableFinding, InsightScope, InsightsEnvelope } from './insights-envelope.ts';
import { type NarrationAnswer, narrationByRules, narratorId, observedOf } from './narrator.ts';
import { slugOf } from './pattern.ts';
import { type InsightErrorCode, insightErrors, isRetryable } from './scope-states.ts';

type Sha256Hex = (text: string) => string;

export interface StoredInsights {
  readonly status: 'pending' | 'completed' | 'failed';
  readonly modelUsed: string;
  readonly errorCode: InsightErrorCode | null;
  readonly generatedAt: number | null;
  readonly updatedAt: number;
  readonly material: DetectedMaterial | undefined;
  readonly answer: NarrationAnswer | undefined;
}

export interface EnvelopeOf {
  readonly scope: InsightScope;
  readonly projectId: string;
  /**
   * The number of trials or sessions that a new request would analyze. A stored detection contains
   * its own number.
   */
  readonly coverage: InsightCoverage;
  /** The reason why insights cannot be requested; null if they can. */
  readonly unavailable: 'insights_off' | 'not_terminal' | 'not_mined' | null;
  readonly stored: StoredInsights | undefined;
  /**
   * Set for swarm waves and user-testing windows: their candidates are counted before any request.
   */
  readonly candidateCount?: number;
  readonly runHealth?: InsightsEnvelope['runHealth'];
}

export function buildEnvelope(of: EnvelopeOf, sha256Hex: Sha256Hex): InsightsEnvelope {
  const { stored, coverage, unavailable } = of;
  if (stored === undefined || unavailable !== null) {
    const status = unavailable === null ? 'not_requested' : 'not_available';
    return {
      ...nothingOf(of),
      status,
      reasonCode: unavailable,
      coverage,
      ...(of.candidateCount !== undefined && { candidateCount: of.candidateCount }),
    };
  }
  const { status, errorCode, material, updatedAt } = stored;
  const envelope = { ...nothingOf(of), status, updatedAt, modelUsed: stored.modelUsed };
  if (status === 'failed') {
    const code = errorCode ?? 'input_unreadable';
    const error = { code, message: insightErrors[code] };
    return {
      ...envelope,
      coverage: material?.coverage ?? coverage,
      retryable: isRetryable(code),
      error,
    };
  }
  if (status === 'pending') return { ...envelope, coverage: material?.coverage ?? coverage };
  if (material === undefined || stored.answer === undefined) {
    throw new Error('The stored explanations of a scope cannot be read.');
  }
  return { ...envelope, ...completedPart(of, stored, material, stored.answer, sha256Hex) };
}

function nothingOf({ scope, runHealth }: EnvelopeOf) {
  return {
    ...(runHealth !== undefined && { runHealth }),
    schemaVersion: 1 as const,
    scope,
    reasonCode: null,
    retryable: false,
    error: null,
    generatedAt: null,
    updatedAt: null,
    summary: null,
    modelUsed: null,
    findings: [],
    truncation: {
      truncated: false,
      omittedFindings: 0,
      omittedEvidence: 0,
      contractTruncated: false,
    },
  };
}

function completedPart(
  { projectId }: EnvelopeOf,
  { modelUsed, generatedAt }: StoredInsights,
  { coverage, candidates, candidateCount }: DetectedMaterial,
  answer: NarrationAnswer,
  sha256Hex: Sha256Hex,
) {
  const shown = candidates.slice(0, materialLimits.candidates);
  const context = { projectId, unit: coverage.unit, modelUsed, answer };
  const omittedFindings = candidateCount - shown.length;
  const omittedEvidence = shown.reduce(
    (sum, { evidence, omittedEvidence }) =>
      sum + omittedEvidence + Math.max(0, evidence.length - materialLimits.evidence),
    0,
  );
  const contractTruncated = shown.some(({ target }) => target?.currentDefinition?.truncated);
  return {
    reasonCode: shown.length === 0 ? 'nothing_found' : null,
    generatedAt,
    summary: answer.summary,
    coverage,
    findings: shown.map((one) => findingOf(one, context, sha256Hex)),
    truncation: {
      truncated: omittedFindings > 0 || omittedEvidence > 0 || contractTruncated,
      omittedFindings,
      omittedEvidence,
      contractTruncated,
    },
  };
}

/**
 * Only texts and the confidence come from the model's answer. Candidates that the model omitted are
 * explained by rules and marked as such.
 */
function findingOf(
  { candidate, pattern, evidence, target }: CandidateMaterial,
  context: {
    readonly projectId: string;
    readonly unit: InsightUnit;
    readonly modelUsed: string;
    readonly answer: NarrationAnswer;
  },
  sha256Hex: Sha256Hex,
): ActionableFinding {
  const { fingerprint, affected, sliceTotal } = candidate;
  const narration = Object.hasOwn(context.answer.narrations, fingerprint)
    ? context.answer.narrations[fingerprint]
    : undefined;
  const { rootCause, recommendation, acceptanceCriteria, confidence } =
    narration ?? narrationByRules(candidate);
  const { isInformational, ...place } = findingPage(candidate);
  const isReady = place.actionTarget === 'mcp_server' && target?.toolName !== undefined;
  const slug = slugOf(pattern);
  return {
    id: `rf_${sha256Hex(canonicalJson([context.projectId, fingerprint, pattern])).slice(0, 16)}`,
    signalFingerprint: fingerprint,
    title: findingTitle(candidate.detector, candidate.subjectLabel),
    ...place,
    actionability: isInformational ? 'informational' : isReady ? 'ready' : 'investigate',
    severity: severityOf(candidate),
    confidence: confidenceOf(candidate),
    observed: observedOf(candidate, context.unit),
    rootCause,
    recommendation,
    acceptanceCriteria: [...acceptanceCriteria],
    narratedBy: narration === undefined ? narratorId : context.modelUsed,
    narratorConfidence: confidence,
    affected: { count: affected, total: sliceTotal, unit: context.unit },
    ...(slug !== '' && { patternSlug: slug }),
    ...(target !== undefined && { target }),
    evidence: evidence.slice(0, materialLimits.evidence).map((one) => ({ ...one })),
  };
}
