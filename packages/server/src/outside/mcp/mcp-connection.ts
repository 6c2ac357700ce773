/**
 * An open connection to a server: the protocol library's client over a watched transport. Results
 * are returned as the server sent them, even if the library changes or rejects them.
 */

import { setTimeout as sleep } from 'node:timers/promises';
import {
  type Client,
  LOG_LEVEL_META_KEY,
  type Tool as ToolDefinition,
} from '@modelcontextprotocol/client';
import {
  declaresTasks,
  type ExcludedTool,
  type Json,
  resultTypeOf,
  type TaskTrace,
} from '@proofmark/domain';
import { answerEach, answerInputs } from './answer-inputs.ts';
import type { RequestAnswers } from './answer-requests.ts';
import { asksToWait } from './asks-to-wait.ts';
import { CallBudget } from './call-budget.ts';
import { explainMcpError, invalidAnswer, ofTaskError } from './explain-mcp-error.ts';
import { followExtensionTask, unknownResultType } from './follow-extension-task.ts';
import { followTask, idOf, taskOf } from './follow-task.ts';
import { afterAnswer, afterBegin, McpFailure } from './mcp-failure.ts';
import type { ServerInitInfo } from './mcp-gateway.ts';
import { exchangeHeader, RecordedExchange } from './recorded-exchange.ts';
import type { Secrets } from './secrets.ts';
import type { WatchedTransport } from './watched-transport.ts';

export interface ConnectionParts {
  readonly client: Client;
  readonly transport: WatchedTransport;
  readonly initInfo: ServerInitInfo;
  readonly secrets: Secrets;
  readonly answers: RequestAnswers;
  /**
   * Whether a listener gets the server's notifications. If false, the server is not asked for
   * progress or log messages.
   */
  readonly hearsEvents?: boolean;
  /** Ends the session at the server, if the transport supports this. */
  terminate(): Promise<void>;
}

export class McpConnection {
  readonly initInfo: ServerInitInfo;
  /**
   * Whether the server assigned an id to the session. Such a session can be forgotten by the
   * server.
   */
  readonly hasSessionId: boolean;
  /** The tools by name. Undefined until all tools were listed. */
  tools: ReadonlyMap<string, Json> | undefined;
  /** The tools of the last list that clients must hide. */
  excluded: readonly ExcludedTool[] = [];
  /** The failure that made the connection unusable. */
  lost: McpFailure | undefined;
  /**
   * The failure after which no further call uses the connection, although the connection may still
   * be open.
   */
  spentBy: McpFailure | undefined;
  onlost: () => void = () => undefined;
  readonly #parts: ConnectionParts;
  readonly #budgets = new Set<CallBudget>();
  /** Requests in progress that cancel tasks on the server. `close` waits for them. */
  readonly #farewells = new Set<Promise<unknown>>();
  #tasksFollowed = 0;
  #closing: Promise<void> | undefined;

