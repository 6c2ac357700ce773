/**
 * Sends the requests of the visitor's page. The contract is imported only as types, so that phones
 * do not load its schemas.
 */
import { ApiError, ConnectionError } from '@proofmark/client';
import {
  type BodyInputOf,
  basePaths,
  linkHeader,
  type OutputOf,
  type operations,
  type ParametersOf,
  type VisitOperationId,
} from '@proofmark/contract';
import type { VisitLine } from './turn-view.ts';

export type RedeemedLink = OutputOf<'redeemShareLink'>;

type Route<Id extends VisitOperationId> =
  `${(typeof operations)[Id]['method']} ${(typeof operations)[Id]['path']}`;
type Input<Id extends VisitOperationId> = ParametersOf<Id> & {
  readonly body?: BodyInputOf<Id>;
};

const routes = {
  getVisitSession: 'GET /session',
  redeemShareLink: 'POST /redeem',
  acceptNotice: 'POST /scenarios/{scenarioId}/consent',
  createVisitorSession: 'POST /scenarios/{scenarioId}/sessions',
  getVisitorSession: 'GET /scenarios/{scenarioId}/sessions/{sessionId}',
  takeVisitorTurn: 'POST /scenarios/{scenarioId}/sessions/{sessionId}/turns',
  answerApproval: 'POST /scenarios/{scenarioId}/turns/{turnId}/approvals',
  stopVisitorTurn: 'POST /scenarios/{scenarioId}/turns/{turnId}/stop',
  giveFeedback: 'PUT /scenarios/{scenarioId}/sessions/{sessionId}/feedback',
  endVisitorSession: 'POST /scenarios/{scenarioId}/sessions/{sessionId}/end',
  eraseVisitorSession: 'DELETE /scenarios/{scenarioId}/sessions/{sessionId}',
} as const satisfies { readonly [Id in VisitOperationId]: Route<Id> };

/**
 * The conversation was deleted, or it belongs to another sign-in of this browser. The link itself
 * may still work.
 */
export class ConversationGone extends ApiError {}

export interface VisitCalls {
  call<Id extends Exclude<VisitOperationId, 'takeVisitorTurn'>>(
    id: Id,
    input: Input<Id>,
  ): Promise<OutputOf<Id>>;
  /** Calls `onLine` for each line of the response as it arrives. */
  turn(input: Input<'takeVisitorTurn'>, onLine: (line: VisitLine) => void): Promise<void>;
}

export function visitCalls(
  fetch: typeof globalThis.fetch,
  origin: string,
  /**
   * The token of the link to open. If the service cannot distinguish visitors by network address,
   * its rate limit counts requests per link.
   */
  linkToken?: string,
): VisitCalls {
  let csrfToken: string | undefined;

  /**
   * A sign-in or sign-out in another tab changes the CSRF token. After the resulting error, gets
   * the new token and sends the request a second time.
   */
  const open = async (id: VisitOperationId, input: Record<string, unknown>) => {
    try {
      return await send(id, input);
    } catch (error) {
      if (!(error instanceof ApiError) || error.details['reason'] !== 'CSRF_TOKEN') throw error;
      csrfToken = (await (await send('getVisitSession', {})).json()).csrfToken;
      return send(id, input);
    }
  };

  const send = async (id: VisitOperationId, input: Record<string, unknown>) => {
    const [method = '', path = ''] = routes[id].split(' ');
    const filled = path.replace(/\{(\w+)\}/g, (_, name: string) =>
      encodeURIComponent(String(input[name])),
    );
    const { body } = input;
    const url = `${origin}${basePaths.visit}${filled}`;
    const response = await fetch(url, {
      method,
      headers: {
        ...(csrfToken !== undefined && { 'x-csrf-token': csrfToken }),
        ...(id === 'getVisitSession' && linkToken !== undefined && { [linkHeader]: linkToken }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    }).catch((cause: unknown) => {
      throw new ConnectionError(url, cause);
    });
    if (response.ok) return response;
    const refused = await response.json().catch(() => ({}));
    const Refusal =
      response.status === 404 && /\{(session|turn)Id\}/.test(path) ? ConversationGone : ApiError;
    throw new Refusal(response.status, refused, secondsOf(response.headers.get('retry-after')));
  };

  return {
    async call(id, input) {
      const response = await open(id, input);
      const answer = await response.json().catch((cause: unknown) => {
        throw new ConnectionError(response.url, cause);
      });
      if (id === 'getVisitSession') csrfToken = answer.csrfToken;
      return answer;
    },
    async turn(input, onLine) {
      const response = await open('takeVisitorTurn', input);
      try {
        for await (const line of linesOf(response.body)) onLine(JSON.parse(line) as VisitLine);
      } catch (cause) {
        throw new ConnectionError(response.url, cause);
      }
    },
  };
}

function secondsOf(header: string | null): number | undefined {
  return header !== null && /^\d{1,6}$/.test(header) ? Number(header) : undefined;
}

/** Yields each line as soon as it is complete. An incomplete last line is dropped. */
async function* linesOf(body: ReadableStream<Uint8Array> | null): AsyncGenerator<string, void> {
  const reader = body?.getReader();
  const decoder = new TextDecoder();
  let open = '';
  while (reader !== undefined) {
    const { done, value } = await reader.read();
    if (done) return;
    const [first = '', ...others] = decoder.decode(value, { stream: true }).split('\n');
    open += first;
    for (const next of others) {
      if (open.trim() !== '') yield open;
      open = next;
    }
  }
}
