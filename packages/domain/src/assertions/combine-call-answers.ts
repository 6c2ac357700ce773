/**
 * Combines the answers for single calls into one finding. If no single call decides the finding,
 * one unknown call leaves the assertion without an answer.
 */
import { type Finding, fails, holds, unanswered } from './assertion-kind.ts';
import type { ToolCall } from './transcript.ts';

export type CallAnswer =
  | { readonly state: 'yes' | 'no'; readonly sentence: string }
  | { readonly state: 'unknown'; readonly sentence: string };

export type Weigh = (call: ToolCall) => CallAnswer;

/**
 * Holds if at least one call has the answer `yes`. `words.none` is the reason if there are no
 * calls.
 */
export function someCall(
  calls: readonly ToolCall[],
  weigh: Weigh,
  words: { readonly none: string; readonly failed: (last: string) => string },
): Finding {
  if (calls.length === 0) return fails(words.none);
  const answers = calls.map(weigh);
  const yes = answers.find(({ state }) => state === 'yes');
  if (yes !== undefined) return holds(yes.sentence);
  const open = answers.find(({ state }) => state === 'unknown');
  if (open !== undefined) return unanswered(open.sentence);
  return fails(words.failed(answers.at(-1)?.sentence ?? ''));
}

/** Holds if every call has the answer `yes`. `words.none` is the finding if there are no calls. */
export function everyCall(
  calls: readonly ToolCall[],
  weigh: Weigh,
  words: { readonly none: Finding; readonly held: string },
): Finding {
  if (calls.length === 0) return words.none;
  const answers = calls.map(weigh);
  const no = answers.find(({ state }) => state === 'no');
  if (no !== undefined) return fails(no.sentence);
  const open = answers.find(({ state }) => state === 'unknown');
  return open === undefined ? holds(words.held) : unanswered(open.sentence);
}
