/**
 * Creates a case that repeats a tried tool call and expects the same answer. The expected text is
 * the first line of the answer that is not only brackets, because nearly every answer contains
 * brackets.
 */
import type { OutputOf } from '@proofmark/contract';
import type { Json } from '@proofmark/domain';
import type { CaseBody } from './case-draft.ts';

export interface TriedCall {
  readonly serverId: string;
  readonly serverName: string;
  readonly toolName: string;
  readonly parameters: Json;
  readonly result: Pick<OutputOf<'callTool'>, 'content' | 'isError'>;
}

const longestNeedle = 200;

export function caseOfCall(call: TriedCall, title: string): CaseBody {
  const { serverId, serverName, toolName, parameters } = call;
  const step = { id: 'call', kind: 'toolCall' as const, serverId, serverName, toolName };
  return {
    title,
    steps: [{ ...step, arguments: { ...parameters } }],
    checks: { mode: 'extend', list: [expectedOf(call)] },
  };
}

function expectedOf({ toolName, result }: TriedCall) {
  if (result.isError) return { type: 'toolCallFails' as const, toolName };
  const lines = result.content.flatMap(linesOf);
  const needle = lines.find((line) => /[\p{L}\p{N}]/u.test(line)) ?? lines[0];
  if (needle === undefined) return { type: 'noToolErrors' as const };
  return { type: 'toolResultContains' as const, needle, toolName };
}

/**
 * Returns the lines of a text block. A long line is cut, never inside a character, so that the
 * answer still contains it.
 */
function linesOf(block: unknown): string[] {
  const { type, text } = Object(block) as { type?: unknown; text?: unknown };
  if (type !== 'text' || typeof text !== 'string') return [];
  const lines = text.split(/\r?\n/).map((line) => line.trim());
  return lines
    .filter((line) => line !== '')
    .map((line) => Array.from(line).slice(0, longestNeedle).join(''));
}