  constructor(parts: ConnectionParts) {
    this.#parts = parts;
    this.initInfo = parts.initInfo;
    this.hasSessionId = parts.transport.sessionId !== undefined;
    parts.transport.onlost = (reason) => {
      this.lost ??= explainMcpError(reason, parts.secrets);
      this.onlost();
    };
    parts.transport.ontoolschanged = () => {
      this.tools = undefined;
    };
    // Stops the clocks of all calls while Proofmark answers the server, because this time must not
    // count as the server's.
    parts.answers.onbusy = () => {
      const held = [...this.#budgets];
      for (const budget of held) budget.hold();
      return () => {
        for (const budget of held) budget.goOn();
      };
    };
  }

  /** Returns text of the server with secrets redacted, so that it may be quoted. */
  quote(text: string): string {
    return this.#parts.secrets.quote(text);
  }

  get isIdle(): boolean {
    return this.#budgets.size === 0;
  }

  /** Whether `close` was not called yet and the transport was not lost. */
  get isOpen(): boolean {
    return this.#closing === undefined && this.lost === undefined;
  }

  get lacked(): Set<string> {
    return this.#parts.answers.lacked;
  }

  /** `onTask` is called whenever the state of the call's task changes. */
  async request(
    budget: CallBudget,
    method: string,
    params: Json,
    onTask: (trace: TaskTrace) => void = () => undefined,
  ): Promise<Json> {
    let isBegun = false;
    const ask = async (asked: string, given: Json): Promise<Json> => {
      let result = await (isBegun
        ? this.#goOn(budget, asked, given)
        : this.#exchange(budget, asked, given));
      isBegun = true;
      for (let rounds = 1; result['resultType'] === 'input_required'; rounds += 1) {
        const inputs = await answerInputs(result, rounds, this.#parts.answers, budget.signal);
        result = await this.#goOn(budget, asked, { ...given, ...inputs });
      }
      return result;
    };
    this.#budgets.add(budget);
    try {
      const result = await ask(method, params);
      if (this.#isModern) return await this.#readModern(result, method, ask, budget, onTask);
      const task = params['task'] === undefined ? undefined : taskOf(result);
      return task === undefined ? result : await this.#follow(task, ask, budget);
    } finally {
      this.#budgets.delete(budget);
    }
  }

  get #isModern(): boolean {
    return this.#parts.client.getProtocolEra() === 'modern';
  }

  async #readModern(
    result: Json,
    method: string,
    ask: (method: string, params: Json) => Promise<Json>,
    budget: CallBudget,
    onTask: (trace: TaskTrace) => void,
  ): Promise<Json> {
    const type = resultTypeOf(result);
    if (type === 'unknown') throw afterBegin(invalidAnswer(unknownResultType));
    if (type !== 'task') return result;
    if (method !== 'tools/call' || !declaresTasks(this.initInfo.clientCapabilities)) {
      throw afterBegin(invalidAnswer(taskNotDeclared));
    }
    const { signal } = budget;
    const { answers, secrets } = this.#parts;
    this.#tasksFollowed += 1;
    try {
      return await followExtensionTask(result, {
        ask,
        onTask,
        // A timer may end up to a millisecond early.
        pause: (delayMs) => this.#pause(Math.min(delayMs + 1, longestTimerMs), signal),
        answer: (questions) => answerEach(questions, answers, signal),
        failureOf: (error) => ofTaskError(error, secrets),
        quote: (text) => secrets.quote(text),
        isGivenUp: (error) => this.lost === undefined && (signal.aborted || isUnanswered(error)),
        cancel: (taskId) => this.#cancel(taskId),
      });
    } finally {
      this.#tasksFollowed -= 1;
    }
  }

  /**
   * Sends a follow-up request of a call that the server has already accepted. If the server asks us
   * to wait, only this follow-up is repeated, never the call itself.
   */
  async #goOn(budget: CallBudget, method: string, params: Json): Promise<Json> {
    for (let tries = 1; ; tries += 1) {
      try {
        return await this.#exchange(budget, method, params);
      } catch (error) {
        if (!(error instanceof McpFailure)) throw error;
        if (!asksToWait(error) || tries === mostTries) throw afterBegin(error);
        const { retryAfterSeconds } = error.details;
        const asked = typeof retryAfterSeconds === 'number' ? retryAfterSeconds * 1000 : 0;
        await this.#pause(Math.max(asked, againAfterMs * tries), budget.signal);
      }
    }
  }

  #pause(delayMs: number, signal: AbortSignal): Promise<void> {
    return sleep(delayMs, undefined, { signal }).catch(() => {
      throw explainAbort(signal.reason, this.#parts.secrets);
    });
  }

  async #follow(
    task: Json,
    ask: (method: string, params: Json) => Promise<Json>,
    budget: CallBudget,
  ): Promise<Json> {
    const taskId = idOf(task);
    const { signal } = budget;
    const pause = (delayMs: number) => this.#pause(delayMs, signal);
    this.#tasksFollowed += 1;
    try {
      return await followTask(task, { ask, pause });
    } catch (error) {
      if (signal.aborted && this.lost === undefined) this.#cancel(taskId);
      throw error;
    } finally {
      this.#tasksFollowed -= 1;
    }
  }

