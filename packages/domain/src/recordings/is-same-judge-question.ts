/**
 * Compares a judge's request with the recorded one and ignores three differences:
 *
 * - content behind a redaction mark
 * - the placeholder of a known secret, if the recording has a mark there
 * - in older recordings, call ids made up by a provider and the order of JSON keys
 */
import { canonicalJson } from '../kernel/canonical-json.ts';
import { isRecord } from '../kernel/json.ts';
import { firstDifference } from './first-difference.ts';
import type { WholeRequest } from './recording.ts';
import { describeRedactionMarks, markText } from './redaction-marks.ts';

export function isSameQuestion(
  recorded: WholeRequest,
  asked: WholeRequest,
  /** The text that replaces a known secret in requests. */
  hidden: string,
): boolean {
  if (firstDifference(recorded, asked) === undefined) return true;
  const { messages: before, ...recordedRest } = recorded;
  const { messages: after, ...askedRest } = asked;
  if (firstDifference(recordedRest, askedRest) !== undefined) return false;
  const alike = (message: unknown) => respell(message, hidden);
  return canonicalJson(before.map(alike)) === canonicalJson(after.map(alike));
}

function respell(message: unknown, hidden: string): unknown {
  const content = isRecord(message) ? message['content'] : undefined;
  if (!isRecord(message) || typeof content !== 'string') return describeRedactionMarks(message);
  const text = String(describeRedactionMarks(content)).replaceAll(hidden, markText);
  const material = readJson(text.replace(/^<material>\n/, '').replace(/\n<\/material>$/, ''));
  const conversation = isRecord(material) ? material['conversation'] : undefined;
  if (!isRecord(material) || !Array.isArray(conversation)) return { ...message, content: text };
  const ids = new Map<string, string>();
  const numbered = conversation.map((one: unknown) => numberCalls(one, ids));
  return { ...message, content: { ...material, conversation: numbered } };
}

/**
 * Replaces the call ids of a message by numbers. A message that was cut is no longer valid JSON and
 * stays unchanged.
 */
function numberCalls(spelled: unknown, ids: Map<string, string>): unknown {
  const message = typeof spelled === 'string' ? readJson(spelled) : undefined;
  const content = isRecord(message) ? message['content'] : undefined;
  if (!isRecord(message) || !Array.isArray(content)) return message ?? spelled;
  const parts = content.map((part: unknown) => {
    const id = isRecord(part) ? part['toolCallId'] : undefined;
    if (!isRecord(part) || typeof id !== 'string') return part;
    const number = ids.get(id) ?? `${ids.size + 1}`;
    ids.set(id, number);
    return { ...part, toolCallId: number };
  });
  return { ...message, content: parts };
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
