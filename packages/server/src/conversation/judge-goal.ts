/**
 * Asks a judge whether a trial reached its outcome. All votes are requested concurrently with
 * identical requests. A missing or unreadable vote counts neither for nor against.
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
  if (judgeModel === undefined)
    throw new Error(
      'No judge model is set; name one in judgeModel of the assertion, or in the judge settings of the suite.',
    );
  const { title, steps } = planned;
  const { query } = projectSteps(steps);
  // Tool results may contain secrets that were sent to servers. The judge may have another
  // provider, which must not get them.
  const redacted = dependencies.redact?.(messages) ?? messages;
  const { system, prompt } = writeJudgeRequest({
    title,
    query,
    messages: redacted,
    expectedOutput: outcome,
    ...(criteria !== undefined && { criteria }),
  });
  const request: ModelRequest = {
    system,
    messages: [{ role: 'user', content: prompt }],
    tools: [],
    // At temperature 0 all votes would be equal, so several would add nothing.
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
  // Each vote that waits for a slot listens to the signal. Above ten listeners, Node.js would warn
  // of a leak.
  setMaxListeners(0, signal);
  const cast = await settleAll(Array.from({ length: votes }, vote));
  const who = { model: judgeModel, promptHash: sha256Hex(`${system}\n${prompt}`) };
  return countVotes(cast, assertion, who);
};

const temperatureOfVotes = 0.7;
