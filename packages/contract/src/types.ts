import type * as z from 'zod';
import type { PathParameter } from './operation.ts';
import type { OperationId, operations } from './operations.ts';

type Row<Id extends OperationId> = (typeof operations)[Id];
type Empty = Record<never, never>;

export type ParametersOf<Id extends OperationId> = {
  readonly [Name in PathParameter<Row<Id>['path']>]: string;
};

export type QueryOf<Id extends OperationId> =
  Row<Id> extends { query: infer Query extends z.ZodType } ? z.output<Query> : Empty;

export type QueryInputOf<Id extends OperationId> =
  Row<Id> extends { query: infer Query extends z.ZodType } ? z.input<Query> : Empty;

export type BodyOf<Id extends OperationId> =
  Row<Id> extends { body: infer Body extends z.ZodType } ? z.output<Body> : undefined;

export type BodyInputOf<Id extends OperationId> =
  Row<Id> extends { body: infer Body extends z.ZodType } ? z.input<Body> : undefined;

export type OutputOf<Id extends OperationId> =
  Row<Id> extends { output: infer Output extends z.ZodType } ? z.output<Output> : never;

export type IsIdempotent<Id extends OperationId> =
  Row<Id> extends { idempotent: true } ? true : false;

/** Whether the operation takes `limit` and a cursor. */
export type TakesPage<Id extends OperationId> = Row<Id> extends { page: object } ? true : false;

/**
 * Whether the response itself is a page of a list. False if the page is only a part of the
 * response.
 */
export type IsPaged<Id extends OperationId> =
  Row<Id> extends { page: { inside: true } }
    ? false
    : Row<Id> extends { page: object }
      ? true
      : false;
