/**
 * Asks a model why a trial selected the wrong tool. If the answer is missing, truncated or
 * unreadable, no cause is recorded.
 */
import {
  type AttributionEvidence,
  readAttributionAnswer,
  type WrongSelection,
  writeAttributionRequest,
} from '@proofmark/domain';
import { ModelFailure } from '../outside/model/model-failure.ts';
import type { ModelGateway } from '../outside/model/model-gateway.ts';
import { askModelComplete } from './ask-model-complete.ts';
import type { AskedJudge } from './judge-trial.ts';

export async function attributeTrial(
  dependencies: { readonly models: Pick<ModelGateway, 'generate'> },
  selection: WrongSelection,
  { model, apiKey }: Omit<AskedJudge, 'threshold'>,
  signal: AbortSignal,
): Promise<AttributionEvidence | undefined> {
  const { system, prompt } = writeAttributionRequest(selection);
  const messages = [{ role: 'user', content: prompt }] as const;
  const request = { system, messages, tools: [], temperature: 0 };
  try {
    const options = apiKey === undefined ? { signal } : { signal, apiKey };
    const { text } = await askModelComplete(dependencies.models, model, request, options);
    return readAttributionAnswer(text, selection);
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    if (!(error instanceof ModelFailure)) throw error;
    return undefined;
  }
}
