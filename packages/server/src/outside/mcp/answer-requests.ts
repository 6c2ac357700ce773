/**
 * Answers requests that a server sends to its client, if the client declared the capability.
 * `roots` gets an empty list; sampling and elicitation go to the caller that opened the session. A
 * request for an undeclared capability is recorded, so that a tool that fails without it is not
 * blamed.
 */

import { type Client, ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/client';
import type { Json } from '@proofmark/domain';
import type { OnServerRequest } from './server-requests.ts';

export class RequestAnswers {
  /** The undeclared capabilities that the server has requested since this set was last cleared. */
  readonly lacked = new Set<string>();
  /** Called when a request is rejected because the client did not declare this capability. */
  onlacked: (method: string, ability: string) => void = () => undefined;
  /**
   * Called when we begin to answer a request. The returned function is called when the answer is
   * complete.
   */
  onbusy: () => () => void = () => () => undefined;
  readonly #capabilities: Json;
  readonly #onServerRequest: OnServerRequest | undefined;

  constructor(capabilities: Json, onServerRequest: OnServerRequest | undefined) {
    this.#capabilities = capabilities;
    this.#onServerRequest = onServerRequest;
  }

  listenTo(client: Client): void {
    client.fallbackRequestHandler = ({ method, params }, { mcpReq }) =>
      this.answer(method, params, mcpReq.signal);
  }

  async answer(method: string, params: unknown, signal: AbortSignal): Promise<Json> {
    const ability = abilities.get(method);
    const isDeclared = ability !== undefined && this.#capabilities[ability] !== undefined;
    if (!isDeclared && ability !== undefined) {
      this.lacked.add(ability);
      this.onlacked(method, ability);
    }
    if (isDeclared && method === 'roots/list') return { roots: [] };
    if (!isDeclared || this.#onServerRequest === undefined) {
      throw new ProtocolError(ProtocolErrorCode.MethodNotFound, 'Method not found');
    }
    const done = this.onbusy();
    try {
      return (await this.#onServerRequest(method, params, signal)) as Json;
    } finally {
      done();
    }
  }
}

const abilities: ReadonlyMap<string, string> = new Map([
  ['sampling/createMessage', 'sampling'],
  ['elicitation/create', 'elicitation'],
  ['roots/list', 'roots'],
]);
