/**
 * Answers requests that servers send during a trial: the trial's model answers sampling requests,
 * the case's prepared answers serve elicitations. Tokens for sampling are counted separately from
 * the tested conversation. If Proofmark could not answer and the call then fails, the server is not
 * to blame.
 */
import {
  answersUrls,
  type Elicitation,
  indexOfElicitation,
  type Json,
  type PlannedCase,
  type ServerQuestion,
  type Step,
  trialSentence,
  withoutQueryOfUrl,
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

/** The model chosen at launch. Both fields are absent if the case calls no model. */
interface ModelOfTurn {
  readonly model?: string;
  readonly provider?: string;
}

type AnsweringCase = Pick<PlannedCase, 'elicitations' | 'steps' | 'before' | 'after'>;

export class ServerAnswers {
  readonly #dependencies: Pick<TrialDependencies, 'models' | 'modelOf'>;
  readonly #variant: ModelOfTurn;
  readonly #log: TrialLog;
  readonly #planned: AnsweringCase | undefined;
  #signal: AbortSignal;
  #ofCase: Elicitation[];
  #ofStep: Elicitation[] = [];
  readonly #calls = new Set<AnsweredCall>();
  /**
   * The call that started last. A server's request that arrives while no call is running is
   * assigned to this call.
   */
  #last: AnsweredCall | undefined;
  constructor(
    dependencies: Pick<TrialDependencies, 'models' | 'modelOf'>,
    /** Undefined in a conversation, which has no prepared answers to a server's questions. */
    planned: AnsweringCase | undefined,
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
   * Called before the clean-up calls, which have their own time limit. Replaces the signal and
   * makes all answers of the case available again.
   */
  beginAnew(signal: AbortSignal): void {
    this.#signal = signal;
    this.#ofCase = [...(this.#planned?.elicitations ?? [])];
    this.#last = undefined;
  }

  beginStep(step: Step): void {
    this.#ofStep = 'elicitations' in step ? [...(step.elicitations ?? [])] : [];
  }

  /**
   * Must be called before the tool call is sent, so that requests of the server during the call are
   * assigned to it.
   */
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
    const request = boundRequest(withoutQueryOfUrl(params));
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
   * Returns the calls that a server's request may belong to. If the server has several concurrent
   * calls, the request counts for all of them.
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
      // The server limits the length of the answer in its sampling request. So an answer cut at
      // that limit is accepted.
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
    const { mode, message: text, requestedSchema } = (params ?? {}) as Json;
    const message = typeof text === 'string' ? text : '';
    if (mode === 'url') return this.#elicitByUrl(params as Json, message, asked);
    if (mode !== undefined && mode !== 'form') return { ...declined, unanswered: noSuchMode };
    const given = this.#take({ mode: 'form', message });
    if (given === undefined) return { ...declined, unanswered: noAnswer };
    if (given.action !== 'accept') return { answer: { action: given.action } };
    const content = { ...defaultsOf(requestedSchema), ...given.content };
    const check = checkValue(requestedSchema ?? {}, content);
    if (check.state !== 'invalid') return { answer: { action: 'accept', content } };
    const reason = trialSentence(
      `The answer that the case gives to a question of the server does not match the schema of the question: ${check.message}`,
    );
    withhold(asked, reason);
    return declined;
  }

  /** The address is never opened: the answer says what a person would have done. */
  #elicitByUrl({ url }: Json, message: string, asked: Asked): Answered {
    if (this.#planned === undefined || !answersUrls(this.#planned)) {
      withhold(asked, needsUrl);
      throw new RequestRefused('The client does not support elicitation by URL.', invalidParams);
    }
    const given = this.#take({ mode: 'url', message, url: typeof url === 'string' ? url : '' });
    if (given !== undefined) return { answer: { action: given.action } };
    withhold(asked, noAnswerToUrl);
    return declined;
  }

  /**
   * Takes the first prepared answer that fits the question: from the step's answers, or else from
   * the case's. Each answer is used once.
   */
  #take(question: ServerQuestion): Elicitation | undefined {
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
   * Why the question was declined. A real user may decline too, so a call that fails after this is
   * still graded.
   */
  readonly unanswered?: string;
}

const declined: Answered = { answer: { action: 'decline' } };
const noAnswer = 'The case has no answer to this question, so it was declined.';
const nobodyThere =
  'This conversation has no user who can answer the server’s question, so it was declined.';
const needsUrl =
  'The server asks the user to open an address (elicitation by URL), which the client of this run does not declare.';
const noAnswerToUrl =
  'The server asks the user to open an address (elicitation by URL), to which the case has no answer.';
const noSuchMode = 'The protocol does not define this kind of question, so it was declined.';
const invalidParams = -32602;
const noModelHere = 'This run asks no model, so the server’s sampling request was rejected.';
const mostKept = 200;
const mostMessages = 200;
