/**
 * What a case, a client or a suite may say about how a model answers. Who says it first counts: the case, then the client,
 * then the suite, and of the seed at last the launch. A provider that does not take one of them is asked without it; one that refuses it is told as refusing.
 */
import * as z from 'zod';

export const reasoningEfforts = ['minimal', 'low', 'medium', 'high'] as const;
export type ReasoningEffort = (typeof reasoningEfforts)[number];

export const largestSeed = 2_147_483_647;

/** The fields, for the closed shapes that they stand in. */
export const modelParameterFields = {
  temperature: z.number().min(0).max(2).optional(),
  topP: z.number().min(0).max(1).optional(),
  maxTokens: z.int().min(1).max(1_000_000).optional().meta({
    description:
      'The most tokens of one answer. An answer that is cut by it is graded as it stands, and says so.',
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

/** Each as the first of the layers says that says it. */
export function statedParameters(...layers: readonly (Stated | undefined)[]): ModelParameters {
  const stated: Partial<Record<ModelParameterName, unknown>> = {};
  for (const name of modelParameterNames) {
    const said = layers.find((layer) => layer?.[name] !== undefined)?.[name];
    if (said !== undefined) stated[name] = said;
  }
  return stated as ModelParameters;
}
