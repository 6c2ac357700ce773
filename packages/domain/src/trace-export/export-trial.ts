/**
 * A trial as spans of OTLP: a root for the trial, and below it the spans of its trace. Nothing that was said, called or
 * answered is in them unless content is asked for; names are made of tools, models and steps alone.
 */
import { type DecisionChain, readChain, type StoredChain } from '../chain/read-chain.ts';
import { isRecord, type Json } from '../kernel/json.ts';
import { type ExportedSpan, exportSpans } from './export-spans.ts';
import { TraceContent } from './exported-content.ts';
import {
  attributesOf,
  nanosecondsOf,
  type OtlpSpan,
  spanKinds,
  spanStatuses,
} from './otlp-document.ts';
import { rootSpanId, type Sha256Hex, SpanIds, traceIdOf } from './trace-ids.ts';

/** What traces can be of. */
export const exportSources = ['eval', 'swarm', 'scenario'] as const;

export interface TrialToExport {
  readonly id: string;
  readonly runId: string;
  readonly caseId: string | null;
  readonly iterationNumber: number;
  readonly status: string;
  readonly result: string | null;
  readonly model: string | null;
  readonly provider: string | null;
  readonly startedAtMs: number | null;
  readonly durationMs: number | null;
  /** When its end was recorded. */
  readonly endedAtMs: number;
  readonly usage: Json | null;
  readonly chain: StoredChain | undefined;
  /** As stored, not yet validated. */
  readonly trace: Json;
}

export function exportTrial(
  trial: TrialToExport,
  {
    includeContent,
    sha256Hex,
  }: { readonly includeContent: boolean; readonly sha256Hex: Sha256Hex },
): OtlpSpan[] {
  const ids = new SpanIds(trial.id, sha256Hex);
  const traceId = traceIdOf('eval', trial.id, sha256Hex);
  const spanId = ids.next(rootSpanId);
  const startMs = startOf(trial);
  const content = includeContent ? new TraceContent(listAt(trial.trace, 'messages')) : undefined;
  // The root's comes first, while there is room for it.
  const conversation = content?.ofConversation();
  const spans = exportSpans(listAt(trial.trace, 'spans'), { ids, startMs, content });
  const endMs = Math.max(startMs, endOf(trial, startMs, spans));
  const chain = readChain(trial.chain);
  const root: OtlpSpan = {
    ...{ traceId, spanId, name: 'eval.trial', kind: spanKinds.internal },
    ...{ startTimeUnixNano: nanosecondsOf(startMs), endTimeUnixNano: nanosecondsOf(endMs) },
    attributes: attributesOf({ ...attributesOfTrial(trial, chain), ...conversation }),
    ...eventsOf(chain, nanosecondsOf(endMs)),
    status: { code: isGood(trial) ? spanStatuses.ok : spanStatuses.error },
  };
  return [
    root,
    ...spans.map(({ parentSpanId, startMs: from, endMs: to, ...span }) => ({
      ...{ traceId, spanId: span.spanId, parentSpanId: parentSpanId ?? spanId },
      ...{ name: span.name, kind: span.kind },
      ...{ startTimeUnixNano: nanosecondsOf(from), endTimeUnixNano: nanosecondsOf(to) },
      attributes: span.attributes,
      ...(span.status && { status: span.status }),
    })),
  ];
}

/** Where nobody said when it began, it is as long as was said, up to the moment it was recorded. */
function startOf({ startedAtMs, durationMs, endedAtMs }: TrialToExport): number {
  return startedAtMs ?? endedAtMs - (durationMs ?? 0);
}

function endOf(
  { durationMs }: TrialToExport,
  startMs: number,
  spans: readonly ExportedSpan[],
): number {
  if (durationMs !== null) return startMs + durationMs;
  return spans.reduce((latest, { endMs }) => Math.max(latest, endMs), startMs);
}

function isGood({ status, result }: TrialToExport): boolean {
  return status === 'completed' && result === 'passed';
}

function attributesOfTrial(trial: TrialToExport, chain: DecisionChain) {
  const { usage, result, status } = trial;
  const verified = chain.status === 'verified' ? chain : undefined;
  return {
    'gen_ai.operation.name': 'invoke_agent',
    'gen_ai.provider.name': trial.provider,
    'gen_ai.request.model': trial.model,
    'gen_ai.usage.input_tokens': numberAt(usage, 'inputTokens'),
    'gen_ai.usage.output_tokens': numberAt(usage, 'outputTokens'),
    'error.type': isGood(trial)
      ? undefined
      : (verified?.failureCategory ?? (status === 'completed' ? (result ?? 'evaluator') : status)),
    'proofmark.run_id': trial.runId,
    'proofmark.case_id': trial.caseId,
    'proofmark.iteration_number': trial.iterationNumber,
    'proofmark.result': result,
    'proofmark.first_failed_stage': verified?.firstFailedStage,
    'proofmark.failure_category': verified?.failureCategory,
  };
}

function eventsOf(chain: DecisionChain, timeUnixNano: string): Pick<OtlpSpan, 'events'> {
  if (chain.status !== 'verified') return {};
  return {
    events: chain.stages.map(({ stage, state, reason }) => ({
      timeUnixNano,
      name: 'proofmark.stage',
      attributes: attributesOf({
        ...{ 'proofmark.stage': stage, 'proofmark.state': state, 'proofmark.reason': reason },
      }),
    })),
  };
}

function listAt(trace: Json, name: string): readonly unknown[] {
  const list = trace[name];
  return Array.isArray(list) ? list : [];
}

function numberAt(from: Json | null, name: string): number | undefined {
  const value = isRecord(from) ? from[name] : undefined;
  return typeof value === 'number' ? value : undefined;
}
