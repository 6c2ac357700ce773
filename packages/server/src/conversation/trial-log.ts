/**
 * The events of a trial so far. Messages are kept twice: for the trace, with the names of the tools
 * on their servers, and for the model. Calls without a model are only in the trace: the model did
 * not make them and does not see them.
 */
import {
  type CallResult,
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
import { type Span, type SpanDraft, spanOver } from './span.ts';
import { TraceEvents } from './trace-events.ts';

/** The notification of a server that its list of tools has changed. */
export const listChanged = 'notifications/tools/list_changed';

type Mutable<Whole> = { -readonly [Name in keyof Whole]: Whole[Name] };

export interface SeenToolError extends ToolError {
  /** For people. */
  readonly sentence: string;
  readonly promptIndex: number;
  readonly spanId: string;
  readonly argumentProblem?: string;
  readonly resultProblem?: string;
}

export class TrialLog {
  readonly messages: unknown[] = [];
  readonly #conversation = new ModelMessages();
  readonly asked: readonly ModelMessage[] = this.#conversation.messages;
  readonly spans: Span[] = [];
  /** The spans of calls that reached a server; others prove nothing about one. */
  readonly toolSpans: SpanEvidence[] = [];
  /** The calls of all turns, in order, and by turn. */
  readonly toolCalls: ToolCall[] = [];
  readonly callsOfTurns: ToolCall[][] = [];
  readonly toolErrors: SeenToolError[] = [];
  /** All calls that a policy refused; none reached a server. */
  readonly refusedCalls: RefusedCall[] = [];
  readonly usages: ModelUsage[] = [];
  /** The usage of answers for servers, which does not count for the trial. */
  readonly samplingUsages: ModelUsage[] = [];
  /** The requests of servers, with our answers. */
  readonly serverRequests: unknown[] = [];
  /** The unsolicited messages of servers. */
  readonly events: TraceEvents;
  /** Sessions that were lost and reopened. */
  readonly reopened: ReopenedSessions;
  readonly noisy = new NoisyServers();
  /** The servers that announced changed tools since their list was read. */
  readonly changedLists = new Set<string>();
  /** The results of reading these lists again. */
  readonly listChanges: ListChange[] = [];
  /** Calls that were repeated alone. */
  readonly repeated = new RepeatedCalls();
  /** The links in results, if the client lets the model read them. */
  readonly links = new LinkedResources();
  /** The spans of failed requests that the case itself made. */
  readonly pinnedErrors = new Set<string>();
  /** The tools that all servers listed; undefined if one list is not completely known. */
  listedTools: readonly ListedTool[] | undefined;
  /** Returns the renderings of widgets so far; undefined if none is rendered. */
  renderings: (() => NonNullable<Transcript['renderObservations']>) | undefined;
  /** The provider to which a call is not sent yet, since it has no place. */
  crowdedProvider: string | undefined;
  /** A sentence if the model was stopped in its last turn, with tools still to call. */
  stopped: string | undefined;
  /** True if a call was with its server when the trial was stopped. */
  hasCutCall = false;
  /** A sentence if a server did not answer within its step's limit. */
  lateAnswer: string | undefined;
  readonly #elapsedMs: () => number;
  readonly #startedMs: number;
  readonly #budget = new TraceBudget();
  readonly #results = new ResultBudget();
  /** The calls for assertions, with their results, which no record stores. */
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

  readonly hear = (serverName: string, event: ServerEvent): void => {
    if ('reopenedAfter' in event) this.reopened.add(serverName, event.reopenedAfter);
    else {
      if ('noise' in event) this.noisy.add(serverName, event.noise);
      if ('method' in event && event.method === listChanged) this.changedLists.add(serverName);
      this.events.add(serverName, event);
    }
  };

  /** Called when the servers are open, with these tools. */
  opened(listed: TrialLog['listedTools']): void {
    this.listedTools = listed;
    this.changedLists.clear();
  }

  /** Milliseconds since the trial began. */
  nowMs(): number {
    return this.#elapsedMs() - this.#startedMs;
  }

  /** Returns the bounded form for the trace of a value that is no message. */
  bound(value: unknown): unknown {
    return this.#budget.bound(value);
  }

  /** A call is identified by its arguments object, which is unique to it. */
  readonly spanIdOf: SpanIdOf = (call) => this.#spanOfArguments.get(call.arguments);

  openTurn(promptIndex: number): void {
    while (this.callsOfTurns.length <= promptIndex) this.callsOfTurns.push([]);
  }

  /** Removes a turn without an answer of a model, which says nothing about the model's choice. */
  withdrawTurn(promptIndex: number): void {
    this.callsOfTurns.splice(promptIndex);
  }

  /** Adds earlier messages for the model, which are not part of the trace. */
  addEarlier(messages: readonly ModelMessage[]): void {
    for (const message of messages) this.#conversation.add(message);
  }

  /** Adds text of the user, or text in the user's place that opens no turn. */
  addUserText(text: string, opensTurn = true): void {
    const message = { role: 'user', content: text } as const;
    if (opensTurn) this.#userMessages += 1;
    this.#conversation.add(message);
    this.#keep(message.role, text, message);
  }

  /** Adds prepared text of the assistant, which is no answer of the model. */
  addAssistantText(text: string): void {
    const message: ModelMessage = { role: 'assistant', content: [{ type: 'text', text }] };
    this.#conversation.add(message);
    this.#keep(message.role, message.content, message);
  }

  /**
   * `named` differs from `asked` if a tool has another name for the model, or if a result has parts
   * that traces leave out.
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
    // This call is now the last message of the assistant, and has no text.
    this.#finalText = undefined;
    this.messages.push({ role: 'assistant', content: this.#budget.bound(made), pinned: true });
    this.messages.push({ role: 'tool', content: this.#budget.bound(got), pinned: true });
  }

  /** Adds a call, with its span if it has one. */
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

  /** Adds the result of a call, or its failure; the latency excludes our own waits. */
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

  /** Returns the calls of the whole trial so far, or of one turn. */
  seenCalls(promptIndex?: number): ToolCall[] {
    const calls =
      promptIndex === undefined ? this.toolCalls : (this.callsOfTurns[promptIndex] ?? []);
    return calls.map((call) => this.#seenCalls.get(call.arguments) ?? call);
  }

  /** Removes a call that was never made. */
  withdrawCall(args: ToolCall['arguments'], promptIndex: number): void {
    for (const calls of [this.toolCalls, this.callsOfTurns[promptIndex] ?? []]) {
      const index = calls.findIndex((call) => call.arguments === args);
      if (index >= 0) calls.splice(index, 1);
    }
  }

  /**
   * Cuts results of tools until the conversation is short enough to send; returns whether one was
   * cut.
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
   * Sorts concurrent calls, which end in any order, in the order of the answer that requested them.
   */
  orderAsBegun(): void {
    const begun = new Map(this.toolCalls.map((call, index) => [this.spanIdOf(call), index]));
    const place = (spanId: string) => begun.get(spanId) ?? -1;
    this.toolErrors.sort((one, other) => place(one.spanId) - place(other.spanId));
    this.toolSpans.sort((one, other) => place(one.id) - place(other.id));
  }

  /** Returns the transcript for an assertion at this moment. */
  transcript(): Transcript {
    const seen: Mutable<Transcript> = { toolCalls: this.seenCalls() };
    if (this.listedTools !== undefined) seen.listedTools = this.listedTools;
    const usage = sumUsage(this.usages);
    if (this.#finalText !== undefined) seen.finalAssistantMessage = this.#finalText;
    if (usage !== null) seen.usage = usage;
    if (this.renderings !== undefined) seen.renderObservations = this.renderings();
    // Before the first message it is unknown whether a tool would fail.
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

/** The change of tools that a server announced during a trial. */
interface ListChange {
  readonly serverName: string;
  readonly atMs: number;
  readonly added: readonly string[];
  readonly removed: readonly string[];
  readonly changed: readonly string[];
  /** The reason if the list could not be read again. */
  readonly failure?: string;
}
