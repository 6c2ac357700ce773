/**
 * A session in the form that detectors (rules that count problems) read. A session that ended early
 * says nothing about its servers.
 */
import type { StoredChain } from '../chain/read-chain.ts';
import type { StageResultRow } from '../chain/vocabulary.ts';
import type { UsingUnit } from '../insights/detect-by-use.ts';
import {
  hasServerFailed,
  isRecordedToolSpan,
  recoveredTools,
  toolIdOf,
  usesBySpans,
} from '../insights/tool-uses.ts';
import { criterionName } from './criterion-name.ts';
import type { JourneySnapshot, JourneyTarget } from './journey-snapshot.ts';
import type { CriterionGrade, GradingStatus } from './scorecard.ts';
import { readSessionChain } from './session-chain.ts';
import { isPlayed, type SessionEvidence } from './session-evidence.ts';

export interface SessionToAnalyze {
  readonly id: string;
  readonly runId: string;
  /** Increases from session to session, so that later sessions sort last. */
  readonly order: number;
  readonly snapshot: JourneySnapshot;
  readonly targetId: string;
  readonly evidence: SessionEvidence | undefined;
  readonly chain: StoredChain | undefined;
  readonly grading: GradingStatus | null;
  readonly result: 'passed' | 'failed' | null;
  readonly criteria: readonly CriterionGrade[];
  readonly goalScore: { readonly score: number | null; readonly threshold: number } | null;
  readonly tokensUsed: number | null;
  /** The spans of the session's trace; empty if the trace no longer exists. */
  readonly spans: readonly unknown[];
}

export interface AnalyzedSession extends UsingUnit {
  readonly runId: string;
  readonly journey: { readonly id: string; readonly name: string };
  readonly persona: { readonly id: string; readonly name: string };
  readonly target: SessionTarget;
  readonly wasPlayed: boolean;
  readonly isGraded: boolean;
  /** Whether the trace still exists. Without it, the results of the session's calls are unknown. */
  readonly hasTrace: boolean;
  readonly result: 'passed' | 'failed' | null;
  readonly criteria: readonly (CriterionGrade & { readonly label: string })[];
  readonly callCount: number;
  readonly toolsOffered: number;
  readonly endedAtCap: boolean;
  readonly maxTurns: number;
  readonly recovered: readonly string[];
  readonly judged: { readonly score: number; readonly threshold: number } | null;
  readonly toolErrors: ReadonlyMap<string, string>;
  /** The result of each stage of the session; empty if the stored results are not verified. */
  readonly stages: readonly StageResultRow[];
  readonly failedPrompt: number | undefined;
}

export interface SessionTarget {
  readonly kind: 'environment' | 'host';
  readonly id: string;
  readonly label: string;
}

export function analyzeSession(session: SessionToAnalyze): AnalyzedSession {
  const { snapshot, evidence, goalScore } = session;
  const target = snapshot.targets.find(({ targetId }) => targetId === session.targetId);
  const chain = readSessionChain(session.chain);
  const verified = chain.status === 'verified' ? chain : undefined;
  const failedRow = verified?.stages.find(({ state }) => state === 'failed');
  const calls = evidence?.turns.flat() ?? [];
  const isGraded = session.grading === 'completed';
  const score = goalScore?.score ?? null;
  return {
    id: session.id,
    runId: session.runId,
    order: session.order,
    targetId: session.targetId,
    journey: snapshot.journey,
    persona: { id: snapshot.persona.id, name: snapshot.persona.name },
    target: subjectOfTarget(target, session.targetId),
    wasPlayed: evidence !== undefined && isPlayed(evidence.end),
    isGraded,
    hasTrace: session.spans.length > 0,
    result: isGraded ? session.result : null,
    criteria: isGraded ? gatingGrades(session) : [],
    model: target?.modelId ?? null,
    tokensUsed: session.tokensUsed,
    tools: usesBySpans(session.spans, true) ?? [],
    notOffered: [
      ...new Set(
        calls.flatMap(({ notMade, toolName }) => (notMade === 'notOffered' ? toolName : [])),
      ),
    ],
    callCount: calls.length,
    toolsOffered: evidence?.toolsOffered.length ?? 0,
    endedAtCap: evidence?.end.kind === 'turnCap',
    maxTurns: snapshot.maxTurns,
    recovered: recoveredTools(session.spans),
    judged: goalScore !== null && score !== null ? { ...goalScore, score } : null,
    toolErrors: firstErrorsOfTools(evidence, session.spans),
    stages: verified?.stages ?? [],
    failedPrompt: failedRow?.evidence?.promptIndexes?.[0],
    firstFailedStage: verified?.firstFailedStage,
    failureCategory: verified?.failureCategory,
  };
}

export function subjectOfTarget(
  target: Pick<JourneyTarget, 'hostId' | 'hostName' | 'environmentRef'> | undefined,
  targetId: string,
): SessionTarget {
  if (target === undefined) return { kind: 'host', id: targetId, label: targetId };
  const { hostId, hostName, environmentRef } = target;
  return environmentRef === null
    ? { kind: 'host', id: hostId, label: hostName }
    : { kind: 'environment', id: environmentRef.id, label: environmentRef.name };
}

function gatingGrades({ snapshot, criteria }: SessionToAnalyze): AnalyzedSession['criteria'] {
  return criteria.flatMap((grade) => {
    const criterion = snapshot.rubric.find(({ id }) => id === grade.criterionId);
    if (criterion === undefined || criterion.role !== 'gating') return [];
    const { label, predicate } = criterion;
    return [{ ...grade, label: criterionName({ label, kind: predicate.type }) }];
  });
}

/**
 * Counts only errors that a server caused, since some calls are lost on Proofmark's side. The span
 * of a call identifies its server, since tools of two servers may share a name.
 */
export function firstErrorsOfTools(
  evidence: SessionEvidence | undefined,
  recorded: readonly unknown[],
): Map<string, string> {
  const spans = recorded.filter(isRecordedToolSpan).filter(hasServerFailed);
  const spanOf = new Map(spans.map((span) => [span.id, span]));
  const errors = new Map<string, string>();
  for (const { spanId, message } of evidence?.transcript.toolErrors ?? []) {
    const span = spanOf.get(spanId);
    if (typeof span?.serverId !== 'string' || message === undefined) continue;
    const id = toolIdOf({ toolName: span.toolName, serverId: span.serverId });
    if (!errors.has(id)) errors.set(id, message);
  }
  return errors;
}
