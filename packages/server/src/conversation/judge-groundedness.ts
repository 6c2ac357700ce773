/**
 * Asks a model how well tool results support an answer. If the judge fails or its answer is
 * truncated or unreadable, there is no grade.
 */
import {
  type GroundedTrial,
  type ReadGroundedness,
  readGroundednessAnswer,
  writeGroundednessRequest,
} from '@proofmark/domain';
import { ModelFailure } from '../outside/model/model-failure.ts';
import type { ModelGateway } from '../outside/model/model-gateway.ts';
import { askModelComplete } from './ask-model-complete.ts';
import type { AskedJudge } from './judge-trial.ts';

export async function judgeTrialGroundedness(
  dependencies: { readonly models: Pick<ModelGateway, 'generate'> },
  trial: GroundedTrial,
  { model, apiKey }: Omit<AskedJudge, 'threshold'>,
  signal: AbortSignal,
): Promise<ReadGroundedness | undefined> {
  const { system, prompt } = writeGroundednessRequest(trial);
  const messages = [{ role: 'user', content: prompt }] as const;
  const request = { system, messages, tools: [], temperature: 0 };
  try {
    const options = apiKey === undefined ? { signal } : { signal, apiKey };
    const { text } = await askModelComplete(dependencies.models, model, request, options);
    const answer = readGroundednessAnswer(text);
    return 'problem' in answer ? undefined : answer;
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    if (!(error instanceof ModelFailure)) throw error;
    return undefined;
  }
}
