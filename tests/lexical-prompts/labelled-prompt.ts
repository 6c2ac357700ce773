/**
 * Requests in everyday words, each with the tool that answers it (or `none`) and its arguments. We
 * wrote one set for three published servers; a person who had not seen the model wrote another for
 * the same; and we wrote a third for four published servers and six typical surfaces.
 */
import { readFileSync } from 'node:fs';
import type { ModelTool } from '../../packages/server/src/outside/model/model-gateway.ts';

export type LabelledPrompt = readonly [
  request: string,
  tool: string,
  input: Readonly<Record<string, unknown>>,
];

/** Labelled prompts, grouped by the intended server. */
export type PromptSet = Readonly<Record<string, readonly LabelledPrompt[]>>;

export const ownPrompts: PromptSet = readJson('own-prompts');
export const strangerPrompts: PromptSet = readJson('stranger-prompts');
export const variedPrompts: PromptSet = readJson('varied-prompts');

/** The hand-written tools of servers that are not started here. */
export const writtenSurfaces: Readonly<Record<string, readonly ModelTool[]>> =
  readJson('written-surfaces');

/**
 * Two halves of the prompts: one for development, one for reports. Every second prompt of each list
 * is held out, so both halves contain every kind of call. Changes of the model must use only the
 * first half.
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
