/**
 * Exports a trace as OTLP spans: a root span for the trial or session, and below it the recorded
 * spans. Events of the root are the stages and the messages that servers sent unasked. The content
 * of messages and calls is included only on request. Span names contain only names of tools, models
 * and steps.
 */

import type { ExportSource } from '@proofmark/domain';
import {
  type DecisionChain,
  hideSecrets,
  isRecord,
  type Json,
  readTraceEvents,
} from '@proofmark/domain';
import { type ExportedSpan, exportSpans } from './export-spans.ts';
import { TraceContent } from './exported-content.ts';
import { listAt } from './list-at.ts';
import {
  attributesOf,
  nanosecondsOf,
  type OtlpSpan,
  spanKinds,
  spanStatuses,
} from './otlp-document.ts';
import { rootSpanId, type Sha256Hex, SpanIds, traceIdOf } from './trace-ids.ts';

/** Content means the texts of messages and calls. */

export interface ExportOptions {
  readonly includeContent: boolean;
  readonly sha256Hex: Sha256Hex;
}

export interface TraceToExport {
  readonly source: ExportSource;
  readonly id: string;
  readonly rootName: string;
  /** Milliseconds since 1970; null if unknown. */
  readonly startedAtMs: number | null;
  readonly durationMs: number | null;
  /** The time at which the end was recorded, in milliseconds since 1970. */
  readonly endedAtMs: number;
  readonly attributes: Parameters<typeof attributesOf>[0];
  readonly chain: DecisionChain;
  /** Absent if nothing was decided. */
  readonly status?: keyof typeof spanStatuses;
  /** As stored; not validated. */
  readonly trace: Json;
}

export function exportTrace(
  traced: TraceToExport,
  { includeContent, sha256Hex }: ExportOptions,
): OtlpSpan[] {
  const { source, id, rootName, chain, status, trace } = traced;
  const ids = new SpanIds(id, sha256Hex);
  const traceId = traceIdOf(source, id, sha256Hex);
  const spanId = ids.next(rootSpanId);
  const startMs = startOf(traced);
  const content = includeContent ? new TraceContent(listAt(trace, 'messages')) : undefined;
  // The root's content comes first, because later spans may reach the size limit of the trace.
  const conversation = content?.ofConversation();
  const spans = exportSpans(listAt(trace, 'spans'), { ids, startMs, content });
  const endMs = Math.max(startMs, endOf(traced, startMs, spans));
  const root: OtlpSpan = {
    traceId,
    spanId,
    name: rootName,
    kind: spanKinds.internal,
    startTimeUnixNano: nanosecondsOf(startMs),
    endTimeUnixNano: nanosecondsOf(endMs),
    attributes: attributesOf({ ...traced.attributes, ...conversation }),
    ...eventsOf([
      ...serverEvents(trace, startMs, includeContent),
      ...stagesOf(chain, nanosecondsOf(endMs)),
    ]),
    ...(status && { status: { code: spanStatuses[status] } }),
  };
  return [
    root,
    ...spans.map(({ parentSpanId, startMs: from, endMs: to, ...span }) => ({
      traceId,
      spanId: span.spanId,
      parentSpanId: parentSpanId ?? spanId,
      name: span.name,
      kind: span.kind,
      startTimeUnixNano: nanosecondsOf(from),
      endTimeUnixNano: nanosecondsOf(to),
      attributes: span.attributes,
      ...(span.status && { status: span.status }),
    })),
  ];
}

export function rootAttributes(asked: {
  readonly provider: string | null;
  readonly model: string | null;
  readonly usage: Json | null;
  readonly errorType: string | undefined;
}): TraceToExport['attributes'] {
  return {
    'gen_ai.operation.name': 'invoke_agent',
    'gen_ai.provider.name': asked.provider,
    'gen_ai.request.model': asked.model,
    'gen_ai.usage.input_tokens': numberAt(asked.usage, 'inputTokens'),
    'gen_ai.usage.output_tokens': numberAt(asked.usage, 'outputTokens'),
    'error.type': asked.errorType,
  };
}

/** If the start is unknown, it is the recorded end minus the duration. */
function startOf({ startedAtMs, durationMs, endedAtMs }: TraceToExport): number {
  return startedAtMs ?? endedAtMs - (durationMs ?? 0);
}

function endOf(
  { durationMs }: TraceToExport,
  startMs: number,
  spans: readonly ExportedSpan[],
): number {
  if (durationMs !== null) return startMs + durationMs;
  return spans.reduce((latest, { endMs }) => Math.max(latest, endMs), startMs);
}

type SpanEvents = NonNullable<OtlpSpan['events']>;

function eventsOf(events: SpanEvents): Pick<OtlpSpan, 'events'> {
  return events.length === 0 ? {} : { events };
}

function stagesOf(chain: DecisionChain, timeUnixNano: string): SpanEvents {
  if (chain.status !== 'verified') return [];
  return chain.stages.map(({ stage, state, reason }) => ({
    timeUnixNano,
    name: 'proofmark.stage',
    attributes: attributesOf({
      'proofmark.stage': stage,
      'proofmark.state': state,
      'proofmark.reason': reason,
    }),
  }));
}

/** The text of a server's message is content, so it is included only on request. */
function serverEvents(trace: Json, startMs: number, includeContent: boolean): SpanEvents {
  return readTraceEvents(trace['events']).map(({ atMs, kind, serverName, text }) => ({
    timeUnixNano: nanosecondsOf(startMs + atMs),
    name: 'proofmark.server_event',
    attributes: attributesOf({
      'proofmark.event_kind': kind,
      'proofmark.server_name': serverName.slice(0, longestName),
      ...(includeContent && { 'proofmark.event_text': String(hideSecrets(text)) }),
    }),
  }));
}

const longestName = 256;

function numberAt(from: Json | null, name: string): number | undefined {
  const value = isRecord(from) ? from[name] : undefined;
  return typeof value === 'number' ? value : undefined;
}
