/** A provider as the operator configures it. Nothing of it but names and prices is ever shown. */
export const modelProviderKinds = [
  'openai',
  'anthropic',
  'google',
  'openrouter',
  'ollama',
  'openai-compatible',
] as const;
export type ModelProviderKind = (typeof modelProviderKinds)[number];

export interface ModelProvider {
  readonly name: string;
  readonly kind: ModelProviderKind;
  /** The kind's own address when absent. */
  readonly baseUrl?: string;
  /** The operator's key, for the models below. */
  readonly apiKey?: string;
  /** What runs on the operator's key, as `<name of the provider>/<name of the model>`. */
  readonly models: readonly OfferedModel[];
  /** How many requests this process sends to it at a time. */
  readonly requestsAtOnce?: number;
}

export interface OfferedModel {
  readonly name: string;
  /** In US dollars for a million tokens; both or neither. */
  readonly inputPerMillion?: number;
  readonly outputPerMillion?: number;
  /** Whether it takes images; where nothing is said, as the models of its kind do. */
  readonly images?: boolean;
}

/** Known without configuration, for callers who bring a key of their own. */
export const knownProviders: readonly ModelProvider[] = (
  ['openai', 'anthropic', 'google', 'openrouter'] as const
).map((kind) => ({ name: kind, kind, models: [] }));