  #cancel(taskId: string): void {
    const budget = new CallBudget(farewellMs, farewellBytes);
    const farewell = this.#exchange(budget, 'tasks/cancel', { taskId })
      .catch(() => undefined)
      .finally(() => {
        budget.end();
        this.#farewells.delete(farewell);
      });
    this.#farewells.add(farewell);
  }

  async #exchange(budget: CallBudget, method: string, params: Json): Promise<Json> {
    const { client, transport, secrets } = this.#parts;
    const exchange = new RecordedExchange(budget, workMethods.has(method));
    transport.begin(exchange);
    const done = new AbortController();
    const options = {
      signal: AbortSignal.any([budget.signal, done.signal]),
      timeout: longestTimerMs,
      headers: { [exchangeHeader]: exchange.key },
      allowInputRequired: true,
      // A server reports progress only if the request has a progress token. The library adds the
      // token if there is a listener, so an empty listener is passed.
      ...(this.#parts.hearsEvents === true &&
        method === 'tools/call' && { onprogress: () => undefined }),
    };
    try {
      await Promise.race([
        this.#send(client, method, params, options),
        exchange.failed,
        budget.broken,
      ]).catch((error: unknown) => {
        if (!exchange.results.has(method)) throw error;
      });
      // A large answer was expensive to parse and will be expensive to serialize. In between, other
      // work gets a turn of the event loop.
      if (budget.bytes > largeBytes) await new Promise((resolve) => setImmediate(resolve));
      const result = exchange.results.get(method);
      if (result === undefined) throw invalidAnswer();
      return result;
    } catch (error) {
      const failure = budget.signal.aborted
        ? explainAbort(budget.signal.reason, secrets)
        : explainMcpError(error, secrets);
      throw exchange.isAnswered && failure instanceof McpFailure ? afterAnswer(failure) : failure;
    } finally {
      // Makes the library stop waiting for an answer that is no longer needed.
      done.abort();
      transport.end(exchange);
    }
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #send(client: Client, method: string, params: Json, options: object): Promise<void> {
    const tool = method === 'tools/call' ? this.tools?.get(String(params['name'])) : undefined;
    if (method !== 'tools/call' || client.getProtocolEra() !== 'modern') {
      await client.request({ method, params }, anything, options);
      return;
    }
    // In the newest protocol version, some arguments are repeated as headers. The library adds
    // these headers if it knows the tool. The output schema is removed from the definition, because
    // the library would compile it.
    const { outputSchema: _, ...definition } = tool ?? {};
    const { name, arguments: given, ...others } = params;
    // The server sends log messages only if the call requests them.
    const _meta = this.#parts.hearsEvents === true ? { [LOG_LEVEL_META_KEY]: logLevel } : undefined;
    await client.callTool(
      {
        ...others,
        ...(_meta && { _meta }),
        name: String(name),
        arguments: given as Record<string, unknown>,
      },
      {
        ...options,
        ...(tool === undefined ? {} : { toolDefinition: definition as ToolDefinition }),
      },
    );
  }

  async #close(): Promise<void> {
    const { client, transport, terminate } = this.#parts;
    // A call that was just aborted cancels its task before the connection is closed.
    if (this.#tasksFollowed > 0) await new Promise((resolve) => setImmediate(resolve));
    await Promise.all(this.#farewells);
    if (this.lost === undefined) await terminate().catch(() => undefined);
    await client.close().catch(() => undefined);
    await transport.close().catch(() => undefined);
  }
}

/** A schema that accepts every result, so that the library rejects no result. */
export const anything = {
  '~standard': {
    version: 1 as const,
    vendor: 'proofmark',
    validate: (value: unknown) => ({ value }),
  },
};

/**
 * If the caller aborted, returns the caller's reason unchanged. Else returns the failure that
 * caused the abort.
 */
export function explainAbort(reason: unknown, secrets: Secrets): unknown {
  const isOurs = reason instanceof Error && /^(McpFailure|EgressRefused)$/.test(reason.name);
  return isOurs ? explainMcpError(reason, secrets) : reason;
}

function isUnanswered(error: unknown): boolean {
  return error instanceof McpFailure && error.details['reason'] === 'INPUT_REQUIRED';
}

const logLevel = 'info';
const largeBytes = 256 * 1024;
const taskNotDeclared = 'The server answered with a task, which the client does not declare.';
const workMethods = new Set([
  ...['tools/call', 'prompts/get', 'resources/read'],
  ...['tasks/result', 'tasks/get', 'tasks/update'],
]);
/**
 * The longest timeout that a timer accepts, in milliseconds. The library requires a timeout, but
 * the call's own deadline applies.
 */
const longestTimerMs = 2 ** 31 - 1;
const farewellMs = 1_000;
const farewellBytes = 64 * 1024;

const mostTries = 8;
const againAfterMs = 250;
