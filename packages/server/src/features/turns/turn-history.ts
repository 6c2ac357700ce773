/**
 * Builds the earlier messages of a conversation for the model. A turn with a complete trace gives
 * its tool calls and results too; any other turn gives only text. A turn that was never answered is
 * left out, because the model would answer its message together with the next one.
 */
import { isRecord, type Json, type VisitorMessage } from '@proofmark/domain';
import { hasBoundMark } from '../../conversation/limit-trace.ts';
import { hiddenMark } from '../../outside/mcp/trace-secrets.ts';
import type { ModelMessage } from '../../outside/model/model-gateway.ts';
import type { EarlierTurn } from './turn-rows.ts';

export function historyOf(
  turns: readonly EarlierTurn[],
  nameOf: (toolName: string) => string,
): ModelMessage[] {
  return turns.flatMap(({ isCompleted, messages, trace }) => {
    if (isCompleted) return wholeMessages(trace, nameOf) ?? wordsOf(messages);
    return messages.some(({ role }) => role === 'assistant') ? wordsOf(messages) : [];
  });
}

function wordsOf(messages: readonly VisitorMessage[]): ModelMessage[] {
  return messages.flatMap(({ role, text }): ModelMessage[] => {
    if (role === 'user') return [{ role, content: text }];
    return role === 'assistant' ? [{ role, content: [{ type: 'text', text }] }] : [];
  });
}

/**
 * Returns the messages of a trace, or undefined if a part was cut or a call has no result. A
 * provider would reject such a history.
 */
function wholeMessages(
  trace: unknown,
  nameOf: (toolName: string) => string,
): ModelMessage[] | undefined {
  const messages = isRecord(trace) ? trace['messages'] : undefined;
  if (!Array.isArray(messages)) return undefined;
  const open = new Set<string>();
  const whole: ModelMessage[] = [];
  for (const message of messages) {
    const read = readMessage(message, nameOf, open);
    if (read === undefined) return undefined;
    whole.push(read);
  }
  return open.size === 0 && whole.at(-1)?.role === 'assistant' ? whole : undefined;
}

function readMessage(
  message: unknown,
  nameOf: (toolName: string) => string,
  open: Set<string>,
): ModelMessage | undefined {
  if (!isRecord(message)) return undefined;
  const { role, content } = message;
  if (role === 'user') return typeof content === 'string' ? { role, content } : undefined;
  if (!Array.isArray(content) || !content.every(isRecord)) return undefined;
  if (role !== 'assistant' && role !== 'tool') return undefined;
  // biome-ignore lint/complexity/noExcessiveCognitiveComplexity: the kinds of a part side by side, with the calls that are still open between them.
  const parts = content.filter(isWhole).map((part) => {
    const { type, toolCallId, toolName } = part;
    if (role === 'assistant' && type === 'reasoning') return part;
    if (role === 'assistant' && type === 'text') {
      return typeof part['text'] === 'string' ? part : undefined;
    }
    if (typeof toolCallId !== 'string' || typeof toolName !== 'string') return undefined;
    if (role === 'assistant' && type === 'tool-call' && isRecord(part['input'])) {
      if (!isAsCalled(part['input'])) return undefined;
      open.add(toolCallId);
    } else if (role === 'tool' && type === 'tool-result' && isRecord(part['output'])) {
      if (!open.delete(toolCallId)) return undefined;
    } else return undefined;
    return { ...part, toolName: nameOf(toolName) };
  });
  if (parts.some((part) => part === undefined)) return undefined;
  return { role, content: parts } as unknown as ModelMessage;
}

/** Returns false for redacted or cut reasoning, which is left out of the history. */
function isWhole({ type, text }: Json): boolean {
  if (type !== 'reasoning') return true;
  return typeof text === 'string' && !hasBoundMark(text) && !text.includes(hiddenMark);
}

/**
 * Returns whether the tool got exactly these arguments. Stored arguments may be redacted or cut;
 * the model must not see and repeat those.
 */
function isAsCalled(input: object): boolean {
  const text = JSON.stringify(input);
  return !text.includes(hiddenMark) && !hasBoundMark(text);
}
