/**
 * The evidence of a visitor's session, combined from its turns. Turns are recorded separately and
 * use the same span ids, so the turn's number is put in front of each id.
 */
import type { SessionCall, SessionEnd, SessionEvidence } from '../swarms/session-evidence.ts';
import { isPlayed } from '../swarms/session-evidence.ts';

/** Returns undefined if no turn was recorded. */
export function evidenceOfVisit(turns: readonly SessionEvidence[]): SessionEvidence | undefined {
  const last = turns.at(-1);
  if (last === undefined) return undefined;
  const placed = turns.map(inTurn);
  const played = turns.findLast(({ end }) => isPlayed(end));
  // If the last turn lost a server, the session ended that way. Otherwise the last turn that worked
  // decides the end, so that earlier failures of a server or provider do not count.
  const decisiveTurn = isServerLost(last.end) ? last : (played ?? last);
  const finalAssistantMessage = turns
    .map(({ transcript }) => transcript.finalAssistantMessage)
    .findLast((text) => text !== undefined);
  return {
    evidenceVersion: 1,
    seen: {
      ...decisiveTurn.seen,
      tracePresent: turns.every((turn) => turn.seen.tracePresent),
      spans: placed.flatMap((turn) => turn.seen.spans),
      toolErrors: placed.flatMap((turn) => turn.seen.toolErrors),
    },
    transcript: {
      ...last.transcript,
      ...(finalAssistantMessage !== undefined && { finalAssistantMessage }),
      toolCalls: placed.flatMap((turn) => turn.transcript.toolCalls),
      toolErrors: placed.flatMap((turn) => turn.transcript.toolErrors ?? []),
      turnCount: turns.length,
    },
    turns: placed.map((turn) => turn.turns.flat()),
    toolsOffered: last.toolsOffered,
    end: decisiveTurn.end,
  };
}

function isServerLost(end: SessionEnd): boolean {
  if (end.kind !== 'notPlayed') return false;
  return end.errorCode === 'server_unreachable' || end.errorCode === 'oauth_required';
}

function inTurn(turn: SessionEvidence, promptIndex: number): SessionEvidence {
  const place = <Part extends { readonly spanId?: string }>(part: Part): Part =>
    part.spanId === undefined ? part : { ...part, spanId: spanInTurn(promptIndex, part.spanId) };
  const { seen, transcript } = turn;
  return {
    ...turn,
    seen: {
      ...seen,
      spans: seen.spans.map((span) => ({
        ...span,
        id: spanInTurn(promptIndex, span.id),
        promptIndex,
      })),
      toolErrors: seen.toolErrors.map((error) => ({ ...place(error), promptIndex })),
    },
    transcript: {
      ...transcript,
      toolCalls: transcript.toolCalls.map((call) => ({ ...place(call), promptIndex })),
      toolErrors: (transcript.toolErrors ?? []).map(place),
    },
    turns: turn.turns.map((calls) => calls.map(place)),
  };
}

export function spanInTurn(promptIndex: number, spanId: string): string {
  return `${promptIndex}.${spanId}`;
}

export interface MadeCall extends SessionCall {
  readonly hasFailed: boolean;
}

/**
 * Returns only calls that were made, which are those with a span. A call without a result is an
 * error only according to its span.
 */
export function madeCallsOf({ turns, seen }: Pick<SessionEvidence, 'turns' | 'seen'>): MadeCall[] {
  const statuses = new Map(seen.spans.map(({ id, status }) => [id, status]));
  const failed = new Set(seen.toolErrors.map(({ spanId }) => spanId));
  return turns.flat().flatMap((call) => {
    const { spanId } = call;
    if (call.notMade !== undefined || spanId === undefined || !statuses.has(spanId)) return [];
    return [{ ...call, hasFailed: statuses.get(spanId) === 'error' || failed.has(spanId) }];
  });
}
