/**
 * Reads as much of a trace as possible. Other programs write traces too, and an unusual trace must
 * not break a page.
 */
import { isRecord, type Json } from '../kernel/json.ts';
import type { ExcludedToolOfServer } from '../surfaces/excluded-tools.ts';
import { headerFaultReasons } from '../surfaces/header-parameters.ts';

export interface TraceMessage {
  readonly role: string;
  readonly parts: readonly MessagePart[];
}

export interface MessagePart {
  readonly kind: 'text' | 'call' | 'result' | 'other';
  /** The tool's name, if the message is a call or a result. */
  readonly name?: string;
  readonly text: string;
}

export interface TraceSpan {
  readonly id: string;
  readonly name: string;
  readonly category: string;
  readonly isError: boolean;
  readonly startMs: number;
  readonly endMs: number;
}

export interface TraceTurn {
  readonly prompt?: string;
  readonly passed?: boolean;
  readonly expected: readonly unknown[];
  readonly actual: readonly unknown[];
  readonly checks: readonly unknown[];
  readonly reason?: string;
}

export interface TraceStep {
  readonly id: string;
  readonly kind: string;
  readonly status: string;
  readonly detail?: string;
}

export function readMessages(messages: readonly unknown[]): TraceMessage[] {
  return messages.map((message) => {
    if (!isRecord(message)) return { role: 'unknown', parts: [part('other', message)] };
    const { content } = message;
    const given = Array.isArray(content) ? content : content === undefined ? [message] : [content];
    return { role: textOf(message['role']) ?? 'unknown', parts: given.map(readPart) };
  });
}

export function readExcludedTools(tools: unknown): ExcludedToolOfServer[] {
  return listOf(tools).flatMap((tool) => {
    if (!isRecord(tool)) return [];
    const serverName = textOf(tool['serverName']);
    const toolName = textOf(tool['toolName']);
    const message = textOf(tool['message']);
    const reason = headerFaultReasons.find((one) => one === tool['reason']);
    if (serverName === undefined || toolName === undefined) return [];
    if (message === undefined || reason === undefined) return [];
    return [{ serverName, toolName, message, reason, path: textOf(tool['path']) ?? '' }];
  });
}

export function readTraceSpans(spans: unknown): TraceSpan[] {
  return listOf(spans).flatMap((span, index) => {
    if (!isRecord(span)) return [];
    const startMs = numberOf(span['startMs']);
    const endMs = numberOf(span['endMs']);
    if (startMs === undefined || endMs === undefined || endMs < startMs) return [];
    const category = textOf(span['category']) ?? 'span';
    return [
      {
        id: textOf(span['id']) ?? String(index + 1),
        name: textOf(span['toolName']) ?? textOf(span['name']) ?? category,
        category,
        isError: span['status'] === 'error',
        startMs,
        endMs,
      },
    ];
  });
}

export function readTraceTurns(prompts: unknown): TraceTurn[] {
  return listOf(prompts).flatMap((turn) => {
    if (!isRecord(turn)) return [];
    const prompt = textOf(turn['prompt']) ?? textOf(turn['query']);
    const reason = textOf(turn['reason']) ?? textOf(turn['error']);
    const { passed } = turn;
    return [
      {
        ...(prompt !== undefined && { prompt }),
        ...(typeof passed === 'boolean' && { passed }),
        expected: listOf(turn['expectedToolCalls']),
        actual: listOf(turn['actualToolCalls']),
        checks: listOf(turn['predicateResults']),
        ...(reason !== undefined && { reason }),
      },
    ];
  });
}

export function readSteps(steps: unknown): TraceStep[] {
  return listOf(steps).flatMap((step, index) => {
    if (!isRecord(step)) return [];
    const detail = ['reason', 'error', 'message', 'detail', 'note'].map((key) => textOf(step[key]));
    const found = detail.find((text) => text !== undefined);
    return [
      {
        id: textOf(step['id']) ?? textOf(step['stepId']) ?? String(index + 1),
        kind: textOf(step['kind']) ?? 'step',
        status: textOf(step['status']) ?? (step['passed'] === true ? 'passed' : 'not recorded'),
        ...(found !== undefined && { detail: found }),
      },
    ];
  });
}

export function readAround(calls: unknown, part: 'before' | 'after'): TraceStep[] {
  const owners = listOf(calls).map((call) => (isRecord(call) ? textOf(call['of']) : undefined));
  return readSteps(calls).map((step, index) => ({
    ...step,
    kind: owners[index] === undefined ? part : `${part} of the ${owners[index]}`,
  }));
}

/** Returns undefined if no listing was recorded. */
export function readToolsHash(toolSurface: unknown): string | undefined {
  return isRecord(toolSurface) ? textOf(toolSurface['hash']) : undefined;
}

/**
 * Returns the level of a log message, or the progress of a progress event, to append to the event's
 * text.
 */
export function eventDetail(kind: string, data: unknown): string {
  if (!isRecord(data)) return '';
  const level = textOf(data['level']);
  if (kind === 'log' && level !== undefined) return `, ${level}`;
  const progress = numberOf(data['progress']);
  if (kind !== 'progress' || progress === undefined) return '';
  const total = numberOf(data['total']);
  return total === undefined ? `, ${progress}` : `, ${progress} of ${total}`;
}

export function readEventsDropped(dropped: unknown): number {
  return Math.max(0, Math.trunc(numberOf(dropped) ?? 0));
}

function readPart(given: unknown): MessagePart {
  if (typeof given === 'string') return { kind: 'text', text: given };
  if (!isRecord(given)) return part('other', given);
  const type = textOf(given['type']) ?? '';
  const name = textOf(given['toolName']) ?? textOf(given['name']);
  if (textOf(given['text']) !== undefined && (type === 'text' || type === 'reasoning')) {
    return { kind: 'text', text: String(given['text']) };
  }
  if (/tool.?(call|use)/i.test(type)) {
    return named(part('call', given['input'] ?? given['args'] ?? given['arguments']), name);
  }
  if (/tool.?result/i.test(type)) {
    return named(part('result', resultOf(given)), name);
  }
  return part('other', given);
}

function resultOf(given: Json): unknown {
  const output = given['output'] ?? given['result'] ?? given['content'];
  return isRecord(output) && 'value' in output && 'type' in output ? output['value'] : output;
}

function named(one: MessagePart, name: string | undefined): MessagePart {
  return name === undefined ? one : { ...one, name };
}

function part(kind: MessagePart['kind'], value: unknown): MessagePart {
  const text = typeof value === 'string' ? value : (JSON.stringify(value, null, 2) ?? '');
  return { kind, text };
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}
