import { ModelFailure } from '../../../outside/model/model-failure.ts';
import type { ModelGateway, ModelRequest } from '../../../outside/model/model-gateway.ts';

export interface ProviderTrial {
  readonly ok: boolean;
  readonly model: string;
  readonly reason: string | null;
  readonly message: string;
}

export async function tryProvider(
  models: Pick<ModelGateway, 'generate'>,
  provider: string,
  model: string,
  signal: AbortSignal,
  longestMs = 20_000,
): Promise<ProviderTrial> {
  const timeout = AbortSignal.timeout(longestMs);
  const chosen = { hosted: true, id: `${provider}/${model}`, provider, name: model } as const;
  const bounds = { signal: AbortSignal.any([signal, timeout]), sends: 1 };
  const failed = (reason: string, message: string) => ({ ok: false, model, reason, message });
  try {
    await models.generate(chosen, question, bounds);
    return { ok: true, model, reason: null, message: `The model provider ${provider} answered.` };
  } catch (error) {
    if (error instanceof ModelFailure) return failed(error.reason, error.message);
    if (signal.aborted || !timeout.aborted) throw error;
    return failed('TIMEOUT', `The model provider ${provider} did not answer in time.`);
  }
}

/** The token limit is low, but high enough for models that count their reasoning as output. */
const question: ModelRequest = {
  messages: [{ role: 'user', content: 'Answer with the word yes.' }],
  tools: [],
  maxOutputTokens: 16,
};
