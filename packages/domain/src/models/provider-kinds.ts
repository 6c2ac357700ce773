export const modelProviderKinds = [
  'openai',
  'anthropic',
  'google',
  'openrouter',
  'ollama',
  'openai-compatible',
] as const;
export type ModelProviderKind = (typeof modelProviderKinds)[number];

/** The provider kinds that callers can use with their own key and without any configuration. */
export const knownProviderKinds = ['openai', 'anthropic', 'google', 'openrouter'] as const;

export function runsWithoutKey(kind: ModelProviderKind): boolean {
  return kind === 'ollama' || kind === 'openai-compatible';
}

/** Returns null for a kind without a default address. */
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
