/**
 * What servers ask in the sessions of a trial, and what they are answered. A request for sampling is answered by the
 * model of the trial, a few times in one call; its tokens are counted apart, for the model under test did not use them.
 * A question for the user is answered as the case says, where that fits what is asked for, else declined; in a
 * conversation nobody could have written an answer. Both have spans and stand in the trace. What we could not answer is
 * remembered: a call that fails after it is no failure of the server.
 */
import {
  type Elicitation,
  indexOfElicitation,
  type Json,
  type PlannedCase,
  type Step,
  trialSentence,
} from '@proofmark/domain';
import { McpFailure } from '../mcp/mcp-failure.ts';
import type { ToolOutcome } from '../mcp/mcp-gateway.ts';
import { checkValue } from '../mcp/schema/check-value.ts';
import type { OnServerRequest } from '../mcp/server-requests.ts';
import { ModelFailure } from '../model/model-failure.ts';
import { cutOff } from './cut-off.ts';
import { NotMeasured } from './not-measured.ts';
import { boundRequest, RequestRefused, readSampling } from './read-server-request.ts';
import type { ServerCall } from './server-call.ts';
import type { SpanDraft } from './span.ts';
import type { TrialDependencies } from './trial-dependencies.ts';
import type { TrialLog } from './trial-log.ts';

const mostSamplings = 4;

type CallIds = Pick<
  ServerCall,
  'serverId' | 'toolName' | 'toolCallId' | 'promptIndex' | 'parentId'
>;

/** As it was chosen at the launch; without a model where none is asked. */
interface ModelOfTurn {
  readonly model?: string;
  readonly provider?: string;
}

export class ServerAnswers {
  readonly #dependencies: Pick<TrialDependencies, 'models' | 'modelOf'>;
  readonly #variant: ModelOfTurn;
  readonly #log: TrialLog;
  readonly #signal: AbortSignal;
  readonly #ofCase: Elicitation[];
  readonly #mayBeAsked: boolean;
  #ofStep: Elicitation[] = [];
  #samplings = 0;
  #call: (CallIds & { readonly spanId: string }) | undefined;
  /** Why a provider gave no answer for the server: whatever comes of the call, it was not measured. */
  #failed: NotMeasured['outcome'] | undefined;
  /** Why we answered otherwise than the case or the server wants: a call that fails after it may have failed for it. */
  #withheld: string | undefined;
  /** What broke on our own side while we answered. */
  #broken: unknown;
  #answering = 0;
  #answeringSinceMs = 0;
  #answeredMs = 0;

  constructor(
    dependencies: Pick<TrialDependencies, 'models' | 'modelOf'>,
    /** Nothing where nobody could have written answers: in a conversation no one is there to be asked. */
    planned: Pick<PlannedCase, 'elicitations'> | undefined,
    variant: ModelOfTurn,
    log: TrialLog,
    signal: AbortSignal,
  ) {
    this.#dependencies = dependencies;
    this.#variant = variant;
    this.#log = log;
    this.#signal = signal;
    this.#ofCase = [...(planned?.elicitations ?? [])];
    this.#mayBeAsked = planned !== undefined;
  }

  beginStep(step: Step): void {
    this.#ofStep = 'elicitations' in step ? [...(step.elicitations ?? [])] : [];
  }

