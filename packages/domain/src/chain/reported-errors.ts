/**
 * Sorts the tool errors of a report: those that count, those that the case expects, and those for
 * which this is unknown. A report states an error in a result message, in a span, or in both. An
 * error code from the reporter's own transport is not an answer of the tool.
 */
import type { StatedRow } from '../assertions/assertion-kind.ts';
import { sortErrors } from '../assertions/excused-errors.ts';
import { readResult } from '../assertions/read-call-results.ts';
import type { ToolCall, ToolError } from '../assertions/transcript.ts';
import { isRecord, type Json } from '../kernel/json.ts';
import { excuseExpectedErrors, spansOfErrors } from './expected-errors.ts';
import { readSpans } from './reported-spans.ts';
import type { ReportedTrace } from './reported-trace.ts';
import { errorParts, toolSpansByCall } from './tool-errors-of.ts';
import { isErroredToolSpan, isTransportLocal } from './tool-spans.ts';
import type { SpanEvidence, ToolErrorEvidence, TrialEvidence } from './trial-evidence.ts';

interface ReportedError extends ToolError {
  /** Undefined if only a span reports the error. */
  readonly evidence?: ToolErrorEvidence;
  readonly call?: ToolCall;
}

export function readErrors(
  { messages, spans }: Pick<ReportedTrace, 'messages' | 'spans'>,
  rows: readonly StatedRow[],
): Pick<TrialEvidence, 'spans' | 'toolErrors' | 'openErrors'> {
  const known = readSpans(spans);
  const errors = allErrors(messages, spans, known);
  const { counted, excused, unknown } = sortErrors(rows, errors, ({ call }) => call);
  const evidenceOf = (list: readonly ReportedError[]) =>
    list.flatMap((error) => error.evidence ?? []);
  // `excuseExpectedErrors` handles unknown errors that a message reports with a span id; all other
  // unknown errors become open errors here. If only a span reports an error, the fields of the
  // error come from the span.
  const open = unknown.filter((error) => error.evidence?.spanId === undefined);
  const openErrors = open.map(({ evidence: one, kind, spanId }): ToolErrorEvidence => {
    return one ?? { kind, ...(spanId !== undefined && { spanId }) };
  });
  const spanned = unknown.filter((error) => error.evidence?.spanId !== undefined);
  return excuseExpectedErrors(
    {
      spans: known,
      toolErrors: [...evidenceOf(counted), ...evidenceOf(spanned)],
      ...(openErrors.length > 0 && { openErrors }),
    },
    spansOfErrors({ excused, unknown }),
  );
}

function allErrors(
  messages: readonly unknown[],
  spans: readonly unknown[],
  known: readonly SpanEvidence[],
): readonly ReportedError[] {
  const spanOfCall = toolSpansByCall(spans);
  const spanById = new Map(known.map((span) => [span.id, span]));
  const rawById = new Map(
    spans.flatMap((span) => (isRecord(span) ? [[span['id'], span] as const] : [])),
  );
  const fromMessages = errorParts(messages).map(({ part, kind }): ReportedError => {
    const spanId = spanOfCall.get(part['toolCallId']);
    const span = spanId === undefined ? undefined : spanById.get(spanId);
    const name = part['toolName'];
    const toolName = typeof name === 'string' ? { toolName: name } : {};
    const one: ToolErrorEvidence = { kind, ...toolName, ...(spanId !== undefined && { spanId }) };
    const seen: ReportedError = { ...one, ...placeOf(span), evidence: one };
    const server = spanId === undefined ? undefined : rawById.get(spanId)?.['serverName'];
    return { ...seen, call: callOf(seen, part, server) };
  });
  const named = new Set(fromMessages.map(({ spanId }) => spanId));
  const alone = known.filter((span) => isErroredToolSpan(span) && !named.has(span.id));
  return [...fromMessages, ...alone.map((span) => ofSpan(span, rawById.get(span.id)))];
}

function callOf(
  { toolName = '', promptIndex }: ReportedError,
  part: Json,
  serverName: unknown,
): ToolCall {
  const result = readResult(part);
  return {
    toolName,
    arguments: {},
    ...(promptIndex !== undefined && { promptIndex }),
    ...(typeof serverName === 'string' && { serverName }),
    ...(result !== undefined && { result }),
  };
}

function ofSpan(span: SpanEvidence, raw: Json | undefined): ReportedError {
  const { toolName } = span;
  const problem = raw?.['resultProblem'];
  return {
    kind: span.mcpErrorCode === undefined ? 'content-error' : 'protocol-error',
    ...(toolName !== undefined && { toolName }),
    ...(typeof problem === 'string' && { resultProblem: problem }),
    ...placeOf(span),
  };
}

function placeOf(span: SpanEvidence | undefined) {
  if (span === undefined) return {};
  const { id, promptIndex } = span;
  return {
    spanId: id,
    ...(promptIndex !== undefined && { promptIndex }),
    ...(isTransportLocal(span) && { isOurs: true as const }),
  };
}
