/**
 * The events of a trial so far. Messages are stored twice: for the trace, with the tool names of
 * the servers, and for the model. Calls that the case itself makes are only in the trace, because
 * the model must not see them.
 */
import {
  type CallResult,
  type ExcludedTool,
  type ExcludedToolOfServer,
  type Json,
  type ListedTool,
  type RefusedCall,
  type SpanEvidence,
  type SpanIdOf,
  sumUsage,
  type ToolCall,
  type ToolError,
  type Transcript,
} from '@proofmark/domain';
import type { ServerEvent } from '../outside/mcp/server-events.ts';
import type { ModelMessage, ModelUsage, ToolResultPart } from '../outside/model/model-gateway.ts';
import { ResultBudget } from './call-result.ts';
import { TraceBudget } from './limit-trace.ts';
import { LinkedResources } from './linked-resources.ts';
import { ModelMessages } from './model-messages.ts';
import { NoisyServers } from './noisy-servers.ts';
import { ReopenedSessions } from './reopened-sessions.ts';
import { RepeatedCalls } from './repeated-calls.ts';
import type { OpenedServers } from './run-servers.ts';
import { type Span, type SpanDraft, spanOver } from './span.ts';
import { TraceEvents } from './trace-events.ts';

export const listChanged = 'notifications/tools/list_changed';

type Mutable<Whole> = { -readonly [Name in keyof Whole]: Whole[Name] };

export interface SeenToolError extends ToolError {
  readonly sentence: string;
  readonly promptIndex: number;
  readonly spanId: string;
  readonly argumentProblem?: string;
  readonly resultProblem?: string;
  readonly exclusion?: string;
}

export class TrialLog {
  readonly messages: unknown[] = [];
  readonly #conversation = new ModelMessages();
  readonly asked: readonly ModelMessage[] = this.#conversation.messages;
  readonly spans: Span[] = [];
  /** The spans of calls that reached a server. Other calls prove nothing about a server. */
  readonly toolSpans: SpanEvidence[] = [];
  /** All calls in order. `callsOfTurns` groups them by turn. */
  readonly toolCalls: ToolCall[] = [];
  readonly callsOfTurns: ToolCall[][] = [];
  readonly toolErrors: SeenToolError[] = [];
  /** Calls that a policy rejected, so that they were not sent to a server. */
  readonly refusedCalls: RefusedCall[] = [];
  readonly usages: ModelUsage[] = [];
  /** The token usage of sampling requests. It does not count as the trial's. */
  readonly samplingUsages: ModelUsage[] = [];
  readonly serverRequests: unknown[] = [];
  readonly events: TraceEvents;
  readonly reopened: ReopenedSessions;
  readonly noisy = new NoisyServers();
  readonly changedLists = new Set<string>();
  readonly listChanges: ListChange[] = [];
  /** The tools of all lists so far that clients must hide, each once. */
  readonly excludedTools: ExcludedToolOfServer[] = [];
  readonly repeated = new RepeatedCalls();
  readonly links = new LinkedResources();
  /** The span ids of failed requests that the case itself made, not the model. */
  readonly pinnedErrors = new Set<string>();
  /** The tools of all servers; undefined if the list of any server is incomplete. */
  listedTools: readonly ListedTool[] | undefined;
  /** Undefined if no widget is rendered. */
  renderings: (() => NonNullable<Transcript['renderObservations']>) | undefined;
  /**
   * The provider for which a request is still waiting, because all slots of that provider are in
   * use.
   */
  crowdedProvider: string | undefined;
  /** A sentence; set if the model was stopped in its last turn although it requested more calls. */
  stopped: string | undefined;
  /** Whether a call was running on its server when the trial was stopped. */
  hasCutCall = false;
  /** A sentence; set if a server did not respond within the step's time limit. */
  lateAnswer: string | undefined;
  readonly #elapsedMs: () => number;
  readonly #startedMs: number;
  readonly #budget = new TraceBudget();
  readonly #results = new ResultBudget();
  /** The calls as assertions see them, with results. These results are not stored in any record. */
  readonly #seenCalls = new Map<ToolCall['arguments'], Mutable<ToolCall>>();
  readonly #spanOfArguments = new Map<object, string>();
  #finalText: string | undefined;
  #userMessages = 0;
  #spanCount = 0;

