/**
 * Requests in everyday words, each with the tool that answers it (or `none`) and its arguments. Two
 * sets are for the same three published servers: one by us, one by a person who had not seen the
 * model. The third set, by us, is for four published servers and six typical surfaces.
 */
import { readFileSync } from 'node:fs';
import type { ModelTool } from '../../packages/server/src/outside/model/model-gateway.ts';

export type LabelledPrompt = readonly [
  request: string,
  tool: string,
  input: Readonly<Record<string, unknown>>,
];

export type PromptSet = Readonly<Record<string, readonly LabelledPrompt[]>>;

export const ownPrompts: PromptSet = readJson('own-prompts');
export const strangerPrompts: PromptSet = readJson('stranger-prompts');
export const variedPrompts: PromptSet = readJson('varied-prompts');

export const writtenSurfaces: Readonly<Record<string, readonly ModelTool[]>> =
  readJson('written-surfaces');

/**
 * Returns one half of the prompts: `workedWith` for development, `heldOut` for reports. Every
 * second prompt of each list is held out, so both halves contain every kind of call. Changes of the
 * model must use only the first half.
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
