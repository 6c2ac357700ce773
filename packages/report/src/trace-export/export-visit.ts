import {
  isRecord,
  type Json,
  readChain,
  type SessionOutcome,
  type StoredChain,
  spanInTurn,
} from '@proofmark/domain';
import { type ExportOptions, exportTrace, rootAttributes } from './export-trace.ts';
import { listAt } from './list-at.ts';
import type { OtlpSpan } from './otlp-document.ts';

export interface VisitToExport {
  readonly id: string;
  readonly scenarioId: string;
  readonly environmentId: string | null;
  readonly outcome: SessionOutcome | null;
  readonly modelId: string | null;
  readonly startedAtMs: number;
  readonly lastActivityAtMs: number;
  readonly endedAtMs: number;
  readonly usage: Json | null;
  readonly chain: StoredChain | undefined;
  readonly turns: readonly RecordedTurn[];
}

export interface RecordedTurn {
  readonly startedAtMs: number;
  /** As stored; not validated. */
  readonly trace: Json;
}

/**
 * A visitor's session has no expected result. So only a clear outcome (completed or errored) sets a
 * status.
 */
export function exportVisit(visit: VisitToExport, options: ExportOptions): OtlpSpan[] {
  const { id, outcome, usage, modelId, environmentId, startedAtMs, endedAtMs } = visit;
  const chain = readChain(visit.chain);
  const verified = chain.status === 'verified' ? chain : undefined;
  const errorType = outcome === 'errored' ? (verified?.failureCategory ?? outcome) : undefined;
  const provider = /^[^/]+(?=\/)/.exec(modelId ?? '')?.[0] ?? null;
  return exportTrace(
    {
      source: 'scenario',
      rootName: 'visitor.session',
      id,
      startedAtMs,
      endedAtMs,
      chain,
      durationMs: visit.lastActivityAtMs - startedAtMs,
      trace: traceOfTurns(visit),
      ...(outcome === 'errored'
        ? { status: 'error' }
        : outcome === 'completed' && { status: 'ok' }),
      attributes: {
        ...rootAttributes({ provider, model: modelId, usage, errorType }),
        'proofmark.scenario_id': visit.scenarioId,
        'proofmark.target_id': environmentId === null ? undefined : `environment:${environmentId}`,
        'proofmark.outcome': outcome,
        'proofmark.first_failed_stage': verified?.firstFailedStage,
        'proofmark.failure_category': verified?.failureCategory,
      },
    },
    options,
  );
}

/**
 * Joins the traces of the turns into one. Times and message positions in each trace start at zero
 * for its turn, so they are shifted.
 */
function traceOfTurns({ turns, startedAtMs }: VisitToExport): Json {
  const messages: unknown[] = [];
  const spans: unknown[] = [];
  turns.forEach(({ trace, startedAtMs: turnMs }, turn) => {
    const place: PlaceOfTurn = {
      turn,
      afterMs: turnMs - startedAtMs,
      firstMessage: messages.length,
    };
    for (const span of listAt(trace, 'spans')) spans.push(placeSpan(span, place));
    for (const message of listAt(trace, 'messages')) messages.push(placeMessage(message, turn));
  });
  return { messages, spans };
}

interface PlaceOfTurn {
  readonly turn: number;
  readonly afterMs: number;
  readonly firstMessage: number;
}

function placeSpan(span: unknown, { turn, afterMs, firstMessage }: PlaceOfTurn): unknown {
  if (!isRecord(span)) return span;
  const placed: Record<string, unknown> = { ...span };
  for (const name of ['id', 'parentId', 'toolCallId']) {
    const value = span[name];
    if (typeof value === 'string') placed[name] = spanInTurn(turn, value);
  }
  for (const [name, from] of [
    ['startMs', afterMs],
    ['endMs', afterMs],
    ['messageStartIndex', firstMessage],
    ['messageEndIndex', firstMessage],
  ] as const) {
    const value = span[name];
    if (typeof value === 'number') placed[name] = value + from;
  }
  return placed;
}

function placeMessage(message: unknown, turn: number): unknown {
  if (!isRecord(message) || !Array.isArray(message['content'])) return message;
  const content = message['content'].map((part: unknown) =>
    isRecord(part) && typeof part['toolCallId'] === 'string'
      ? { ...part, toolCallId: spanInTurn(turn, part['toolCallId']) }
      : part,
  );
  return { ...message, content };
}