  constructor(
    elapsedMs: () => number,
    startedMs = elapsedMs(),
    redact?: ConstructorParameters<typeof TraceEvents>[1],
  ) {
    this.#elapsedMs = elapsedMs;
    this.#startedMs = startedMs;
    this.events = new TraceEvents(() => this.nowMs(), redact);
    this.reopened = new ReopenedSessions(() => this.nowMs(), redact);
  }

  readonly onServerEvent = (serverName: string, event: ServerEvent): void => {
    if ('reopenedAfter' in event) this.reopened.add(serverName, event.reopenedAfter);
    else if ('mayHaveChanged' in event) this.changedLists.add(serverName);
    else {
      if ('noise' in event) this.noisy.add(serverName, event.noise);
      if ('method' in event && event.method === listChanged) this.changedLists.add(serverName);
      this.events.add(serverName, event);
    }
  };

  opened(listed: TrialLog['listedTools']): void {
    this.listedTools = listed;
    this.changedLists.clear();
  }

  excludeToolsOf({ servers }: Pick<OpenedServers, 'servers'>): void {
    for (const { name, excludedTools = [] } of servers) this.exclude(name, excludedTools);
  }

  exclude(serverName: string, tools: readonly ExcludedTool[]): void {
    for (const tool of tools) {
      const isKnown = this.excludedTools.some(
        (one) => one.serverName === serverName && one.toolName === tool.toolName,
      );
      if (!isKnown) this.excludedTools.push({ serverName, ...tool });
    }
  }

  nowMs(): number {
    return this.#elapsedMs() - this.#startedMs;
  }

  /** Shortens a value that is not a message, if it is too long for the trace. */
  bound(value: unknown): unknown {
    return this.#budget.bound(value);
  }

  /** Calls are identified by their `arguments` object, which no two calls share. */
  readonly spanIdOf: SpanIdOf = (call) => this.#spanOfArguments.get(call.arguments);

  openTurn(promptIndex: number): void {
    while (this.callsOfTurns.length <= promptIndex) this.callsOfTurns.push([]);
  }

  /**
   * Removes a turn without any answer of the model, because it proves nothing about the model's
   * choice.
   */
  withdrawTurn(promptIndex: number): void {
    this.callsOfTurns.splice(promptIndex);
  }

  /**
   * Adds earlier messages of the conversation. The model gets them, but they are not part of this
   * trace.
   */
  addEarlier(messages: readonly ModelMessage[]): void {
    for (const message of messages) this.#conversation.add(message);
  }

  /** Adds text in the user's role. `opensTurn` is false for text that is no message of the user. */
  addUserText(text: string, opensTurn = true): void {
    const message = { role: 'user', content: text } as const;
    if (opensTurn) this.#userMessages += 1;
    this.#conversation.add(message);
    this.#keep(message.role, text, message);
  }

  /** Adds text in the assistant's role that the case prepared. It is no answer of the model. */
  addAssistantText(text: string): void {
    const message: ModelMessage = { role: 'assistant', content: [{ type: 'text', text }] };
    this.#conversation.add(message);
    this.#keep(message.role, message.content, message);
  }

  /**
   * Adds an answer of the model. `asked` goes back to the model, `named` into the trace. They
   * differ if the model knows a tool by another name, or if traces omit parts of a result.
   */
  addAnswer(asked: ModelMessage, named: ModelMessage, text: string): void {
    this.#finalText = text === '' ? undefined : text;
    this.#conversation.add(asked);
    this.#keep(named.role, named.content, named);
  }

  addToolResults(asked: ModelMessage, named: ModelMessage): void {
    this.#conversation.add(asked);
    this.#keep(named.role, named.content, named);
  }

