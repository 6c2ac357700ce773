/**
 * Requests as people write them, each with the tool that answers it (or `none`) and the arguments it states. We wrote one
 * set to three published servers, somebody who had not seen the model wrote another to the same, and we wrote a third to
 * four published servers and to six surfaces like those that are often met.
 */
import { readFileSync } from 'node:fs';
import type { ModelTool } from '../../packages/server/src/outside/model/model-gateway.ts';

export type LabelledPrompt = readonly [
  request: string,
  tool: string,
  input: Readonly<Record<string, unknown>>,
];

/** By the server they are meant for. */
export type PromptSet = Readonly<Record<string, readonly LabelledPrompt[]>>;

export const ownPrompts: PromptSet = readJson('own-prompts');
export const strangerPrompts: PromptSet = readJson('stranger-prompts');
export const variedPrompts: PromptSet = readJson('varied-prompts');

/** The tools of servers that are not started here, written down. */
export const writtenSurfaces: Readonly<Record<string, readonly ModelTool[]>> =
  readJson('written-surfaces');

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

function readJson(name: string) {
  return JSON.parse(readFileSync(new URL(`${name}.json`, import.meta.url), 'utf8'));
}
