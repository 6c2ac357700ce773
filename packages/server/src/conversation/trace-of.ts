/** The trace of the events, as it is stored and read. */
import { type Json, sumUsage } from '@proofmark/domain';
import type { OpenedServers } from './run-servers.ts';
import { type Span, spanOver } from './span.ts';
import type { TrialLog } from './trial-log.ts';

export interface Played {
  readonly log: TrialLog;
  readonly opened: OpenedServers | undefined;
  /** Milliseconds until the servers were open. */
  readonly openedMs: number;
}

export function traceOf(
  played: Played,
  told: {
    readonly prompts: readonly unknown[];
    readonly steps: readonly unknown[];
    readonly before?: readonly unknown[];
    readonly after?: readonly unknown[];
  },
): Json {
  const surface = played.opened?.surface ?? null;
  return {
    traceVersion: 1,
    messages: played.log.messages,
    spans: spansOf(played),
    ...told,
    toolSurface: surface === null ? null : { hash: surface.hash },
    ...requestsOf(played.log),
    ...eventsOf(played.log),
    ...reopenedOf(played.log),
    ...(played.log.listChanges.length > 0 && { listChanges: [...played.log.listChanges] }),
  };
}

/**
 * Returns the requests of servers to us, if any, with the usage of the answers, which is separate
 * from the trial's.
 */
function requestsOf({
  serverRequests,
  samplingUsages,
}: TrialLog): Readonly<Record<string, unknown>> {
  if (serverRequests.length === 0) return {};
  const samplingUsage = sumUsage(samplingUsages);
  return { serverRequests, ...(samplingUsage !== null && { samplingUsage }) };
}

/** Returns the unsolicited messages of servers, if any. */
function eventsOf({ events: { kept, dropped } }: TrialLog): Readonly<Record<string, unknown>> {
  if (kept.length === 0) return {};
  // A copy, since a session may send more while it ends.
  return { events: [...kept], ...(dropped > 0 && { eventsDropped: dropped }) };
}

function reopenedOf({ reopened }: TrialLog): Readonly<Record<string, unknown>> {
  return reopened.kept.length === 0 ? {} : { sessionsReopened: [...reopened.kept] };
}

function spansOf({ log, opened, openedMs }: Played): readonly Span[] {
  return opened === undefined ? log.spans : [...setUpSpans(opened, openedMs), ...log.spans];
}

/**
 * Spans for the opening of the servers, only for the timeline. A trial in shared sessions may find
 * them already open, and then has spans of minimal length.
 */
function setUpSpans({ servers }: OpenedServers, waitedMs: number): Span[] {
  return servers.flatMap(({ id, name, connectMs, listMs, failure }) => {
    const connectedMs = Math.min(connectMs, waitedMs);
    const connect = spanOver(`run-connect-${id}`, name, 'connection', 0, connectedMs);
    connect.serverId = id;
    if (failure !== undefined && listMs === 0) {
      connect.status = 'error';
      return [connect];
    }
    const listedMs = Math.min(connectMs + listMs, waitedMs);
    const list = spanOver(`run-toolslist-${id}`, name, 'discovery', connectedMs, listedMs);
    list.serverId = id;
    if (failure !== undefined) list.status = 'error';
    return [connect, list];
  });
}
