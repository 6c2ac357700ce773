import { isRecord } from '../kernel/json.ts';
import { cutText } from './candidate.ts';

/**
 * The maximum length of one message in characters; the end of a longer message says little more.
 */
const longestMessage = 2_000;
/** The number of characters to show before the turn. */
const before = 500;

export function excerptAround(
  messages: readonly unknown[],
  promptIndex: number | undefined,
  length: number,
): string {
  const lines: string[] = [];
  let turn = -1;
  let start: number | undefined;
  let written = 0;
  for (const message of messages) {
    const line = messageText(message);
    if (isRecord(message) && message['role'] === 'user') turn += 1;
    if (turn === promptIndex && start === undefined) start = written;
    lines.push(line);
    written += line.length + 1;
  }
  const whole = lines.join('\n');
  if (whole.length <= length) return whole;
  const from = start === undefined ? whole.length - length : Math.max(0, start - before);
  return cutText(whole.slice(Math.min(from, whole.length - length)).toWellFormed(), length);
}

export function lastAnswer(messages: readonly unknown[]): string {
  const last = messages.findLast((one) => isRecord(one) && one['role'] === 'assistant');
  const content = isRecord(last) ? last['content'] : undefined;
  return typeof content === 'string' ? content : partsOf(content).map(textOfPart).join(' ');
}

function messageText(message: unknown): string {
  if (!isRecord(message)) return '';
  const { role, content } = message;
  const text = typeof content === 'string' ? content : partsOf(content).map(partText).join(' ');
  return cutText(`${String(role)}: ${text}`, longestMessage);
}

function partsOf(content: unknown): readonly unknown[] {
  return Array.isArray(content) ? content : [];
}

function textOfPart(part: unknown): string {
  // The reasoning of a model is not part of the conversation.
  if (!isRecord(part) || part['type'] === 'reasoning') return '';
  return typeof part['text'] === 'string' ? part['text'] : '';
}

function partText(part: unknown): string {
  if (!isRecord(part)) return '';
  const { type, toolName } = part;
  if (type === 'tool-call') return `calls ${String(toolName)} with ${short(part['input'])}`;
  if (type === 'tool-result')
    return `${String(toolName)} answers ${short(part['output'] ?? part['result'])}`;
  return textOfPart(part);
}

function short(value: unknown): string {
  return cutText(JSON.stringify(value) ?? 'nothing', longestMessage);
}
