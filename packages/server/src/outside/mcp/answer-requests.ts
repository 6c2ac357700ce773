/**
 * Answers what a server asks of its client. Only what was declared is answered: roots by us, for there are none, and
 * sampling and elicitation by whoever opened the session. Where one of them is not declared, that a server asked for it
 * is remembered, so that a tool which fails for want of it is not blamed. What else it asks for is refused.
 */

import { type Client, ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/client';
import type { Json } from '@proofmark/domain';
import type { OnServerRequest } from './server-requests.ts';

export class RequestAnswers {
  /** What the server asked for and could not have, since somebody last looked. */
  readonly lacked = new Set<string>();
  /** Heard when something is refused for want of this ability. */
  onlacked: (method: string, ability: string) => void = () => undefined;
  /** Heard when an answer is begun; what it returns is called when it is there. */
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
