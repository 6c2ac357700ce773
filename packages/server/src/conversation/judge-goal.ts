/**
 * Asks a judge whether a trial reached its outcome, once per vote and all at once: each request is
 * the same and independent. A missing or unreadable vote has failed; the votes are counted.
 */
import { setMaxListeners } from 'node:events';
import {
  countVotes,
  type JudgeVote,
  projectSteps,
  readJudgeAnswer,
  trialSentence,
  writeJudgeRequest,
} from '@proofmark/domain';
import { sha256Hex } from '../kernel/sha256-hex.ts';
import { ModelFailure } from '../outside/model/model-failure.ts';
import type { ModelRequest } from '../outside/model/model-gateway.ts';
import { askModelComplete } from './ask-model-complete.ts';
import type { AskOutside } from './ask-outside.ts';
import { settleAll } from './settle-all.ts';

export const judgeGoal: AskOutside<'goalCompleted'> = async (assertion, { messages }, context) => {
  const { dependencies, planned, signal } = context;
  const { outcome, criteria, judgeModel, votes = 1 } = assertion;
  if (judgeModel === undefined) throw new Error('No judge model is set; name one.');
  const { title, steps } = planned;
  const { query } = projectSteps(steps);
  // Secrets sent to servers may appear in their results, and a judge may be of another provider
  // than the model.
  const told = dependencies.redact?.(messages) ?? messages;
  const { system, prompt } = writeJudgeRequest({
    title,
    query,
    messages: told,
    expectedOutput: outcome,
    ...(criteria !== undefined && { criteria }),
  });
  const request: ModelRequest = {
    system,
    messages: [{ role: 'user', content: prompt }],
    tools: [],
    // Several votes at temperature 0 would be equal and say no more than one.
    temperature: votes === 1 ? 0 : temperatureOfVotes,
  };
  const models = dependencies.judgeModels ?? dependencies.models;
  const names = criteria?.map(({ name }) => name);
  const vote = async (): Promise<JudgeVote> => {
    try {
      const { model, apiKey } = dependencies.modelOf({ model: judgeModel });
      const options = apiKey === undefined ? { signal } : { signal, apiKey };
      const { text } = await askModelComplete(models, model, request, options);
      return readJudgeAnswer(text, true, names);
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      if (!(error instanceof ModelFailure)) throw error;
      return { problem: trialSentence(error) };
    }
  };
  // Many votes listen to it while they wait for their places.
  setMaxListeners(0, signal);
  const cast = await settleAll(Array.from({ length: votes }, vote));
  const who = { model: judgeModel, promptHash: sha256Hex(`${system}\n${prompt}`) };
  return countVotes(cast, assertion, who);
};

const temperatureOfVotes = 0.7;