  addPinnedCall(call: ToolCall, toolCallId: string, output: ToolResultPart['output']): void {
    const { toolName } = call;
    const made = [{ type: 'tool-call', toolCallId, toolName, input: call.arguments }];
    const got = [{ type: 'tool-result', toolCallId, toolName, output }];
    // This call is now the last message of the assistant and has no text, so there is no final
    // text.
    this.#finalText = undefined;
    this.messages.push({ role: 'assistant', content: this.#budget.bound(made), pinned: true });
    this.messages.push({ role: 'tool', content: this.#budget.bound(got), pinned: true });
  }

  /** Calls that reach no server have no span id. */
  addCall(call: ToolCall, promptIndex: number, spanId?: string): void {
    if (spanId !== undefined) this.#spanOfArguments.set(call.arguments, spanId);
    this.toolCalls.push(call);
    this.callsOfTurns[promptIndex]?.push(call);
    this.#seenCalls.set(call.arguments, {
      ...call,
      promptIndex,
      ...(spanId !== undefined && { spanId }),
    });
  }

  /** `latencyMs` excludes the time that the call waited inside Proofmark. */
  addResult(
    args: ToolCall['arguments'],
    answer: { readonly result: Json } | { readonly failed: CallResult },
    {
      latencyMs,
      stillMs = 0,
    }: { readonly latencyMs: number | undefined; readonly stillMs: number | undefined },
  ): void {
    const seen = this.#seenCalls.get(args);
    if (seen === undefined) return;
    seen.result = 'failed' in answer ? answer.failed : this.#results.keep(answer.result);
    if (latencyMs !== undefined) seen.latencyMs = Math.max(0, latencyMs);
    if (stillMs > 0) seen.stillMs = stillMs;
  }

  seenCalls(promptIndex?: number): ToolCall[] {
    const calls =
      promptIndex === undefined ? this.toolCalls : (this.callsOfTurns[promptIndex] ?? []);
    return calls.map((call) => this.#seenCalls.get(call.arguments) ?? call);
  }

  withdrawCall(args: ToolCall['arguments'], promptIndex: number): void {
    for (const calls of [this.toolCalls, this.callsOfTurns[promptIndex] ?? []]) {
      const index = calls.findIndex((call) => call.arguments === args);
      if (index >= 0) calls.splice(index, 1);
    }
  }

  /**
   * Cuts tool results until the conversation is small enough to send. Returns whether any was cut.
   */
  fitAsked(maxBytes?: number): boolean {
    return this.#conversation.fit(maxBytes);
  }

  beginSpan(name: string, category: Span['category'], startMs = this.nowMs()): SpanDraft {
    this.#spanCount += 1;
    return spanOver(`${category}-${this.#spanCount}`, name, category, startMs, startMs);
  }

  endSpan(span: SpanDraft, endMs = this.nowMs()): void {
    span.endMs = Math.max(span.startMs + 1, Math.round(endMs));
    this.spans.push(span);
  }

  /**
   * Sorts errors and spans of concurrent calls into the order of the model's requests, because the
   * calls end in any order. A replay then has the same order.
   */
  orderAsBegun(): void {
    const begun = new Map(this.toolCalls.map((call, index) => [this.spanIdOf(call), index]));
    const place = (spanId: string) => begun.get(spanId) ?? -1;
    this.toolErrors.sort((one, other) => place(one.spanId) - place(other.spanId));
    this.toolSpans.sort((one, other) => place(one.id) - place(other.id));
    const isCall = ({ id }: Span) => begun.has(id);
    const ofCalls = this.spans.filter(isCall).sort((one, other) => place(one.id) - place(other.id));
    for (const [index, span] of this.spans.entries()) {
      if (isCall(span)) this.spans[index] = ofCalls.shift() ?? span;
    }
  }

  transcript(): Transcript {
    const seen: Mutable<Transcript> = { toolCalls: this.seenCalls() };
    if (this.listedTools !== undefined) seen.listedTools = this.listedTools;
    const usage = sumUsage(this.usages);
    if (this.#finalText !== undefined) seen.finalAssistantMessage = this.#finalText;
    if (usage !== null) seen.usage = usage;
    if (this.renderings !== undefined) seen.renderObservations = this.renderings();
    // Before the first message, no call can have failed yet. An empty list of errors would claim
    // that none did.
    if (this.messages.length > 0) {
      seen.toolErrors = this.toolErrors;
      seen.turnCount = this.#userMessages;
    }
    return seen;
  }

  #keep(role: string, content: unknown, whole: ModelMessage): void {
    const kept = this.#budget.bound(content);
    this.messages.push(kept === content ? whole : { role, content: kept });
  }
}

interface ListChange {
  readonly serverName: string;
  readonly atMs: number;
  readonly added: readonly string[];
  readonly removed: readonly string[];
  readonly changed: readonly string[];
  readonly failure?: string;
}
