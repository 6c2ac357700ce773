/**
 * Asks a model whether a trial reached its user's goal. If the model fails or its answer is
 * truncated or unreadable, the judge has failed, which proves nothing about the trial.
 */
import {
  type ChosenModel,
  hasRubric,
  type JudgedTrial,
  type JudgeEvidence,
  judgePartialFloor,
  readJudgeAnswer,
  trialSentence,
  writeJudgeRequest,
} from '@proofmark/domain';
import { ModelFailure } from '../outside/model/model-failure.ts';
import type { ModelGateway, ModelUsage } from '../outside/model/model-gateway.ts';
import { incompleteAnswer } from './incomplete-answer.ts';

export interface AskedJudge {
  readonly model: ChosenModel;
  readonly apiKey?: string;
  readonly threshold: number;
}

/** `reason` is set only if the judge failed. */
export type JudgeFinding = JudgeEvidence & {
  readonly reason?: string;
  readonly rubricHits: readonly string[];
  readonly usage?: ModelUsage;
};

export async function judgeTrial(
  dependencies: { readonly models: Pick<ModelGateway, 'generate'> },
  trial: JudgedTrial,
  { model, apiKey, threshold }: AskedJudge,
  signal: AbortSignal,
): Promise<JudgeFinding> {
  const { system, prompt } = writeJudgeRequest(trial);
  const request = {
    system,
    messages: [{ role: 'user', content: prompt }],
    tools: [],
    temperature: 0,
  } as const;
  try {
    const options = apiKey === undefined ? { signal } : { signal, apiKey };
    const reply = await dependencies.models.generate(model, request, options);
    const { text, usage } = reply;
    const cut = incompleteAnswer(reply, model.provider);
    if (cut !== undefined) return { status: 'errored', reason: cut, rubricHits: [], usage };
    const answer = readJudgeAnswer(text, hasRubric(trial));
    if ('problem' in answer) {
      return { status: 'errored', reason: answer.problem, rubricHits: [], usage };
    }
    const { score, reason, rubricHits } = answer;
    return {
      status: 'scored',
      score,
      threshold,
      partialFloor: judgePartialFloor,
      reason,
      rubricHits,
      usage,
    };
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    if (!(error instanceof ModelFailure)) throw error;
    return { status: 'errored', reason: trialSentence(error), rubricHits: [] };
  }
}
