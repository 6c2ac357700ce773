/**
 * Models that answer from a recording: with the recorded answer to the same request or, if the
 * replay is set to do so, with the next answer. A judge with a different request is called live,
 * because judges grade the trial and are not replayed.
 */
import {
  describeRedactionMarks,
  firstDifference,
  isSameQuestion,
  type ModelExchange,
  type WholeRequest,
} from '@proofmark/domain';
import { sha256Hex } from '../../kernel/sha256-hex.ts';
import { hiddenMark } from '../../outside/mcp/trace-secrets.ts';
import { ModelFailure, type ModelFailureReason } from '../../outside/model/model-failure.ts';
import type { ModelGateway, ModelReply, ModelRequest } from '../../outside/model/model-gateway.ts';
import type { PlacedRequest } from './opened-recording.ts';
import { requestOfModel } from './request-of-model.ts';
import { skipRecordedTimeouts } from './skip-recorded-timeouts.ts';
import { spellOneRequest } from './spelled-requests.ts';
import type { TrialReplay } from './trial-replay.ts';

type Models = Pick<ModelGateway, 'generate'>;

export function recordedModels(replay: TrialReplay, live: Models, by: ModelExchange['by']): Models {
  return {
    async generate(model, request, options) {
      // `turnOf` counts the user messages of a request. A request that a server sends to the model
      // has few of them, so `Math.max` keeps the later turn.
      if (by === 'trial') replay.turn = Math.max(replay.turn, turnOf(request));
      if (replay.isModelLive) return live.generate(model, request, options);
      const taken = findAnswer(replay, requestOfModel(model, request), by);
      if (taken === undefined) return live.generate(model, request, options);
      replay.recorded.take(taken.place);
      options.onSent?.(true);
      const { answer, error } = taken.exchange;
      if (answer !== undefined)
        return replay.recorded.withMarksDescribed(answer) as unknown as ModelReply;
      if (error === undefined) return skipRecordedTimeouts(replay.recorded, options.signal);
      throw failureOf(error);
    },
  };
}

function findAnswer(
  replay: TrialReplay,
  request: WholeRequest,
  by: ModelExchange['by'],
): PlacedRequest | undefined {
  const left = replay.recorded.requestsLeft(by);
  const [next] = left;
  const isByPlace = replay.terms.byPlace === true && by === 'trial';
  if (isByPlace && next !== undefined) return next;
  const hash = sha256Hex(spellOneRequest(request));
  const same = left.find(({ exchange }) => exchange.hash === hash);
  if (same !== undefined) return same;
  const redacted = replay.redactRequest(request);
  if (by === 'judge') return left.find((one) => isSameQuestion(one.request, redacted, hiddenMark));
  if (next === undefined) {
    const place = { side: 'model', kind: 'missing' } as const;
    replay.diverge(place, { path: '', before: undefined, after: redacted.messages.at(-1) });
    return undefined;
  }
  const difference = firstDifference(next.request, redacted);
  if (difference === undefined) return next;
  replay.diverge({ side: 'model', kind: 'request' }, difference);
  return undefined;
}

function turnOf({ messages }: ModelRequest): number {
  return Math.max(0, messages.filter(({ role }) => role === 'user').length - 1);
}

function failureOf(error: Readonly<Record<string, unknown>>): ModelFailure {
  const { reason, message, attempts } = describeRedactionMarks(error) as Record<string, unknown>;
  return new ModelFailure(reason as ModelFailureReason, String(message), Number(attempts ?? 1));
}
