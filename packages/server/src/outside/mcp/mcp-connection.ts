/**
 * One open connection to a server: the client of the protocol library over a watched transport.
 * Answers are passed on as the server sent them, whatever the library makes of them.
 */

import { setTimeout as sleep } from 'node:timers/promises';
import {
  type Client,
  LOG_LEVEL_META_KEY,
  type Tool as ToolDefinition,
} from '@modelcontextprotocol/client';
import type { Json } from '@proofmark/domain';
import { answerInputs } from './answer-inputs.ts';
import type { RequestAnswers } from './answer-requests.ts';
import { asksToWait } from './asks-to-wait.ts';
import { CallBudget } from './call-budget.ts';
import { explainMcpError, invalidAnswer } from './explain-mcp-error.ts';
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
  /** True if a listener receives the server's events, so that the server is asked to send them. */
  readonly hearsEvents?: boolean;
  /** Ends the session at the server, if the transport has a way. */
  terminate(): Promise<void>;
}

export class McpConnection {
  readonly initInfo: ServerInitInfo;
  /** True if the server gave the session an id, which it may forget. */
  readonly hasSessionId: boolean;
  /** The tools by name, once all were listed. */
  tools: ReadonlyMap<string, Json> | undefined;
  /** The failure after which the connection cannot be used. */
  lost: McpFailure | undefined;
  /** The failure after which the connection was not used, although it could be. */
  spentBy: McpFailure | undefined;
  /** Called when the connection is lost. */
  onlost: () => void = () => undefined;
  readonly #parts: ConnectionParts;
  readonly #budgets = new Set<CallBudget>();
  /** Messages to the server about cancelled tasks that are under way. */
  readonly #farewells = new Set<Promise<unknown>>();
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
    // The time of our own answers does not count for the server.
    parts.answers.onbusy = () => {
      const held = [...this.#budgets];
      for (const budget of held) budget.hold();
      return () => {
        for (const budget of held) budget.goOn();
      };
    };
  }

  /** Returns text of the server in a form that may be quoted. */
  quote(text: string): string {
    return this.#parts.secrets.quote(text);
  }

  /** True if no call is under way. */
  get isIdle(): boolean {
    return this.#budgets.size === 0;
  }

  get lacked(): Set<string> {
    return this.#parts.answers.lacked;
  }

  /** Runs one request, including the answers to the server's questions and the end of its task. */
  async request(budget: CallBudget, method: string, params: Json): Promise<Json> {
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
      const task = params['task'] === undefined ? undefined : taskOf(result);
      return task === undefined ? result : await this.#follow(task, ask, budget);
    } finally {
      this.#budgets.delete(budget);
    }
  }

  /**
   * Sends a further exchange of a call that the server has accepted. If the server asks us to wait,
   * only this exchange is repeated: the call itself must never be repeated.
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
    try {
      return await followTask(task, { ask, pause });
    } catch (error) {
      if (signal.aborted && this.lost === undefined) this.#cancel(taskId);
      throw error;
    }
  }

  /** Cancels a task that nobody waits for any more. */
  #cancel(taskId: string): void {
    const budget = new CallBudget(farewellMs, farewellBytes);
    const told = this.#exchange(budget, 'tasks/cancel', { taskId })
      .catch(() => undefined)
      .finally(() => {
        budget.end();
        this.#farewells.delete(told);
      });
    this.#farewells.add(told);
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
      // A server reports progress only with a token, which the library sends if there is a
      // listener.
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
      // Reading a large answer took a while, and writing it will; other work gets a turn in
      // between.
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
      // The library must not wait for an answer any longer.
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
    // The newest protocol version repeats some arguments as headers, which the library does for
    // tools it knows. The output schema is left out, because the library would compile it.
    const { outputSchema: _, ...definition } = tool ?? {};
    const { name, arguments: given, ...others } = params;
    // The server sends its log only if the call requests it.
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
    await Promise.all(this.#farewells);
    if (this.lost === undefined) await terminate().catch(() => undefined);
    await client.close().catch(() => undefined);
    await transport.close().catch(() => undefined);
  }
}

/** A schema that accepts every result, so that the library rejects none. */
export const anything = {
  '~standard': {
    version: 1 as const,
    vendor: 'proofmark',
    validate: (value: unknown) => ({ value }),
  },
};

/** Returns the failure for an abort; a caller gets its own reason. */
export function explainAbort(reason: unknown, secrets: Secrets): unknown {
  const isOurs = reason instanceof Error && /^(McpFailure|EgressRefused)$/.test(reason.name);
  return isOurs ? explainMcpError(reason, secrets) : reason;
}

const logLevel = 'info';
const largeBytes = 256 * 1024;
const workMethods = new Set(['tools/call', 'prompts/get', 'resources/read', 'tasks/result']);
/** The deadline of the call decides; the library merely requires a timer. */
const longestTimerMs = 2 ** 31 - 1;
const farewellMs = 1_000;
const farewellBytes = 64 * 1024;

const mostTries = 8;
const againAfterMs = 250;
