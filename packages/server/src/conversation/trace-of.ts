import { type Json, sumUsage } from '@proofmark/domain';
import type { OpenedServers } from './run-servers.ts';
import { type Span, spanOver } from './span.ts';
import type { TrialLog } from './trial-log.ts';

export interface Played {
  readonly log: TrialLog;
  readonly opened: OpenedServers | undefined;
  readonly openedMs: number;
}

export function traceOf(
  played: Played,
  recorded: {
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
    ...recorded,
    toolSurface: surface === null ? null : { hash: surface.hash },
    ...requestsOf(played.log),
    ...eventsOf(played.log),
    ...reopenedOf(played.log),
    ...(played.log.excludedTools.length > 0 && {
      excludedTools: played.log.bound([...played.log.excludedTools]),
    }),
    ...(played.log.listChanges.length > 0 && { listChanges: [...played.log.listChanges] }),
  };
}

/**
 * Returns the requests that servers sent to Proofmark, and the tokens used to answer them. These
 * tokens do not count as the trial's usage.
 */
function requestsOf({
  serverRequests,
  samplingUsages,
}: TrialLog): Readonly<Record<string, unknown>> {
  if (serverRequests.length === 0) return {};
  const samplingUsage = sumUsage(samplingUsages);
  return { serverRequests, ...(samplingUsage !== null && { samplingUsage }) };
}

function eventsOf({ events: { kept, dropped } }: TrialLog): Readonly<Record<string, unknown>> {
  if (kept.length === 0) return {};
  // Copied, because a session may add further messages while it ends.
  return { events: [...kept], ...(dropped > 0 && { eventsDropped: dropped }) };
}

function reopenedOf({ reopened }: TrialLog): Readonly<Record<string, unknown>> {
  return reopened.kept.length === 0 ? {} : { sessionsReopened: [...reopened.kept] };
}

function spansOf({ log, opened, openedMs }: Played): readonly Span[] {
  return opened === undefined ? log.spans : [...setUpSpans(opened, openedMs), ...log.spans];
}

/**
 * Spans for opening the servers, shown only in the timeline. With shared sessions the servers may
 * be open already; the spans then have the minimum length.
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
