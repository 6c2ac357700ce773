/**
 * One live connection to a server: the client of the protocol library over a watched transport. Answers are
 * handed on as the server sent them; what the library makes of them does not matter once they are here.
 */
import type { Client, Tool as ToolDefinition } from '@modelcontextprotocol/client';
import type { CallBudget } from './call-budget.ts';
import { Exchange, exchangeHeader } from './exchange.ts';
import { explainMcpError, invalidAnswer, unreachable } from './explain-mcp-error.ts';
import { afterAnswer, McpFailure } from './mcp-failure.ts';
import type { InitInfo } from './mcp-gateway.ts';
import type { Secrets } from './secrets.ts';
import type { WatchedTransport } from './watched-transport.ts';

type Json = Readonly<Record<string, unknown>>;

export interface ConnectionParts {
  readonly client: Client;
  readonly transport: WatchedTransport;
  readonly initInfo: InitInfo;
  readonly secrets: Secrets;
  /** Tells the server that the session is over, where there is a way to. */
  terminate(): Promise<void>;
}

export class McpConnection {
  readonly initInfo: InitInfo;
  /** Whether the server gave the session an id, which it may forget. */
  readonly hasSessionId: boolean;
  /** The tools by name, once all of them were listed. */
  tools: ReadonlyMap<string, Json> | undefined;
  /** Why nothing more can be asked here. */
  lost: McpFailure | undefined;
  /** Heard when that comes about. */
  onlost: () => void = () => undefined;
  readonly #parts: ConnectionParts;
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
  }

  /** Text of the server, fit to be quoted. */
  quote(text: string): string {
    return this.#parts.secrets.quote(text);
  }

  async request(budget: CallBudget, method: string, params: Json): Promise<Json> {
    const { client, transport, secrets } = this.#parts;
    const exchange = new Exchange(budget, workMethods.has(method));
    transport.begin(exchange);
    const done = new AbortController();
    const options = {
      signal: AbortSignal.any([budget.signal, done.signal]),
      timeout: budget.remainingMs() + timeoutSlackMs,
      headers: { [exchangeHeader]: exchange.key },
      allowInputRequired: true,
    };
    try {
      await Promise.race([
        this.#send(client, method, params, options),
        exchange.failed,
        budget.broken,
      ]).catch((error: unknown) => {
        if (!exchange.results.has(method)) throw error;
      });
      // Reading a large answer took a while and writing it will; in between others have their turn.
      if (budget.bytes > largeBytes) await new Promise((resolve) => setImmediate(resolve));
      return completeResult(exchange.results.get(method));
    } catch (error) {
      const failure = budget.signal.aborted
        ? explainAbort(budget.signal.reason, secrets)
        : explainMcpError(error, secrets);
      throw exchange.isAnswered && failure instanceof McpFailure ? afterAnswer(failure) : failure;
    } finally {
      // Where the library still waits for an answer, it need not.
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
    // The newest protocol repeats some arguments as headers, which the library does for tools it knows. The
    // output schema is left out, because the library would compile it.
    const { outputSchema: _, ...definition } = tool ?? {};
    await client.callTool(
      { name: String(params['name']), arguments: params['arguments'] as Record<string, unknown> },
      {
        ...options,
        ...(tool === undefined ? {} : { toolDefinition: definition as ToolDefinition }),
      },
    );
  }

  async #close(): Promise<void> {
    const { client, transport, terminate } = this.#parts;
    if (this.lost === undefined) await terminate().catch(() => undefined);
    await client.close().catch(() => undefined);
    await transport.close().catch(() => undefined);
  }
}

/** A result may be anything as far as the library is concerned. */
export const anything = {
  '~standard': {
    version: 1 as const,
    vendor: 'proofmark',
    validate: (value: unknown) => ({ value }),
  },
};

/** A caller that gave up is told its own reason. */
export function explainAbort(reason: unknown, secrets: Secrets): unknown {
  const isOurs = reason instanceof Error && /^(McpFailure|EgressRefused)$/.test(reason.name);
  return isOurs ? explainMcpError(reason, secrets) : reason;
}

function completeResult(result: Json | undefined): Json {
  if (result === undefined) throw invalidAnswer();
  if (result['resultType'] === 'input_required') {
    throw unreachable(
      'INPUT_REQUIRED',
      'The server wants to ask a person or a model something first, which is not offered here.',
    );
  }
  return result;
}

const largeBytes = 256 * 1024;
const workMethods = new Set(['tools/call', 'prompts/get', 'resources/read']);
/** The deadline of the call decides; the timer of the library is only there because it must have one. */
const timeoutSlackMs = 1_000;