  /** Makes the call of this span. Where it measures nothing, the span ends here and is no evidence of anything. */
  async during(
    span: SpanDraft,
    call: CallIds,
    work: () => Promise<ToolOutcome>,
  ): Promise<ToolOutcome> {
    this.#call = { ...call, spanId: span.id };
    this.#samplings = 0;
    this.#failed = undefined;
    this.#withheld = undefined;
    this.#broken = undefined;
    this.#answeredMs = 0;
    let isError = true;
    let missing: unknown;
    try {
      const outcome = await work();
      isError = outcome.result['isError'] === true;
      missing = outcome.missingAbility;
      if (this.#isMeasured(isError, missing)) return outcome;
    } catch (error) {
      const isTheirs = error instanceof McpFailure && !this.#signal.aborted;
      missing = isTheirs ? error.details['missingAbility'] : undefined;
      if (!isTheirs || this.#isMeasured(true, missing)) throw error;
    }
    if (this.#broken !== undefined) throw this.#broken;
    this.#endSpan(span, call, isError);
    const needs = `The tool ${JSON.stringify(call.toolName)} needs ${missing} of its client, which the client of this run does not have.`;
    const reason = this.#withheld ?? needs;
    throw new NotMeasured(this.#failed ?? { kind: 'setupFailed', reason });
  }

  /** How long the server waited for answers of ours in the last call. */
  get answeredMs(): number {
    return this.#answeredMs;
  }

  #isMeasured(isError: boolean, missing: unknown): boolean {
    if (this.#failed !== undefined || this.#broken !== undefined) return false;
    return !isError || (missing === undefined && this.#withheld === undefined);
  }

  readonly onServerRequest: OnServerRequest = async (method, params, signal) => {
    const span = this.#beginSpan(method);
    if (this.#answering === 0) this.#answeringSinceMs = performance.now();
    this.#answering += 1;
    const request = boundRequest(params);
    const before = this.#withheld;
    const note = (answer: unknown, unanswered?: string): void => {
      const { serverId, toolName } = this.#call ?? {};
      const seen = { method, spanId: span.id, serverId, toolName, request, answer };
      const withheld = this.#withheld === before ? unanswered : this.#withheld;
      if (this.#log.serverRequests.length >= mostKept) return;
      this.#log.serverRequests.push({ ...seen, ...(withheld !== undefined && { withheld }) });
    };
    try {
      const { answer, unanswered }: Answered =
        method === 'sampling/createMessage'
          ? { answer: await this.#sample(params, span, AbortSignal.any([signal, this.#signal])) }
          : this.#elicit(params);
      note(boundRequest(answer), unanswered);
      return answer;
    } catch (error) {
      span.status = 'error';
      note({ error: trialSentence(error) });
      throw error;
    } finally {
      this.#answering -= 1;
      if (this.#answering === 0) this.#answeredMs += performance.now() - this.#answeringSinceMs;
      this.#log.endSpan(span);
    }
  };

  #endSpan(span: SpanDraft, call: CallIds, isError: boolean): void {
    span.status = isError ? 'error' : 'ok';
    span.parentId = call.parentId;
    span.promptIndex = call.promptIndex;
    span.toolCallId = call.toolCallId;
    span.toolName = call.toolName;
    span.serverId = call.serverId;
    this.#log.endSpan(span);
  }

  #beginSpan(method: string): SpanDraft {
    const span = this.#log.beginSpan(method, 'request');
    if (this.#call === undefined) return span;
    span.parentId = this.#call.spanId;
    span.promptIndex = this.#call.promptIndex;
    span.toolCallId = this.#call.toolCallId;
    span.serverId = this.#call.serverId;
    return span;
  }

  async #sample(params: unknown, span: SpanDraft, signal: AbortSignal): Promise<Json> {
    const request = readSampling(params);
    const { model: chosenName, provider } = this.#variant;
    this.#samplings += 1;
    if (chosenName === undefined) {
      this.#withheld ??= noModelHere;
      throw new RequestRefused(noModelHere);
    }
    if (request.messages.length > mostMessages) {
      const reason = `The server sent more than ${mostMessages} messages for one answer of a model, which is the most that is read.`;
      this.#withheld ??= reason;
      throw new RequestRefused(reason);
    }
    if (this.#samplings > mostSamplings) {
      const reason = `The server asked for more than ${mostSamplings} answers of a model in one call, which is the most that is answered.`;
      this.#withheld ??= reason;
      throw new RequestRefused(reason);
    }
    try {
      const named = { model: chosenName, ...(provider !== undefined && { provider }) };
      const { model, apiKey } = this.#dependencies.modelOf(named);
      span.modelId = model.hosted ? model.id : model.name;
      span.provider = model.provider;
      const options = apiKey === undefined ? { signal } : { signal, apiKey };
      const reply = await this.#dependencies.models.generate(model, request, options);
      this.#log.samplingUsages.push(reply.usage);
      span.finishReason = reply.finishReason;
      const { inputTokens, outputTokens, totalTokens } = reply.usage;
      if (inputTokens !== undefined) span.inputTokens = inputTokens;
      if (outputTokens !== undefined) span.outputTokens = outputTokens;
      if (totalTokens !== undefined) span.totalTokens = totalTokens;
      // The server itself said how long the answer may be.
      const isLong = reply.finishReason === 'length';
      const cut = isLong ? undefined : cutOff(reply, model.provider);
      if (cut !== undefined) throw new ModelFailure('PROVIDER_ERROR', cut, reply.attempts);
      return {
        role: 'assistant',
        content: { type: 'text', text: reply.text },
        model: span.modelId,
        stopReason: isLong ? 'maxTokens' : 'endTurn',
      };
    } catch (error) {
      if (!(error instanceof ModelFailure)) {
        if (signal.aborted) throw error;
        this.#broken = error;
        throw new RequestRefused('The request could not be answered.');
      }
      this.#failed = {
        kind: 'providerFailed',
        reason: trialSentence(error),
        ...(error.reason === 'RATE_LIMITED' && { isLimited: true }),
      };
      throw new RequestRefused('The model gave no answer.');
    }
  }

  #elicit(params: unknown): Answered {
    if (!this.#mayBeAsked) {
      this.#withheld ??= nobodyThere;
      return declined;
    }
    const { mode, message, requestedSchema } = (params ?? {}) as Json;
    if (mode !== undefined && mode !== 'form') return { ...declined, unanswered: leadsAway };
    const given = this.#take(typeof message === 'string' ? message : '');
    if (given === undefined) return { ...declined, unanswered: noAnswer };
    if (given.action !== 'accept') return { answer: { action: given.action } };
    const content = { ...defaultsOf(requestedSchema), ...given.content };
    const check = checkValue(requestedSchema ?? {}, content);
    if (check.state !== 'invalid') return { answer: { action: 'accept', content } };
    const reason = trialSentence(
      `The answer of the case to a question of the server does not fit what it asks for: ${check.message}`,
    );
    this.#withheld ??= reason;
    return declined;
  }

  /** Those of the step go before those of the case. */
  #take(question: string): Elicitation | undefined {
    for (const open of [this.#ofStep, this.#ofCase]) {
      const index = indexOfElicitation(open, question);
      if (index >= 0) return open.splice(index, 1)[0];
    }
    return undefined;
  }
}

interface Answered {
  readonly answer: Json;
  /** Why nobody answered the question. A user may decline too, so a call that fails after it is measured. */
  readonly unanswered?: string;
}

const declined: Answered = { answer: { action: 'decline' } };
const noAnswer = 'The case has no answer to this question, so it was declined.';
const nobodyThere =
  'Nobody in this conversation could answer the question of the server, so it was declined.';
const leadsAway = 'The question leads the user to an address, so it was declined.';
const noModelHere = 'No model is asked in this run, so none answers for the server.';
const mostKept = 200;
const mostMessages = 200;

/** What a form would already show. */
function defaultsOf(schema: unknown): Json {
  const properties = (schema as { properties?: unknown } | null | undefined)?.properties;
  if (typeof properties !== 'object' || properties === null) return {};
  const defaults = Object.entries(properties as Json).flatMap(([name, property]) => {
    const value = (property as { default?: unknown } | null)?.default;
    return value === undefined ? [] : [[name, value] as const];
  });
  return Object.fromEntries(defaults);
}
