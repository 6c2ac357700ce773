/**
 * Answers the requests of servers in the sessions of a trial. A request for sampling is answered by
 * the model of the trial, a few times per call; its tokens are counted separately, since the model
 * under test did not use them. A question for the user gets the answer of the case if that fits the
 * requested schema, and is otherwise declined; in a conversation there are no prepared answers.
 * Both have spans and are in the trace. A request that we could not answer is remembered: a failure
 * of the call after it is not the server's.
 */
import {
  type Elicitation,
  indexOfElicitation,
  type Json,
  type PlannedCase,
  type Step,
  trialSentence,
} from '@proofmark/domain';
import { checkValue } from '../outside/mcp/schema/check-value.ts';
import { ModelFailure } from '../outside/model/model-failure.ts';
import { AnsweredCall, type CallIds } from './answered-call.ts';
import { incompleteAnswer } from './incomplete-answer.ts';
import { boundRequest, defaultsOf, RequestRefused, readSampling } from './read-server-request.ts';
import type { OnTrialRequest } from './run-servers.ts';
import type { SpanDraft } from './span.ts';
import type { StepLimit } from './stated-limits.ts';
import type { TrialDependencies } from './trial-dependencies.ts';
import type { TrialLog } from './trial-log.ts';

const mostSamplings = 4;

/** The model of the launch; none if the case asks no model. */
interface ModelOfTurn {
  readonly model?: string;
  readonly provider?: string;
}

export class ServerAnswers {
  readonly #dependencies: Pick<TrialDependencies, 'models' | 'modelOf'>;
  readonly #variant: ModelOfTurn;
  readonly #log: TrialLog;
  readonly #planned: Pick<PlannedCase, 'elicitations'> | undefined;
  #signal: AbortSignal;
  #ofCase: Elicitation[];
  #ofStep: Elicitation[] = [];
  readonly #calls = new Set<AnsweredCall>();
  /** The call begun last, for requests while none is under way. */
  #last: AnsweredCall | undefined;
  constructor(
    dependencies: Pick<TrialDependencies, 'models' | 'modelOf'>,
    /** Undefined in a conversation, where nobody can answer the server's questions. */
    planned: Pick<PlannedCase, 'elicitations'> | undefined,
    variant: ModelOfTurn,
    log: TrialLog,
    signal: AbortSignal,
  ) {
    this.#dependencies = dependencies;
    this.#variant = variant;
    this.#log = log;
    this.#signal = signal;
    this.#planned = planned;
    this.#ofCase = [...(planned?.elicitations ?? [])];
  }

  /**
   * Starts again with a new signal and all answers of the case, for calls with a separate time
   * limit.
   */
  beginAnew(signal: AbortSignal): void {
    this.#signal = signal;
    this.#ofCase = [...(this.#planned?.elicitations ?? [])];
    this.#last = undefined;
  }

  beginStep(step: Step): void {
    this.#ofStep = 'elicitations' in step ? [...(step.elicitations ?? [])] : [];
  }

