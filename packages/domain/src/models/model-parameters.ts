/**
 * Settings of models in a case, a client or a suite. The first of these that sets a value wins; the
 * seed has the launch as the last. A provider without support for a setting gets the request
 * without it; an error of a provider that rejects it is reported.
 */
import * as z from 'zod';

export const reasoningEfforts = ['minimal', 'low', 'medium', 'high'] as const;
export type ReasoningEffort = (typeof reasoningEfforts)[number];

export const largestSeed = 2_147_483_647;

/** The fields, for the closed schemas that contain them. */
export const modelParameterFields = {
  temperature: z.number().min(0).max(2).optional(),
  topP: z.number().min(0).max(1).optional(),
  maxTokens: z.int().min(1).max(1_000_000).optional().meta({
    description:
      'The maximum number of tokens of one answer. A longer answer is cut, marked as cut, and graded as it is.',
  }),
  seed: z.int().min(0).max(largestSeed).optional(),
  reasoningEffort: z.enum(reasoningEfforts).optional(),
};

export const modelParameterNames = [
  'temperature',
  'topP',
  'maxTokens',
  'seed',
  'reasoningEffort',
] as const satisfies readonly (keyof typeof modelParameterFields)[];
export type ModelParameterName = (typeof modelParameterNames)[number];

export interface ModelParameters {
  readonly temperature?: number;
  readonly topP?: number;
  readonly maxTokens?: number;
  readonly seed?: number;
  readonly reasoningEffort?: ReasoningEffort;
}

type Stated = { readonly [Name in ModelParameterName]?: ModelParameters[Name] | undefined };

/** Returns each setting from the first layer that sets it. */
export function statedParameters(...layers: readonly (Stated | undefined)[]): ModelParameters {
  const stated: Partial<Record<ModelParameterName, unknown>> = {};
  for (const name of modelParameterNames) {
    const said = layers.find((layer) => layer?.[name] !== undefined)?.[name];
    if (said !== undefined) stated[name] = said;
  }
  return stated as ModelParameters;
}
