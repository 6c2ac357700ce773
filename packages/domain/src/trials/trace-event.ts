/**
 * Events that a server sent during a trial in addition to its answers, such as notifications and
 * logs. Other programs write traces too, so invalid parts are ignored.
 */
import * as z from 'zod';
import { isRecord } from '../kernel/json.ts';

export const traceEventKinds = ['notification', 'log', 'progress', 'stderr'] as const;
export const mostTraceEvents = 500;
export const longestTraceEvent = 2_000;

export const TraceEvent = z
  .object({
    atMs: z
      .number()
      .min(0)
      .meta({ description: 'Milliseconds since the trial began, on the clock of its spans.' }),
    kind: z.enum(traceEventKinds).meta({
      description:
        'notification: any of MCP without a kind of its own here. log: notifications/message. progress: notifications/progress. stderr: a line of the error output of a stdio server.',
    }),
    serverName: z.string(),
    text: z.string().max(longestTraceEvent).meta({
      description:
        'The message, the line, or the name of the notification. Longer ones are cut; values that were sent to the server as secrets are hidden.',
    }),
    data: z.record(z.string(), z.unknown()).optional().meta({
      description:
        'Other data of the notification, for example the level and logger of a log message. Left out if it and the text together are too long.',
    }),
  })
  .meta({
    id: 'TraceEvent',
    description: 'A notification of a server, or a line of its error output.',
  });
export type TraceEvent = Readonly<z.infer<typeof TraceEvent>>;

export function readTraceEvents(events: unknown): TraceEvent[] {
  if (!Array.isArray(events)) return [];
  return events.slice(0, mostTraceEvents).flatMap((one: unknown) => {
    if (!isRecord(one)) return [];
    const { atMs, serverName, text, data } = one;
    const kind = traceEventKinds.find((known) => known === one['kind']);
    if (typeof atMs !== 'number' || !Number.isFinite(atMs) || atMs < 0) return [];
    if (kind === undefined) return [];
    if (typeof serverName !== 'string' || typeof text !== 'string') return [];
    const cut = text.slice(0, longestTraceEvent).toWellFormed();
    return [{ atMs, kind, serverName, text: cut, ...(isRecord(data) && { data }) }];
  });
}
