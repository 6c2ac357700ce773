/**
 * Which tools may be called over HTTP at the modern revisions. Tools with an invalid
 * `x-mcp-header` may not. The list is read before the first call, since it also states which
 * arguments are sent as headers. A list may be outdated: it is read again before a call is refused,
 * and after the server refused a call because of its headers, which it does before it executes
 * anything.
 */
import {
  canonicalJson,
  type ExcludedTool,
  exclusionSentence,
  mustExclude,
} from '@proofmark/domain';
import type { McpConnection } from './mcp-connection.ts';
import { McpFailure } from './mcp-failure.ts';

export class CallableTools {
  readonly #connected: () => McpConnection;
  readonly #list: (name: 'tools') => Promise<unknown>;

  constructor(connected: () => McpConnection, list: (name: 'tools') => Promise<unknown>) {
    this.#connected = connected;
    this.#list = list;
  }

  /** Throws if the tool must not be called. */
  async require(name: string): Promise<void> {
    if (!mustExclude(this.#connected().initInfo)) return;
    const isKnown = this.#connected().tools !== undefined;
    if (!isKnown) await this.#listAgain();
    if (this.#exclusionOf(name) !== undefined && isKnown) await this.#listAgain();
    const excluded = this.#exclusionOf(name);
    if (excluded !== undefined) throw toolExcluded(excluded);
  }

  /**
   * Makes a call again if the server refused its headers and now lists other headers for the tool.
   * Throws the error otherwise.
   */
  async afterMismatch<Result>(
    name: string,
    error: unknown,
    call: () => Promise<Result>,
  ): Promise<Result> {
    const isMismatch =
      error instanceof McpFailure && error.details['mcpErrorCode'] === headerMismatch;
    if (!isMismatch || !mustExclude(this.#connected().initInfo)) throw error;
    const before = this.#headersOf(name);
    await this.#listAgain();
    const excluded = this.#exclusionOf(name);
    if (excluded !== undefined) throw toolExcluded(excluded);
    if (this.#headersOf(name) === before) throw error;
    return call();
  }

  #headersOf(name: string): string {
    return canonicalJson(this.#connected().tools?.get(name)?.['inputSchema'] ?? null);
  }

  #exclusionOf(name: string): ExcludedTool | undefined {
    const { excluded, tools } = this.#connected();
    if (tools?.has(name) === true) return undefined;
    return excluded.find(({ toolName }) => toolName === name);
  }

  /** A server may answer calls although it cannot list its tools. Nothing is known of them then. */
  async #listAgain(): Promise<void> {
    try {
      await this.#list('tools');
    } catch (error) {
      if (!(error instanceof McpFailure) || !unlisted.has(String(error.details['reason']))) {
        throw error;
      }
    }
  }
}

function toolExcluded(tool: ExcludedTool): McpFailure {
  const { reason: headerReason, toolName, path } = tool;
  return new McpFailure(
    'FEATURE_NOT_SUPPORTED',
    exclusionSentence(tool),
    { reason: 'TOOL_EXCLUDED', toolName, headerReason, path },
    true,
  );
}

const headerMismatch = -32020;
const unlisted: ReadonlySet<string> = new Set([
  'SERVER_ERROR',
  'HTTP_ERROR',
  'INVALID_RESPONSE',
  'INVALID_PARAMS',
  'RESPONSE_TOO_LARGE',
]);
