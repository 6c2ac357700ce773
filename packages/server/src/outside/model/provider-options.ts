/**
 * Settings that each provider's package names differently. For Ollama, all settings are sent as
 * `options` under Ollama's names, because its package would send fields that the API ignores.
 */
import type { SharedV3ProviderOptions } from '@ai-sdk/provider';
import type { ModelProviderKind, ReasoningEffort } from '@proofmark/domain';
import type { ModelRequest } from './model-gateway.ts';

export function providerOptionsOf(
  kind: ModelProviderKind,
  request: ModelRequest,
): SharedV3ProviderOptions | undefined {
  const { reasoningEffort: effort } = request;
  if (kind === 'ollama') return ollamaOptions(request);
  if (effort === undefined) return undefined;
  switch (kind) {
    case 'openai':
      return { openai: { reasoningEffort: effort } };
    case 'openai-compatible':
      return { openaiCompatible: { reasoningEffort: effort } };
    case 'openrouter':
      return { openrouter: { reasoning: { effort } } };
    case 'anthropic':
      return { anthropic: { effort } };
    case 'google':
      return { google: { thinkingConfig: { thinkingLevel: effort } } };
  }
}

/**
 * Returns false for a reasoning effort that this kind of provider does not know; its package would
 * drop the setting.
 */
export function isKnownEffort(kind: ModelProviderKind, effort: ReasoningEffort): boolean {
  return kind !== 'anthropic' || effort !== 'minimal';
}

function ollamaOptions(request: ModelRequest): SharedV3ProviderOptions | undefined {
  const { temperature, topP, maxOutputTokens, seed, reasoningEffort: effort } = request;
  const options = {
    ...(temperature !== undefined && { temperature }),
    ...(topP !== undefined && { top_p: topP }),
    ...(maxOutputTokens !== undefined && { num_predict: maxOutputTokens }),
    ...(seed !== undefined && { seed }),
  };
  const hasOptions = Object.keys(options).length > 0;
  if (!hasOptions && effort === undefined) return undefined;
  return {
    ollama: {
      ...(hasOptions && { options }),
      ...(effort !== undefined && { think: effort !== 'minimal' }),
    },
  };
}
