/**
 * Operation types of the published client. They are derived from the API document, because the
 * package does not contain the contract's source.
 */
import type { components, operations as documented } from './openapi.js';

export type OperationId = keyof documented;
export type ErrorBody = components['schemas']['Error'];

type Nothing = Record<never, never>;
type Parameters<Id extends OperationId> = documented[Id]['parameters'];

export type ParametersOf<Id extends OperationId> =
  Parameters<Id> extends { path: infer Path } ? Path : Nothing;
export type QueryInputOf<Id extends OperationId> =
  Parameters<Id> extends { query?: infer Query }
    ? [Query] extends [undefined]
      ? Nothing
      : NonNullable<Query>
    : Nothing;
/** Always false: the query parameters of an operation already include `limit` and `cursor`. */
export type TakesPage<_Id extends OperationId> = false;
export type IsIdempotent<Id extends OperationId> =
  Parameters<Id> extends { header?: { 'Idempotency-Key'?: string } } ? true : false;

type ContentOf<Message> = Message extends { content: { 'application/json': infer Content } }
  ? Content
  : undefined;
export type BodyInputOf<Id extends OperationId> = documented[Id] extends { requestBody: infer Body }
  ? ContentOf<Body>
  : documented[Id] extends { requestBody?: infer Body }
    ? ContentOf<NonNullable<Body>> | undefined
    : undefined;
/** Responses of successful requests only. The client throws errors as `ApiError`. */
export type OutputOf<Id extends OperationId> = ContentOf<
  documented[Id]['responses'][keyof documented[Id]['responses']]
>;

/** `streams` is true for operations that can report progress line by line (NDJSON). */
export declare const operations: {
  readonly [Id in OperationId]: documented[Id]['responses'] extends Record<
    200,
    { content: { 'application/x-ndjson': unknown } }
  >
    ? { readonly streams: true }
    : Nothing;
};
