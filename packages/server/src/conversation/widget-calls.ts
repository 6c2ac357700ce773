/**
 * A widget's calls of tools and resources on its server, in the trial's sessions and under the
 * run's policy. The model does not make them, so no expectation, assertion or call count includes
 * them. A call that is lost on Proofmark's side ends the trial.
 */
import {
  type Json,
  mayWidgetCall,
  mcpErrorOf,
  type TaskTrace,
  trialSentence,
  type WidgetCall,
} from '@proofmark/domain';
import type { WidgetHost } from '../outside/browser/widget-renderer.ts';
import { factsOf, McpFailure } from '../outside/mcp/mcp-failure.ts';
import { NotMeasured } from './not-measured.ts';
import { policyRefusalOf } from './policy-refusal.ts';
import type { ServerCall } from './server-call.ts';
import type { SpanDraft } from './span.ts';
import type { TurnParts } from './turn-parts.ts';
import { lossOf } from './widget-loss.ts';

export const mostWidgetCalls = 100;

type WidgetOf = Pick<ServerCall, 'serverId' | 'toolName' | 'promptIndex' | 'toolCallId'> & {
  readonly serverName: string;
};

export class WidgetCalls implements WidgetHost {
  readonly made: WidgetCall[] = [];
  dropped = 0;
  /**
   * Why a policy rejected a call or a request. If the widget then fails, that is not its own fault.
   */
  blocked: string | undefined;
  /**
   * The error that ends the trial. Wrapped in an object, because even `undefined` can be thrown.
   */
  lost: { readonly loss: unknown } | undefined;
  readonly #context: TurnParts;
  readonly #widget: WidgetOf;
  readonly #signal: AbortSignal;
  readonly #begun = new Set<string>();
  readonly #waiting = new Set<() => void>();
  #requests = 0;
  #parentId: string;

  constructor(context: TurnParts, widget: WidgetOf, parentId: string, signal: AbortSignal) {
    this.#context = context;
    this.#widget = widget;
    this.#parentId = parentId;
    this.#signal = signal;
  }

  get serverId(): string {
    return this.#widget.serverId;
  }

  duringStep(parentId: string): void {
    this.#parentId = parentId;
  }

  async callTool(toolName: string, input: Json): Promise<Json> {
    const called = { toolName: toolName.slice(0, longestName), arguments: this.#bounded(input) };
    const refused = this.#refusalOf(toolName);
    if (refused !== undefined) {
      this.#keep({ ...called, outcome: 'refused', message: refused });
      throw new Error(refused);
    }
    this.#begun.add(toolName);
    for (const look of this.#waiting) look();
    const { serverId } = this.#widget;
    try {
      const outcome = await this.#ask(`tools/call ${toolName}`, (span, onWaiting) => {
        const ids = { ...this.#widget, toolName, parentId: this.#parentId };
        const answered = this.#context.answers.begin(span, ids, { signal: this.#signal });
        const { servers } = this.#context.dependencies;
        const onTask = (task: TaskTrace) => {
          span.task = task;
        };
        return answered.during(() =>
          servers.callTool(serverId, toolName, input, this.#signal, onWaiting, undefined, onTask),
        );
      });
      const isError = outcome.result['isError'] === true;
      const message = isError ? trialSentence(outcome.errorText ?? '') : '';
      this.#keep({
        ...called,
        outcome: isError ? 'error' : 'answered',
        ...(message !== '' && { message }),
      });
      return outcome.result;
    } catch (error) {
      this.#keep({ ...called, outcome: 'error', message: trialSentence(error) });
      throw error;
    }
  }

  requestRefused(sentence: string): void {
    this.blocked ??= sentence;
  }

  readResource(uri: string): Promise<Json> {
    const { serverId } = this.#widget;
    const { servers } = this.#context.dependencies;
    if (this.#isFull()) return Promise.reject(new Error(tooMany));
    return this.#ask(`resources/read ${uri}`, (_, onWaiting) =>
      servers.ask(serverId, (session) => session.readResource(uri), this.#signal, onWaiting),
    );
  }

  async hasCalled(toolName: string, withinMs: number, signal: AbortSignal): Promise<boolean> {
    if (this.#begun.has(toolName)) return true;
    const time = AbortSignal.any([signal, AbortSignal.timeout(withinMs)]);
    await new Promise<void>((resolve) => {
      const look = () => {
        if (!this.#begun.has(toolName) && !time.aborted) return;
        this.#waiting.delete(look);
        time.removeEventListener('abort', look);
        resolve();
      };
      this.#waiting.add(look);
      time.addEventListener('abort', look);
      look();
    });
    signal.throwIfAborted();
    return this.#begun.has(toolName);
  }

  #refusalOf(toolName: string): string | undefined {
    if (this.#isFull()) return tooMany;
    const tool = this.#context.offeredTools.listed(this.#widget.serverId, toolName);
    if (tool !== undefined && !mayWidgetCall(tool)) {
      return `The tool ${JSON.stringify(toolName)} is not available to widgets, because its _meta.ui.visibility does not contain "app", so it was not called.`;
    }
    const { serverId, serverName } = this.#widget;
    const refused = policyRefusalOf(this.#context, { serverId, serverName, toolName });
    this.blocked ??= refused;
    return refused;
  }

  #isFull(): boolean {
    this.#requests += 1;
    return this.#requests > mostWidgetCalls;
  }

  async #ask<Result>(
    what: string,
    work: (span: SpanDraft, onWaiting: (isWaiting: boolean) => void) => Promise<Result>,
  ): Promise<Result> {
    const { log } = this.#context;
    const { promptIndex, serverId, serverName, toolName } = this.#widget;
    const span = log.beginSpan(what.slice(0, longestName), 'request');
    const place = { parentId: this.#parentId, promptIndex, serverId, serverName };
    Object.assign(span, { ...place, ofWidget: toolName });
    let isWaiting = false;
    try {
      const result = await work(span, (waits) => {
        isWaiting = waits;
      });
      log.endSpan(span);
      return result;
    } catch (error) {
      const isGone = this.#signal.aborted;
      span.status = 'error';
      const code = error instanceof McpFailure ? mcpErrorOf(factsOf(error)) : undefined;
      if (code !== undefined) {
        Object.assign(span, { mcpErrorCode: code.code, mcpErrorOrigin: code.origin });
      }
      // A request that was still waiting for a slot was never sent, so it gets no span. After
      // `NotMeasured`, the span has already ended.
      if (!(isGone && isWaiting) && !(error instanceof NotMeasured)) log.endSpan(span);
      if (isGone) throw new Error('The widget was closed.');
      const about = `${what} of the widget of ${JSON.stringify(toolName)} got no answer`;
      this.lost ??= lossOf(error, about.slice(0, longestAbout));
      throw new Error(trialSentence(error));
    }
  }

  #bounded(input: Json): Json {
    const kept = this.#context.log.bound(input);
    return typeof kept === 'object' && kept !== null ? (kept as Json) : {};
  }

  #keep(call: WidgetCall): void {
    if (this.made.length < mostWidgetCalls) this.made.push(call);
    else this.dropped += 1;
  }
}

const longestName = 200;
const longestAbout = 300;
const tooMany = `A widget may send its server at most ${mostWidgetCalls} requests, so this request was not sent.`;
