/**
 * Requests as people write them to three published servers, each with the tool that answers it (or `none`) and the
 * arguments it states. We wrote one set, somebody who had not seen the model wrote the other.
 */
import { readFileSync } from 'node:fs';

export type LabelledPrompt = readonly [
  request: string,
  tool: string,
  input: Readonly<Record<string, unknown>>,
];

export type PromptSet = Readonly<
  Record<'everything' | 'memory' | 'filesystem', readonly LabelledPrompt[]>
>;

export const ownPrompts = readPrompts('own-prompts');
export const strangerPrompts = readPrompts('stranger-prompts');

/**
 * Two halves: one to work with, one to report. Every second prompt of each list is held out, so both halves ask for
 * every kind of call. Whoever changes the model looks at the first half alone.
 */
export function halfOf(
  prompts: readonly LabelledPrompt[],
  half: 'workedWith' | 'heldOut',
): readonly LabelledPrompt[] {
  return prompts.filter((_, index) => index % 2 === (half === 'heldOut' ? 1 : 0));
}

function readPrompts(name: string): PromptSet {
  return JSON.parse(readFileSync(new URL(`${name}.json`, import.meta.url), 'utf8'));
}
