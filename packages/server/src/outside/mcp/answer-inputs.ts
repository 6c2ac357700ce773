/**
 * In the newest protocol version, a server asks its client for input by a result with questions and
 * a state. The client repeats the call with the answers and that state.
 */

import { setTimeout as sleep } from 'node:timers/promises';
import { isRecord, type Json } from '@proofmark/domain';
import type { RequestAnswers } from './answer-requests.ts';
import { invalidAnswer, unreachable } from './explain-mcp-error.ts';

export async function answerInputs(
  result: Json,
  rounds: number,
  answers: RequestAnswers,
  signal: AbortSignal,
): Promise<Json> {
  if (rounds > mostRounds) {
    throw unreachable(
      'INPUT_REQUIRED',
      `The server still asked for input after ${mostRounds} rounds of answers, so the call was ended.`,
    );
  }
  const { inputRequests, requestState } = result;
  const wanted = Object.entries(isRecord(inputRequests) ? inputRequests : {});
  // A result without questions asks only to repeat the call, so wait a moment before that.
  if (wanted.length === 0) await sleep(againAfterMs, undefined, { signal }).catch(() => undefined);
  if (wanted.length > mostInputs)
    throw invalidAnswer(`The server asked for more than ${mostInputs} inputs at once.`);
  const inputResponses = await answerEach(Object.fromEntries(wanted), answers, signal);
  return {
    ...(wanted.length > 0 && { inputResponses }),
    ...(requestState !== undefined && { requestState }),
  };
}

/** Answers questions one after another, and returns the answers by the keys of the questions. */
export async function answerEach(
  questions: Json,
  answers: RequestAnswers,
  signal: AbortSignal,
): Promise<Json> {
  const given: [string, Json][] = [];
  for (const [key, request] of Object.entries(questions)) {
    given.push([key, await answerInput(request, answers, signal)]);
  }
  return Object.fromEntries(given);
}

async function answerInput(
  request: unknown,
  answers: RequestAnswers,
  signal: AbortSignal,
): Promise<Json> {
  if (!isRecord(request) || typeof request['method'] !== 'string') throw invalidAnswer();
  const { method, params } = request;
  try {
    return await answers.answer(method, params, signal);
  } catch (error) {
    const [missingAbility] = answers.lacked;
    throw unreachable(
      'INPUT_REQUIRED',
      missingAbility === undefined
        ? `The server asked for input before it answered the call, and the input could not be given: ${error instanceof Error ? error.message : ''}`
        : 'The server needs input from a person or a model before it answers the call, and no such input is available here.',
      missingAbility === undefined ? {} : { missingAbility },
    );
  }
}

const mostRounds = 10;
const mostInputs = 20;
const againAfterMs = 250;
