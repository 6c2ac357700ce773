/**
 * The client of one provider. It limits concurrent requests; others wait in order. A request is
 * retried after a rate limit, a failure of the provider, or a failed connection. The delay doubles
 * each time and varies at random, and a request that waits for its retry holds no slot.
 */
import { setMaxListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { LanguageModelV3, LanguageModelV3CallOptions } from '@ai-sdk/provider';
import {
  type ChosenModel,
  type ModelParameterName,
  modelParameterNames,
  type Places,
  providerAddress,
  providerKeyPattern,
  runsWithoutKey,
  Semaphore,
} from '@proofmark/domain';
import type { EgressPolicy } from '../egress/address-policy.ts';
import { forOperatorsAddress } from '../egress/operators-address.ts';
import { collectStreamedReply } from './collect-streamed-reply.ts';
import { imagePositionOf, type LanguageModels, languageModels } from './language-model.ts';
import { ModelFailure } from './model-failure.ts';
import type { ModelReply, ModelRequest } from './model-gateway.ts';
import type { ModelLimits } from './model-limits.ts';
import type { ModelProvider } from './model-provider.ts';
import { createProviderFetch, hearsOut } from './provider-fetch.ts';
import { isKnownEffort } from './provider-options.ts';
import { readReply } from './read-reply.ts';
import { SendFailure, sendFailureIn, unreadableReply } from './send-failure.ts';
import { toCallOptions } from './to-call-options.ts';

export interface ProviderClient {
  generate(
    model: ChosenModel,
    request: ModelRequest,
    options: {
      readonly signal: AbortSignal;
      readonly apiKey?: string;
      readonly sends?: number;
      readonly places?: Places;
      remainingMs?(): number;
      onSent?(isSent: boolean): void;
      onText?(soFar: string): void;
    },
  ): Promise<ModelReply>;
  close(): void;
}

interface AskOptions {
  remainingMs?(): number;
  readonly sends: number;
  readonly places: Places;
  readonly stated: readonly ModelParameterName[];
  onSent?(isSent: boolean): void;
  onText?(soFar: string): void;
}

// biome-ignore lint/complexity/noExcessiveLinesPerFunction: the members of one client, which share its places and the requests under way.
export function createProviderClient(
  provider: ModelProvider,
  options: {
    readonly egress: EgressPolicy;
    readonly limits: ModelLimits;
    readonly random: () => number;
  },
): ProviderClient {
  const { limits, random } = options;
  const address = providerAddress(provider.kind, provider.baseUrl) ?? '';
  const egress = provider.isTenants ? options.egress : forOperatorsAddress(address, options.egress);
  const providerFetch = createProviderFetch(egress, limits);
  const requestsAtOnce = provider.requestsAtOnce ?? limits.requestsAtOnce;
  const own = ownPlaces();
  const target = `provider ${provider.id ?? provider.name}`;
  const underWay = new Set<AbortController>();
  /**
   * True after this provider has answered a stream request without streaming. A further stream
   * request would be sent, and paid for, twice.
   */
  let comesWhole = false;
  const modelsFor = (apiKey: string | undefined) =>
    languageModels({
      kind: provider.kind,
      providerName: provider.name,
      baseUrl: address,
      apiKey,
      fetch: providerFetch,
    });
  let operatorsModels: Promise<LanguageModels> | undefined;
  const modelOf = async (model: ChosenModel, key: string | undefined): Promise<LanguageModelV3> => {
    // The client for a caller's key is not cached, since the key must leave memory after the run.
    // Its connections are shared with all other requests to this provider.
    if (!model.hosted) return (await modelsFor(key))(model.name);
    operatorsModels ??= modelsFor(key);
    return (await operatorsModels)(model.name);
  };
  // biome-ignore lint/complexity/noExcessiveCognitiveComplexity: one loop over the attempts with all of its ends.
  async function ask(
    languageModel: LanguageModelV3,
    callOptions: LanguageModelV3CallOptions,
    signal: AbortSignal,
    { sends, places, remainingMs, onSent, onText, stated }: AskOptions,
  ): Promise<ModelReply> {
    let startedAt: number | undefined;
    for (let attempts = 1; ; attempts += 1) {
      let isOut = false;
      const outcome = await places.run(target, requestsAtOnce, signal, () => {
        startedAt ??= performance.now();
        onSent?.(true);
        const hears = comesWhole ? undefined : onText;
        const onWhole = () => {
          comesWhole = true;
        };
        hearsOut.set(signal, () => {
          isOut = true;
        });
        return send(languageModel, callOptions, attempts, hears, onWhole);
      });
      if (!(outcome instanceof SendFailure)) return outcome;
      // If the call was aborted before its connection was open, the request was never sent, so
      // `onSent` gets false.
      if (signal.aborted && !isOut) onSent?.(false);
      signal.throwIfAborted();
      const waitMs = waitBefore(outcome, attempts, limits, random());
      const tookMs = performance.now() - (startedAt ?? performance.now());
      const isTooLong = (outcome.retryAfterMs ?? 0) > (remainingMs?.() ?? Infinity);
      const isOver = isTooLong || tookMs + waitMs > limits.totalMs;
      if (!outcome.isPassing || attempts >= sends || isOver) {
        throw outcome.toModelFailure(provider.name, attempts, stated);
      }
      onSent?.(false);
      await sleep(waitMs, undefined, { signal }).catch(() => signal.throwIfAborted());
    }
  }
  return {
    async generate(model, request, options) {
      const { signal: callersSignal, apiKey, sends = limits.sends, places = own } = options;
      const { onSent, onText, remainingMs } = options;
      const key = model.hosted ? provider.apiKey : apiKey;
      checkKey(provider, model, key);
      checkEffort(provider, request);
      // Signals may live much longer than one request and would collect listeners, so this listener
      // is removed at the end of the request.
      const controller = new AbortController();
      const onAbort = () => controller.abort(callersSignal.reason);
      underWay.add(controller);
      // Many requests may listen to one signal at the same time, so Node's warning about leaked
      // listeners is switched off.
      setMaxListeners(0, callersSignal);
      callersSignal.addEventListener('abort', onAbort);
      try {
        const languageModel = await modelOf(model, key);
        callersSignal.throwIfAborted();
        const { images } = provider.models.find(({ name }) => name === model.name) ?? {};
        const imagePosition = imagePositionOf(provider.kind, images);
        const callOptions = toCallOptions(request, controller.signal, imagePosition, provider.kind);
        return await ask(languageModel, callOptions, controller.signal, {
          sends,
          places,
          stated: statedIn(request),
          ...(onSent && { onSent }),
          ...(onText && { onText }),
          ...(remainingMs && { remainingMs }),
        });
      } finally {
        callersSignal.removeEventListener('abort', onAbort);
        underWay.delete(controller);
      }
    },
    close() {
      const reason = new Error('The service is stopping.');
      for (const controller of underWay) controller.abort(reason);
    },
  };
}

/**
 * Limits concurrent requests within this process. Used if the caller passes no slots that all
 * processes share.
 */
function ownPlaces(): Places {
  const requests = new Semaphore(Number.POSITIVE_INFINITY);
  return {
    run: (target, atMost, signal, work) => requests.run(target, work, { atMost, signal }),
  };
}

async function send(
  model: LanguageModelV3,
  options: LanguageModelV3CallOptions,
  attempts: number,
  onText: ((soFar: string) => void) | undefined,
  onWhole: () => void,
): Promise<ModelReply | SendFailure> {
  try {
    const streamed = onText && (await collectStreamedReply(await model.doStream(options), onText));
    if (onText !== undefined && streamed === undefined) onWhole();
    return readReply(streamed ?? (await model.doGenerate(options)), attempts);
  } catch (error) {
    // Any other error means that the provider's package could not read a successful answer.
    return sendFailureIn(error) ?? unreadableReply();
  }
}

/**
 * Returns the wait in milliseconds. The base doubles with each attempt; half of it is fixed and
 * half is random, so that many senders do not retry at the same moment.
 */
function waitBefore(
  failure: SendFailure,
  attempts: number,
  limits: ModelLimits,
  chance: number,
): number {
  const doubled = limits.firstWaitMs * 2 ** (attempts - 1);
  const own = doubled / 2 + (doubled / 2) * chance;
  return Math.min(Math.max(own, failure.retryAfterMs ?? 0), limits.longestWaitMs);
}

function checkEffort({ name, kind }: ModelProvider, { reasoningEffort }: ModelRequest): void {
  if (reasoningEffort === undefined || isKnownEffort(kind, reasoningEffort)) return;
  const message = `The model provider ${name} does not support the reasoningEffort ${reasoningEffort}; use another.`;
  throw new ModelFailure('REQUEST_REFUSED', message, 0);
}

function statedIn({ maxOutputTokens: maxTokens, ...request }: ModelRequest): ModelParameterName[] {
  const stated = { ...request, maxTokens };
  return modelParameterNames.filter((name) => stated[name] !== undefined);
}

function checkKey(provider: ModelProvider, model: ChosenModel, key: string | undefined): void {
  const { name } = provider;
  if (key === undefined && !(model.hosted && runsWithoutKey(provider.kind))) {
    throw new ModelFailure(
      'KEY_REFUSED',
      `There is no key for the model provider ${name}; send one.`,
      0,
    );
  }
  if (key !== undefined && !providerKeyPattern.test(key)) {
    throw new ModelFailure(
      'KEY_REFUSED',
      `The key for the model provider ${name} has characters that are not allowed; send it again.`,
      0,
    );
  }
}
