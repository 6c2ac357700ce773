/**
 * Returns the spans of a trace in order. A span without an id is skipped. A span with an unknown
 * parent becomes a child of the root.
 */
import { isRecord, type Json } from '@proofmark/domain';
import type { TraceContent } from './exported-content.ts';
import { attributesOf, type OtlpSpan, spanKinds, spanStatuses } from './otlp-document.ts';
import type { SpanIds } from './trace-ids.ts';

export interface ExportedSpan extends Pick<OtlpSpan, 'spanId' | 'name' | 'kind' | 'attributes'> {
  readonly status?: NonNullable<OtlpSpan['status']>;
  /** Absent for the root. */
  readonly parentSpanId?: string;
  readonly startMs: number;
  readonly endMs: number;
}

interface SpanContext {
  readonly ids: SpanIds;
  readonly startMs: number;
  readonly content: TraceContent | undefined;
}

export function exportSpans(spans: readonly unknown[], context: SpanContext): ExportedSpan[] {
  const named = spans
    .filter((span): span is NamedSpan => isRecord(span) && typeof span['id'] === 'string')
    .slice(0, mostSpans)
    .map((span) => ({ span, spanId: context.ids.next(span.id) }));
  const byId = new Map<string, (typeof named)[number]>();
  for (const one of named) if (!byId.has(one.span.id)) byId.set(one.span.id, one);
  const parentOf = ({ span }: { span: NamedSpan }) =>
    typeof span['parentId'] === 'string' ? byId.get(span['parentId']) : undefined;
  const known = new Map<object, boolean>();
  return named.map(({ span, spanId }) => {
    const parent = parentOf({ span });
    const isBelow = parent !== undefined && leadsToRoot(parent, parentOf, known);
    return {
      spanId,
      ...(isBelow && { parentSpanId: parent.spanId }),
      ...timesOf(span, context.startMs),
      ...describe(span, context.content),
    };
  });
}

/**
 * The maximum number of exported spans. Trials run by Proofmark have far fewer, but a reporter may
 * send as many as fit in a request.
 */
const mostSpans = 10_000;

type NamedSpan = Json & { readonly id: string };

/**
 * Whether the span's parents lead to the root. Spans whose parents form a circle would otherwise be
 * unreachable from the root. Each span is checked only once.
 */
function leadsToRoot<One extends object>(
  first: One,
  parentOf: (one: One) => One | undefined,
  known: Map<object, boolean>,
): boolean {
  const seen = new Set<One>();
  let at: One | undefined = first;
  while (at !== undefined && !seen.has(at) && !known.has(at)) {
    seen.add(at);
    at = parentOf(at);
  }
  const leads = at === undefined || (known.get(at) ?? false);
  for (const one of seen) known.set(one, leads);
  return leads;
}

/**
 * Times below this bound are milliseconds since the start of the trial; larger ones are
 * milliseconds since 1970. The bound is a date in 2001.
 */
const sinceEpochMs = 1_000_000_000_000;

function timesOf(span: Json, trialMs: number): { startMs: number; endMs: number } {
  const at = (name: string) => {
    const value = numberAt(span, name);
    if (value === undefined) return undefined;
    return value >= sinceEpochMs ? value : trialMs + value;
  };
  const startMs = at('startMs') ?? trialMs;
  return { startMs, endMs: Math.max(startMs, at('endMs') ?? startMs) };
}

type Described = Pick<ExportedSpan, 'name' | 'kind' | 'attributes' | 'status'>;

function describe(span: NamedSpan, content: TraceContent | undefined): Described {
  const { category, status } = span;
  const code = status === 'ok' || status === 'error' ? spanStatuses[status] : undefined;
  const common = { ...(code !== undefined && { status: { code } }) };
  const about = (...names: string[]) => names.flatMap((name) => textAt(span, name) ?? [])[0];
  const error = status === 'error' ? errorTypeOf(span) : undefined;
  switch (category) {
    case 'llm': {
      const model = about('modelId');
      return {
        ...common,
        name: nameOf('chat', model),
        kind: spanKinds.client,
        attributes: attributesOf({
          'gen_ai.operation.name': 'chat',
          'gen_ai.provider.name': about('provider'),
          'gen_ai.request.model': model,
          'gen_ai.usage.input_tokens': numberAt(span, 'inputTokens'),
          'gen_ai.usage.output_tokens': numberAt(span, 'outputTokens'),
          'gen_ai.response.finish_reasons': listOf(about('finishReason')),
          'error.type': error,
          ...answerOf(span, content),
        }),
      };
    }
    case 'tool': {
      const toolCallId = about('toolCallId');
      return {
        ...common,
        name: nameOf('execute_tool', about('toolName')),
        kind: spanKinds.client,
        attributes: attributesOf({
          'gen_ai.operation.name': 'execute_tool',
          'gen_ai.tool.name': about('toolName'),
          'gen_ai.tool.call.id': toolCallId,
          'error.type': error,
          'proofmark.mcp_error_code': numberAt(span, 'mcpErrorCode'),
          ...(toolCallId !== undefined && content?.ofCall(toolCallId)),
        }),
      };
    }
    case 'step':
      return {
        ...common,
        name: nameOf('step', about('authoredStepId')),
        kind: spanKinds.internal,
        attributes: attributesOf({ 'error.type': error }),
      };
    case 'connection':
    case 'discovery':
      return {
        ...common,
        name: nameOf(category, about('serverName', 'serverId')),
        kind: spanKinds.client,
        attributes: attributesOf({ 'error.type': error }),
      };
    default: {
      const name = ourCategories.find((one) => one === category) ?? 'span';
      const attributes = attributesOf({ 'error.type': error });
      return { ...common, name, kind: spanKinds.internal, attributes };
    }
  }
}

/**
 * Proofmark's own categories, exported unchanged. Categories from reporters are dropped, because
 * they may contain any text.
 */
const ourCategories = ['request', 'error'] as const;

/** The error types form a small fixed set, so that errors can be counted by type. */
function errorTypeOf(span: Json): string {
  const code = numberAt(span, 'mcpErrorCode');
  if (code !== undefined) return String(code);
  return span['category'] === 'tool' ? 'tool_error' : '_OTHER';
}

function answerOf(span: Json, content: TraceContent | undefined): Record<string, string> {
  const start = numberAt(span, 'messageStartIndex');
  const end = numberAt(span, 'messageEndIndex');
  return content === undefined || start === undefined || end === undefined
    ? {}
    : content.ofAnswer(start, end);
}

function nameOf(what: string, about: string | undefined): string {
  return about === undefined ? what : `${what} ${about}`.toWellFormed();
}

function listOf(one: string | undefined): string[] | undefined {
  return one === undefined ? undefined : [one];
}

const longestName = 256;

function textAt(from: Json, name: string): string | undefined {
  const value = from[name];
  return typeof value === 'string' && value !== '' ? value.slice(0, longestName) : undefined;
}

function numberAt(from: Json, name: string): number | undefined {
  const value = from[name];
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}
