/**
 * One call of a server, together with our responses to requests that the server sends during the
 * call. If a failure on our side made the call unmeasurable, its span ends here and is not used as
 * evidence.
 */
import { needsAbility } from '@proofmark/domain';
import { McpFailure } from '../outside/mcp/mcp-failure.ts';
import type { ToolOutcome } from '../outside/mcp/mcp-gateway.ts';
import { NotMeasured } from './not-measured.ts';
import type { ServerCall } from './server-call.ts';
import type { SpanDraft } from './span.ts';
import type { StepLimit } from './stated-limits.ts';
import type { TrialLog } from './trial-log.ts';

export type CallIds = Pick<
  ServerCall,
  'serverId' | 'toolName' | 'toolCallId' | 'promptIndex' | 'parentId'
>;

export class AnsweredCall {
  readonly ids: CallIds;
  readonly spanId: string;
  readonly signal: AbortSignal;
  samplings = 0;
  /**
   * Set if a model provider gave no answer to a request of the server. The call then counts as not
   * measured, regardless of its result.
   */
  failed: NotMeasured['outcome'] | undefined;
  /**
   * Why our response differs from the case's definition or the server's request. If the call then
   * fails, our response may be the cause.
   */
  withheld: string | undefined;
  broken: unknown;
  /** The model that must answer before the server gets its response. */
  awaitedModel: string | undefined;
  readonly #span: SpanDraft;
  readonly #limit: StepLimit | undefined;
  readonly #log: TrialLog;
  readonly #underWay: Set<AnsweredCall>;
  #answering = 0;
  #answeringSinceMs = 0;
  #answeredMs = 0;

  constructor(
    span: SpanDraft,
    ids: CallIds,
    signal: AbortSignal,
    limit: StepLimit | undefined,
    log: TrialLog,
    underWay: Set<AnsweredCall>,
  ) {
    this.#span = span;
    this.spanId = span.id;
    this.ids = ids;
    this.signal = signal;
    this.#limit = limit;
    this.#log = log;
    this.#underWay = underWay;
  }

  async during(work: () => Promise<ToolOutcome>): Promise<ToolOutcome> {
    this.#underWay.add(this);
    let isError = true;
    let missing: unknown;
    try {
      const outcome = await work();
      isError = outcome.result['isError'] === true;
      missing = outcome.undeclaredCapability;
      if (this.#isMeasured(isError, missing)) return outcome;
    } catch (error) {
      this.#failByLimit();
      const isTheirs = error instanceof McpFailure && !this.signal.aborted;
      missing = isTheirs ? error.details['missingAbility'] : undefined;
      const isProviders = this.failed !== undefined && this.#limit?.isOver === true;
      if ((!isTheirs && !isProviders) || this.#isMeasured(true, missing)) throw error;
    } finally {
      this.#underWay.delete(this);
    }
    if (this.broken !== undefined) throw this.broken;
    this.#endSpan(isError);
    const needs = needsAbility(this.ids.toolName, String(missing));
    const reason = this.withheld ?? needs;
    throw new NotMeasured(this.failed ?? { kind: 'setupFailed', reason });
  }

  beginAnswer(): void {
    if (this.#answering === 0) this.#answeringSinceMs = performance.now();
    this.#answering += 1;
  }

  endAnswer(): void {
    this.#answering -= 1;
    if (this.#answering === 0) this.#answeredMs += performance.now() - this.#answeringSinceMs;
  }

  /** How long the server waited for Proofmark's responses. */
  get answeredMs(): number {
    return this.#answeredMs;
  }

  /**
   * If the step's time limit passes while the server waits for a model, the failure is attributed
   * to the model's provider, not to the server.
   */
  #failByLimit(): void {
    if (this.#limit?.isOver !== true || this.awaitedModel === undefined) return;
    const late = this.#limit.whileAwaited(
      `the answer of the model ${this.awaitedModel} for the server`,
    );
    const reason = `The answer of the model did not arrive in full: ${late}`;
    this.failed = { kind: 'providerFailed', reason };
  }

  #isMeasured(isError: boolean, missing: unknown): boolean {
    if (this.failed !== undefined || this.broken !== undefined) return false;
    return !isError || (missing === undefined && this.withheld === undefined);
  }

  #endSpan(isError: boolean): void {
    const span = this.#span;
    span.status = isError ? 'error' : 'ok';
    span.parentId = this.ids.parentId;
    span.promptIndex = this.ids.promptIndex;
    span.toolCallId = this.ids.toolCallId;
    span.toolName = this.ids.toolName;
    span.serverId = this.ids.serverId;
    this.#log.endSpan(span);
  }
}