  /** Registers a call before it is made, with its span. */
  begin(
    span: SpanDraft,
    call: CallIds,
    { signal, limit }: { readonly signal: AbortSignal; readonly limit?: StepLimit },
  ): AnsweredCall {
    const answered = new AnsweredCall(span, call, signal, limit, this.#log, this.#calls);
    this.#last = answered;
    return answered;
  }

  readonly onServerRequest: OnTrialRequest = async (method, params, signal, serverId) => {
    const calls = this.#askedBy(serverId);
    const span = this.#beginSpan(method, calls);
    for (const call of calls) call.beginAnswer();
    const request = boundRequest(params);
    const asked: Asked = { calls, withheld: undefined };
    const note = (answer: unknown, unanswered?: string): void => {
      const [only] = calls.length === 1 ? calls : [];
      const { toolName } = only?.ids ?? {};
      const seen = { method, spanId: span.id, serverId, toolName, request, answer };
      const withheld = asked.withheld ?? unanswered;
      if (this.#log.serverRequests.length >= mostKept) return;
      this.#log.serverRequests.push({ ...seen, ...(withheld !== undefined && { withheld }) });
    };
    try {
      const { answer, unanswered }: Answered =
        method === 'sampling/createMessage'
          ? { answer: await this.#sample(params, span, signal, asked) }
          : this.#elicit(params, asked);
      note(boundRequest(answer), unanswered);
      return answer;
    } catch (error) {
      span.status = 'error';
      note({ error: trialSentence(error) });
      throw error;
    } finally {
      for (const call of calls) call.endAnswer();
      this.#log.endSpan(span);
    }
  };

  /**
   * Returns the calls a request may belong to. Of several concurrent calls of one server the right
   * one is unknown, so the answer concerns all.
   */
  #askedBy(serverId: string): readonly AnsweredCall[] {
    const calls = [...this.#calls].filter(({ ids }) => ids.serverId === serverId);
    if (calls.length > 0) return calls;
    return this.#last === undefined ? [] : [this.#last];
  }

  #beginSpan(method: string, calls: readonly AnsweredCall[]): SpanDraft {
    const span = this.#log.beginSpan(method, 'request');
    const [first, ...others] = calls;
    if (first === undefined) return span;
    span.promptIndex = first.ids.promptIndex;
    span.serverId = first.ids.serverId;
    span.parentId = others.length === 0 ? first.spanId : first.ids.parentId;
    if (others.length === 0) span.toolCallId = first.ids.toolCallId;
    return span;
  }

  // biome-ignore lint/complexity/noExcessiveCognitiveComplexity: one answer of a model, with each limit and failure noted on the calls that it concerns.
  async #sample(
    params: unknown,
    span: SpanDraft,
    requested: AbortSignal,
    asked: Asked,
  ): Promise<Json> {
    const { calls } = asked;
    const signal = AbortSignal.any([requested, this.#signal, ...calls.map((call) => call.signal)]);
    const request = readSampling(params);
    const { model: chosenName, provider } = this.#variant;
    for (const call of calls) call.samplings += 1;
    if (chosenName === undefined) {
      withhold(asked, noModelHere);
      throw new RequestRefused(noModelHere);
    }
    if (request.messages.length > mostMessages) {
      const reason = `The server sent more than ${mostMessages} messages in one sampling request, the most that Proofmark reads.`;
      withhold(asked, reason);
      throw new RequestRefused(reason);
    }
    if (Math.max(0, ...calls.map(({ samplings }) => samplings)) > mostSamplings * calls.length) {
      const reason = `The server sent more than ${mostSamplings} sampling requests in one call, the most that Proofmark answers.`;
      withhold(asked, reason);
      throw new RequestRefused(reason);
    }
    try {
      const named = { model: chosenName, ...(provider !== undefined && { provider }) };
      const { model, apiKey } = this.#dependencies.modelOf(named);
      span.modelId = model.hosted ? model.id : model.name;
      span.provider = model.provider;
      const options = apiKey === undefined ? { signal } : { signal, apiKey };
      for (const call of calls) call.awaitedModel = model.name;
      const reply = await this.#dependencies.models.generate(model, request, options);
      for (const call of calls) call.awaitedModel = undefined;
      this.#log.samplingUsages.push(reply.usage);
      span.finishReason = reply.finishReason;
      const { inputTokens, outputTokens, totalTokens } = reply.usage;
      if (inputTokens !== undefined) span.inputTokens = inputTokens;
      if (outputTokens !== undefined) span.outputTokens = outputTokens;
      if (totalTokens !== undefined) span.totalTokens = totalTokens;
      // A truncated answer is valid here, since the server set the limit.
      const isLong = reply.finishReason === 'length';
      const cut = isLong ? undefined : incompleteAnswer(reply, model.provider);
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
        for (const call of calls) call.broken = error;
        throw new RequestRefused('The request could not be answered.');
      }
      for (const call of calls) {
        call.failed = {
          kind: 'providerFailed',
          reason: trialSentence(error),
          ...(error.reason === 'RATE_LIMITED' && { isLimited: true }),
        };
      }
      throw new RequestRefused('The model gave no answer.');
    }
  }

  #elicit(params: unknown, asked: Asked): Answered {
    if (this.#planned === undefined) {
      withhold(asked, nobodyThere);
      return declined;
    }
    const { mode, message, requestedSchema } = (params ?? {}) as Json;
    if (mode === 'url') {
      withhold(asked, needsUrl);
      throw new RequestRefused('The client does not support elicitation by URL.', invalidParams);
    }
    if (mode !== undefined && mode !== 'form') return { ...declined, unanswered: noSuchMode };
    const given = this.#take(typeof message === 'string' ? message : '');
    if (given === undefined) return { ...declined, unanswered: noAnswer };
    if (given.action !== 'accept') return { answer: { action: given.action } };
    const content = { ...defaultsOf(requestedSchema), ...given.content };
    const check = checkValue(requestedSchema ?? {}, content);
    if (check.state !== 'invalid') return { answer: { action: 'accept', content } };
    const reason = trialSentence(
      `The answer of the case to a question of the server does not fit what it asks for: ${check.message}`,
    );
    withhold(asked, reason);
    return declined;
  }

  /** Takes an answer; those of the step come before those of the case. */
  #take(question: string): Elicitation | undefined {
    for (const open of [this.#ofStep, this.#ofCase]) {
      const index = indexOfElicitation(open, question);
      if (index >= 0) return open.splice(index, 1)[0];
    }
    return undefined;
  }
}

interface Asked {
  readonly calls: readonly AnsweredCall[];
  withheld: string | undefined;
}

function withhold(asked: Asked, reason: string): void {
  asked.withheld = reason;
  for (const call of asked.calls) call.withheld ??= reason;
}

interface Answered {
  readonly answer: Json;
  /**
   * The reason why the question had no answer. A user may decline too, so a failure of the call
   * after it is measured.
   */
  readonly unanswered?: string;
}

const declined: Answered = { answer: { action: 'decline' } };
const noAnswer = 'The case has no answer to this question, so it was declined.';
const nobodyThere =
  'This conversation has no user who can answer the server’s question, so it was declined.';
const needsUrl =
  'The server asks the user to open an address (elicitation by URL), which the client of this run does not declare.';
const noSuchMode = 'The protocol does not define this kind of question, so it was declined.';
const invalidParams = -32602;
const noModelHere = 'This run asks no model, so the server’s sampling request was rejected.';
const mostKept = 200;
const mostMessages = 200;
