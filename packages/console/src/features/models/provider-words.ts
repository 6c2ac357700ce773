import type { ModelProviderEntry } from '@proofmark/contract';
import type { ModelProviderKind, ProviderSource } from '@proofmark/domain';

export const providerKindWords: Readonly<Record<ModelProviderKind, string>> = {
  openai: 'OpenAI',
  anthropic: 'Anthropic',
  google: 'Google',
  openrouter: 'OpenRouter',
  ollama: 'Ollama',
  'openai-compatible': 'OpenAI-compatible server',
};

export const providerSourceWords: Readonly<Record<ProviderSource, string>> = {
  file: 'from the file',
  operator: 'from the operator',
  organization: 'this organization',
};

export function modelWords({ models }: ModelProviderEntry): string {
  if (models.length === 0) return 'none';
  return models
    .map(({ name, inputPerMillion, outputPerMillion }) =>
      inputPerMillion === undefined
        ? name
        : `${name} ($${inputPerMillion} in, $${outputPerMillion} out)`,
    )
    .join(', ');
}
