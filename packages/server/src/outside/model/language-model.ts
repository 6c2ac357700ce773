/**
 * The npm packages of the model providers, each loaded at first use. Addresses and keys are always
 * passed explicitly: otherwise the packages would look for them in the environment of the process.
 */
import type { LanguageModelV3 } from '@ai-sdk/provider';
import type { ModelProviderKind } from '@proofmark/domain';
import type { ImagePosition } from './to-call-options.ts';

export interface LanguageModelOptions {
  readonly kind: ModelProviderKind;
  readonly providerName: string;
  readonly baseUrl: string;
  readonly apiKey: string | undefined;
  readonly fetch: typeof fetch;
}

export type LanguageModels = (name: string) => LanguageModelV3;

export async function languageModels(options: LanguageModelOptions): Promise<LanguageModels> {
  const { kind, fetch } = options;
  const baseURL = options.baseUrl;
  // The key can be missing only for kinds of provider that need none.
  const apiKey = options.apiKey ?? '';
  switch (kind) {
    case 'openai': {
      const { createOpenAI } = await import('@ai-sdk/openai');
      const provider = createOpenAI({ baseURL, apiKey, fetch });
      // The chat completions API is used, since the provider stores nothing for it and every
      // request is independent.
      return (name) => provider.chat(name);
    }
    case 'anthropic': {
      const { createAnthropic } = await import('@ai-sdk/anthropic');
      return createAnthropic({ baseURL, apiKey, fetch });
    }
    case 'google': {
      const { createGoogleGenerativeAI } = await import('@ai-sdk/google');
      return createGoogleGenerativeAI({ baseURL, apiKey, fetch });
    }
    case 'openrouter': {
      const { createOpenRouter } = await import('@openrouter/ai-sdk-provider');
      const provider = createOpenRouter({ baseURL, apiKey, fetch, compatibility: 'strict' });
      return (name) => provider.chat(name);
    }
    case 'ollama': {
      const { createOllama } = await import('ollama-ai-provider-v2');
      const headers = apiKey === '' ? {} : { authorization: `Bearer ${apiKey}` };
      return createOllama({ baseURL, headers, fetch });
    }
    case 'openai-compatible': {
      const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible');
      const provider = createOpenAICompatible({
        name: options.providerName,
        baseURL,
        fetch,
        includeUsage: true,
        ...(apiKey !== '' && { apiKey }),
      });
      return (name) => provider.chatModel(name);
    }
  }
}

/**
 * Returns where the images of a tool result are sent. Anthropic and Google get them in the result,
 * unless the operator disabled images. Other providers get them in a separate message, and only if
 * the operator declared that the model supports images.
 */
export function imagePositionOf(
  kind: ModelProviderKind,
  images: boolean | undefined,
): ImagePosition {
  const isCommon = kind === 'anthropic' || kind === 'google';
  if (!(images ?? isCommon)) return 'none';
  return isCommon ? 'inResult' : 'inMessage';
}
