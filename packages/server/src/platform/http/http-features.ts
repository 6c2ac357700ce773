/** The parts that the features supply to the HTTP API, which knows no feature. */
import type { ActionOperationId, Operation } from '@proofmark/contract';
import type { Action } from '../operations/action.ts';
import type { HttpOptions } from './http-options.ts';
import type { Answer, RequestExchange } from './request-exchange.ts';
import type { Routes } from './routes.ts';

export interface HttpFeatures<Parts extends object = object> {
  /** By operationId: an operation without an action does not compile. */
  readonly operations: { readonly [Id in ActionOperationId]: Action<Id, Parts> };
  /** The parts that operations need beyond those of the HTTP API. */
  readonly parts: Parts;
  /** Answers the operations of visitors, which accept neither keys nor sessions. */
  handleVisit(
    exchange: RequestExchange,
    options: HttpOptions,
    row: Operation,
  ): Promise<Answer | undefined>;
  /** Adds paths that belong to no operation. */
  addRoutes(routes: Routes, options: HttpOptions): void;
}
