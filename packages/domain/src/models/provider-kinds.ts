/** The kinds of model providers the service can speak to, and what each kind is by itself. */
export const modelProviderKinds = [
  'openai',
  'anthropic',
  'google',
  'openrouter',
  'ollama',
  'openai-compatible',
] as const;
export type ModelProviderKind = (typeof modelProviderKinds)[number];

/** Known without configuration, for callers who bring a key of their own. */
export const knownProviderKinds = ['openai', 'anthropic', 'google', 'openrouter'] as const;

/** Whether a model of this kind can be asked without any key. */
export function runsWithoutKey(kind: ModelProviderKind): boolean {
  return kind === 'ollama' || kind === 'openai-compatible';
}

/** Where requests go: to the address that is given, else to the kind's own; not every kind has one. */
export function providerAddress(
  kind: ModelProviderKind,
  baseUrl: string | null | undefined,
): string | null {
  return baseUrl ?? ownAddresses[kind] ?? null;
}

const ownAddresses: Readonly<Partial<Record<ModelProviderKind, string>>> = {
  openai: 'https://api.openai.com/v1',
  anthropic: 'https://api.anthropic.com/v1',
  google: 'https://generativelanguage.googleapis.com/v1beta',
  openrouter: 'https://openrouter.ai/api/v1',
  ollama: 'http://127.0.0.1:11434/api',
};
