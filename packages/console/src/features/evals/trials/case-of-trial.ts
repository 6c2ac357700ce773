import type { BodyInputOf } from '@proofmark/contract';
import type { CallEntry, ConversationTurn } from './read-conversation.ts';

type CaseBody = BodyInputOf<'createEvalCase'>;

const mostSteps = 100;
const mostChecks = 20;

/**
 * Undefined if the trial has neither a prompt nor a call of a known server, because the case would
 * have no steps.
 */
export function caseOfTrial(
  turns: readonly ConversationTurn[],
  { title, expectCalls }: { readonly title: string; readonly expectCalls: boolean },
): CaseBody | undefined {
  const steps = turns.flatMap(stepsOf).slice(0, mostSteps);
  if (steps.length === 0) return undefined;
  const made = turns.flatMap(({ entries }) => entries.filter(isGoodCall)).slice(0, mostChecks);
  const list = made.map(({ name, input }) => ({
    type: 'toolCalledWith' as const,
    toolName: name,
    args: { args: argumentsOf(input), argumentMatching: 'partial' as const },
  }));
  const isExpected = expectCalls && list.length > 0;
  return { title, steps, ...(isExpected && { checks: { mode: 'extend', list } }) };
}

/**
 * Converts a turn to prompts if the user wrote in it. Otherwise converts its calls to tool-call
 * steps, which need no model.
 */
function stepsOf({ index, entries }: ConversationTurn): CaseBody['steps'] {
  const prompts = entries.flatMap((entry) =>
    entry.kind === 'said' && entry.role === 'user' ? [entry.text] : [],
  );
  if (prompts.length > 0) {
    return [{ id: `turn-${index + 1}`, kind: 'prompt', prompt: prompts.join('\n') }];
  }
  return entries.flatMap((entry, place) => {
    if (entry.kind !== 'call' || entry.serverName === undefined) return [];
    const { name: toolName, serverName, input } = entry;
    const id = `call-${index + 1}-${place + 1}`;
    return [{ id, kind: 'toolCall' as const, serverName, toolName, arguments: argumentsOf(input) }];
  });
}

function isGoodCall(entry: ConversationTurn['entries'][number]): entry is CallEntry {
  return entry.kind === 'call' && entry.result !== undefined && !entry.result.isError;
}

function argumentsOf(input: unknown): Record<string, unknown> {
  const isObject = typeof input === 'object' && input !== null && !Array.isArray(input);
  return isObject ? (input as Record<string, unknown>) : {};
}
