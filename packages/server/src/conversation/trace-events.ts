/**
 * Records unsolicited messages of servers during a trial: notifications, log messages, progress and
 * the error output of child processes. The first 500 are stored, each with at most 2,000
 * characters; later ones are only counted. Secrets are redacted before a text is cut.
 */
import {
  isRecord,
  type Json,
  longestTraceEvent,
  mostTraceEvents,
  type TraceEvent,
} from '@proofmark/domain';
import type { ServerEvent } from '../outside/mcp/server-events.ts';
import { sizeOf } from './limit-trace.ts';

type TextEvent = Exclude<
  ServerEvent,
  { readonly reopenedAfter: string } | { readonly mayHaveChanged: 'tools' }
>;

export class TraceEvents {
  readonly kept: TraceEvent[] = [];
  dropped = 0;
  readonly #nowMs: () => number;
  readonly #redact: <Kept>(kept: Kept) => Kept;

  constructor(nowMs: () => number, redact: <Kept>(kept: Kept) => Kept = (kept) => kept) {
    this.#nowMs = nowMs;
    this.#redact = redact;
  }

  readonly add = (serverName: string, event: TextEvent): void => {
    if (this.kept.length >= mostTraceEvents) {
      this.dropped += 1;
      return;
    }
    const { kind, rawText, rest } = read(event);
    const text = this.#textOf(rawText);
    const data = this.#dataBeside(text, rest);
    const atMs = Math.max(0, Math.round(this.#nowMs()));
    this.kept.push({ atMs, kind, serverName, text, ...(data && { data }) });
  };

  /**
   * Limits the text, because a server may send megabytes at once. The end of the part that was read
   * is dropped, because it may be the beginning of a secret.
   */
  #textOf(rawText: string): string {
    const text = this.#redact(printable(rawText.slice(0, mostRead)));
    if (rawText.length <= mostRead) return cut(text);
    return cut(`${text.slice(0, Math.max(0, text.length - longestSecret))}…`);
  }

  /**
   * Returns the data if it fits into the remaining length, otherwise undefined. Data is never cut.
   */
  #dataBeside(text: string, rest: Json | undefined): Json | undefined {
    const freeCharacters = longestTraceEvent - text.length;
    if (rest === undefined || sizeOf(rest, freeCharacters) > freeCharacters) return undefined;
    const data = this.#redact(rest);
    return JSON.stringify(data).length <= freeCharacters ? data : undefined;
  }
}

const mostRead = 64 * 1024;
const longestSecret = 16 * 1024;

interface ReadEvent {
  readonly kind: TraceEvent['kind'];
  readonly rawText: string;
  readonly rest?: Json;
}

function read(event: TextEvent): ReadEvent {
  if ('errorLine' in event) return { kind: 'stderr', rawText: event.errorLine };
  if ('noise' in event)
    return { kind: 'log', rawText: `standard output, not an MCP message: ${event.noise}` };
  if ('refusedMethod' in event) {
    const { refusedMethod, ability } = event;
    const why = `refused, because the client of this run does not declare ${ability}`;
    return { kind: 'notification', rawText: `${refusedMethod} (${why})` };
  }
  const { method } = event;
  const params = isRecord(event.params) ? event.params : {};
  if (method === 'notifications/message') {
    const { data, ...others } = params;
    return { kind: 'log', rawText: asText(data), ...restOf(others) };
  }
  if (method === 'notifications/progress') {
    const { message, ...others } = params;
    const { progress, total } = others;
    const counted =
      total === undefined ? asText(progress) : `${asText(progress)} / ${asText(total)}`;
    const rawText = typeof message === 'string' && message !== '' ? message : counted;
    return { kind: 'progress', rawText, ...restOf(others) };
  }
  return { kind: 'notification', rawText: method, ...restOf(params) };
}

function restOf(params: Json): Pick<ReadEvent, 'rest'> {
  return Object.keys(params).length === 0 ? {} : { rest: params };
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}

function printable(text: string): string {
  return text.replace(colors, '').replace(controls, ' ');
}

function cut(text: string): string {
  const whole = text.length <= longestTraceEvent;
  return (whole ? text : `${text.slice(0, longestTraceEvent - 1)}…`).toWellFormed();
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: terminals are told colors with them.
const colors = /\u001b\[[\d;]*[A-Za-z]/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: they have no place in a line of text.
const controls = /[\u0000-\u0008\u000b-\u001f\u007f]/g;
