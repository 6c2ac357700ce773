/**
 * Model settings of a case, a client or a suite. The first of the three that has a setting wins;
 * the launch's seed comes last. A setting that the provider does not support is not sent. If the
 * provider rejects a setting, its error is reported.
 */
import * as z from 'zod';

export const reasoningEfforts = ['minimal', 'low', 'medium', 'high'] as const;
export type ReasoningEffort = (typeof reasoningEfforts)[number];

export const largestSeed = 2_147_483_647;

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

export function statedParameters(...layers: readonly (Stated | undefined)[]): ModelParameters {
  const stated: Partial<Record<ModelParameterName, unknown>> = {};
  for (const name of modelParameterNames) {
    const value = layers.find((layer) => layer?.[name] !== undefined)?.[name];
    if (value !== undefined) stated[name] = value;
  }
  return stated as ModelParameters;
}
