/**
 * The typed client with one method for each API operation. Path and query parameters are fields of
 * the input; the request body is the field `body`. Types and requests are derived from the
 * contract, so a new operation needs no code here.
 */

import {
  type BodyInputOf,
  type IsIdempotent,
  type OperationId,
  type OutputOf,
  type operations,
  type ParametersOf,
  type QueryInputOf,
  requests,
  type TakesPage,
} from '@proofmark/contract';
import type { CallOptions, ClientOptions } from './client-options.ts';
import { sendWithRetries, wholeAnswer } from './send.ts';
import { type Progress, watchRequest } from './watch-request.ts';

type PageInput<Id extends OperationId> =
  TakesPage<Id> extends true ? { limit?: number; cursor?: string; before?: string } : unknown;
type BodyInput<Id extends OperationId> =
  BodyInputOf<Id> extends undefined ? unknown : { body: BodyInputOf<Id> };

type KeyInput<Id extends OperationId> =
  IsIdempotent<Id> extends true ? { idempotencyKey?: string } : unknown;

export type InputOf<Id extends OperationId> = ParametersOf<Id> &
  QueryInputOf<Id> &
  PageInput<Id> &
  KeyInput<Id> &
  BodyInput<Id>;

type Method<Id extends OperationId> =
  Record<never, never> extends InputOf<Id>
    ? (input?: InputOf<Id>, options?: CallOptions) => Promise<OutputOf<Id>>
    : (input: InputOf<Id>, options?: CallOptions) => Promise<OutputOf<Id>>;

export type WatchableId = {
  [Id in OperationId]: (typeof operations)[Id] extends { readonly streams: true } ? Id : never;
}[OperationId];

type Watch = <Id extends WatchableId>(
  operationId: Id,
  input: InputOf<Id>,
  onProgress: (progress: Progress) => void,
  options?: CallOptions,
) => Promise<OutputOf<Id>>;

export type ApiClient = { readonly [Id in OperationId]: Method<Id> } & {
  readonly watch: Watch;
};

export function createApiClient(options: ClientOptions): ApiClient {
  const methods = Object.entries(requests).map(([operationId, request]) => [
    operationId,
    (input: Record<string, unknown> = {}, call: CallOptions = {}) =>
      sendWithRetries(
        options,
        { ...requestOf(options.baseUrl, request, input), accept: 'application/json' },
        call,
        wholeAnswer,
      ),
  ]);
  const watchOne: Watch = async (operationId, input, onProgress, call = {}) =>
    (await watchRequest(
      options,
      requestOf(options.baseUrl, requests[operationId], input),
      call,
      onProgress,
    )) as never;
  return { ...Object.fromEntries(methods), watch: watchOne } as ApiClient;
}

/** Returns the address of a GET operation, for callers such as an EventSource or a link. */
export function addressOf<Id extends OperationId>(
  baseUrl: string,
  operationId: Id,
  input: ParametersOf<Id> & QueryInputOf<Id>,
): string {
  return requestOf(baseUrl, requests[operationId], input as Readonly<Record<string, unknown>>).url;
}

function requestOf(baseUrl: string, request: string, input: Readonly<Record<string, unknown>>) {
  const { body, [idempotencyKeyField]: key, ...others } = input;
  const [method = '', path = ''] = request.split(' ');
  return {
    method,
    url: requestUrl(baseUrl, path, others),
    body,
    ...(key !== undefined && { idempotencyKey: String(key) }),
  };
}

const idempotencyKeyField = 'idempotencyKey' satisfies keyof KeyInput<'createEvalRun'>;

function requestUrl(
  baseUrl: string,
  path: string,
  input: Readonly<Record<string, unknown>>,
): string {
  const inPath = new Set<string>();
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    inPath.add(name);
    return pathSegment(name, String(input[name] ?? ''));
  });
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(input)) {
    if (inPath.has(name) || value === undefined) continue;
    query.append(name, String(value));
  }
  const search = query.size > 0 ? `?${query}` : '';
  return `${baseUrl.replace(/\/+$/, '')}${filled}${search}`;
}

/**
 * Rejects "", "." and "..". A URL would normalize them away, and the request would reach another
 * operation.
 */
function pathSegment(name: string, value: string): string {
  if (value === '' || value === '.' || value === '..') {
    throw new TypeError(`${name} must be an id, not ${JSON.stringify(value)}.`);
  }
  return encodeURIComponent(value);
}
