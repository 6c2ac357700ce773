/**
 * What happened in a trial so far. Messages stand here twice: as the trace keeps them, with the names of the tools
 * as their servers spell them, and as the model is asked with them. Calls without a model are in the trace alone: the
 * model did not make them and is not asked to answer for them.
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
import type { ListChange } from './list-change.ts';
import { ModelMessages } from './model-messages.ts';
import { NoisyServers } from './noisy-servers.ts';
import { ReopenedSessions } from './reopened-sessions.ts';
import { RepeatedCalls } from './repeated-calls.ts';
import { type Span, type SpanDraft, spanOver } from './span.ts';
import { TraceEvents } from './trace-events.ts';

/** How a server says that its list of tools is another one now. */
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
  /** The spans of calls that went to a server; all others prove nothing about one. */
  readonly toolSpans: SpanEvidence[] = [];
  /** Of all turns, in order, and by turn. */
  readonly toolCalls: ToolCall[] = [];
  readonly callsOfTurns: ToolCall[][] = [];
  readonly toolErrors: SeenToolError[] = [];
  /** Calls of any kind that a policy refused; none of them went to a server. */
  readonly refusedCalls: RefusedCall[] = [];
  readonly usages: ModelUsage[] = [];
  /** What answers for servers took, which is no usage of the trial. */
  readonly samplingUsages: ModelUsage[] = [];
  /** What servers asked, with what they were answered. */
  readonly serverRequests: unknown[] = [];
  /** What they said beside their answers. */
  readonly events: TraceEvents;
  /** Sessions that were lost and opened anew. */
  readonly reopened: ReopenedSessions;
  readonly noisy = new NoisyServers();
  /** The servers that said that their tools changed since those were read. */
  readonly changedLists = new Set<string>();
  /** What became of it. */
  readonly listChanges: ListChange[] = [];
  /** Calls that were made once more, alone. */
  readonly repeated = new RepeatedCalls();
  /** What results linked to, where the client lets the model read it. */
  readonly links = new LinkedResources();
  /** The spans of what the case itself asked of a server and that failed. */
  readonly pinnedErrors = new Set<string>();
  /** As all servers listed them; absent where a list is not known whole. */
  listedTools: readonly ListedTool[] | undefined;
  /** What widgets came to so far; absent where none is shown. */
  renderings: (() => NonNullable<Transcript['renderObservations']>) | undefined;
  /** To which a call is still to be sent, since there is no place for it yet. */
  crowdedProvider: string | undefined;
  /** Says so where the model was stopped in its last turn, with tools still to call. */
  stopped: string | undefined;
  /** Whether a call was with its server when all was stopped. */
  hasCutCall = false;
  /** Says so where a server did not answer in the time that its step states. */
  lateAnswer: string | undefined;
  readonly #elapsedMs: () => number;
  readonly #startedMs: number;
  readonly #budget = new TraceBudget();
  readonly #results = new ResultBudget();
  /** The calls as assertions see them, with what came back; no record keeps that. */
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

  /** The servers are open, with these tools. */
  opened(listed: TrialLog['listedTools']): void {
    this.listedTools = listed;
    this.changedLists.clear();
  }

  /** Milliseconds since the trial began. */
  nowMs(): number {
    return this.#elapsedMs() - this.#startedMs;
  }

  /** What the trace keeps of something that is no message. */
  bound(value: unknown): unknown {
    return this.#budget.bound(value);
  }

  /** A call is known by its arguments, which are its own. */
  readonly spanIdOf: SpanIdOf = (call) => this.#spanOfArguments.get(call.arguments);

  openTurn(promptIndex: number): void {
    while (this.callsOfTurns.length <= promptIndex) this.callsOfTurns.push([]);
  }

  /** A turn in which no model answered says nothing about what it would have done. */
  withdrawTurn(promptIndex: number): void {
    this.callsOfTurns.splice(promptIndex);
  }

  /** What was said before this began: the model is asked with it, and the trace is not of it. */
  addEarlier(messages: readonly ModelMessage[]): void {
    for (const message of messages) this.#conversation.add(message);
  }

  /** Said by the user, or told in their place where it opens no turn. */
  addUserText(text: string, opensTurn = true): void {
    const message = { role: 'user', content: text } as const;
    if (opensTurn) this.#userMessages += 1;
    this.#conversation.add(message);
    this.#keep(message.role, text, message);
  }

  /** What somebody else says the assistant said: it is no answer of the model. */
  addAssistantText(text: string): void {
    const message: ModelMessage = { role: 'assistant', content: [{ type: 'text', text }] };
    this.#conversation.add(message);
    this.#keep(message.role, message.content, message);
  }

  /** `named` differs from `asked` where a tool has another name for the model, or a result what no trace keeps. */
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
    // It is the last message of the assistant now, and holds no text.
    this.#finalText = undefined;
    this.messages.push({ role: 'assistant', content: this.#budget.bound(made), pinned: true });
    this.messages.push({ role: 'tool', content: this.#budget.bound(got), pinned: true });
  }

  /** With the span of the call, where it has one. */
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

  /** What came back, or nothing where no answer did; its latency is without our own waiting. */
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

  /** Of the whole trial so far, or of one turn. */
  seenCalls(promptIndex?: number): ToolCall[] {
    const calls =
      promptIndex === undefined ? this.toolCalls : (this.callsOfTurns[promptIndex] ?? []);
    return calls.map((call) => this.#seenCalls.get(call.arguments) ?? call);
  }

  /** It was never made. */
  withdrawCall(args: ToolCall['arguments'], promptIndex: number): void {
    for (const calls of [this.toolCalls, this.callsOfTurns[promptIndex] ?? []]) {
      const index = calls.findIndex((call) => call.arguments === args);
      if (index >= 0) calls.splice(index, 1);
    }
  }

  /** Cuts results of tools until the conversation is short enough to be sent. Tells whether one was cut. */
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

  /** Calls at once end in any order, and are told in that of the answer that asked for them. */
  orderAsBegun(): void {
    const begun = new Map(this.toolCalls.map((call, index) => [this.spanIdOf(call), index]));
    const place = (spanId: string) => begun.get(spanId) ?? -1;
    this.toolErrors.sort((one, other) => place(one.spanId) - place(other.spanId));
    this.toolSpans.sort((one, other) => place(one.id) - place(other.id));
  }

  /** What an assertion sees at this moment. */
  transcript(): Transcript {
    const seen: Mutable<Transcript> = { toolCalls: this.seenCalls() };
    if (this.listedTools !== undefined) seen.listedTools = this.listedTools;
    const usage = sumUsage(this.usages);
    if (this.#finalText !== undefined) seen.finalAssistantMessage = this.#finalText;
    if (usage !== null) seen.usage = usage;
    if (this.renderings !== undefined) seen.renderObservations = this.renderings();
    // Before anything was said nobody knows whether a tool would fail.
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
