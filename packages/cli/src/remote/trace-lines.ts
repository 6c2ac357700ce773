import type { OutputOf } from '@proofmark/contract';
import { cleanText, type MessagePart, readMessages } from '@proofmark/domain';
import { duration } from './durations.ts';
import type { TerminalAbility } from './terminal.ts';
import { wrapped } from './wrap-line.ts';

export type TrialTrace = OutputOf<'getEvalIterationTrace'>;

const mostLines = 40;

export function traceLines(
  { messages, spans = [] }: TrialTrace,
  { ascii, width }: TerminalAbility,
): string[] {
  const indent = '  ';
  const shown = (text: string, before: string) =>
    wrapped(cleanText(text, ascii), width - before.length).map((line) => `${before}${line}`);
  const body = (part: MessagePart) => {
    const lines = part.text.split('\n').filter((line) => line.trim() !== '');
    const further = lines.length - mostLines;
    return [
      ...lines.slice(0, mostLines).flatMap((line) => shown(line, indent + leading(line))),
      ...(further > 0 ? [`${indent}(${further} more lines; --json has all)`] : []),
    ];
  };
  const times = callTimes(spans);
  const messageLines = readMessages(messages).flatMap(({ role, parts }) => [
    ...(parts.some(({ kind }) => kind === 'text' || kind === 'other') || parts.length === 0
      ? shown(role, '')
      : []),
    ...parts.flatMap((part) => {
      if (part.kind !== 'call' && part.kind !== 'result') return body(part);
      const name = part.name ?? '(no name)';
      if (part.kind === 'call') return shown(`call ${name} ${oneLine(part.text)}`, '> ');
      const took = times.get(name)?.shift();
      const time = took === undefined ? '' : ` after ${duration(took)}`;
      return shown(`result of ${name}${time}: ${oneLine(part.text)}`, '< ');
    }),
  ]);
  return messageLines.length === 0 ? ['No message was recorded.'] : messageLines;
}

function callTimes(spans: readonly unknown[]): Map<string, number[]> {
  const times = new Map<string, number[]>();
  for (const span of spans) {
    const { category, toolName, startMs, endMs } = Object(span) as Record<string, unknown>;
    if (category !== 'tool' || typeof toolName !== 'string') continue;
    if (typeof startMs !== 'number' || typeof endMs !== 'number') continue;
    times.set(toolName, [...(times.get(toolName) ?? []), endMs - startMs]);
  }
  return times;
}

/** Compacts JSON to one line. Text that is not JSON is returned unchanged. */
function oneLine(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text));
  } catch {
    return text;
  }
}

function leading(line: string): string {
  return /^ {0,8}/.exec(line)?.[0] ?? '';
}
