/** What the features supply to the HTTP API, which itself knows no feature. */
import type { ActionOperationId, Operation } from '@proofmark/contract';
import type { Action } from '../operations/action.ts';
import type { HttpOptions } from './http-options.ts';
import type { Answer, RequestExchange } from './request-exchange.ts';
import type { Routes } from './routes.ts';

export interface HttpFeatures<Parts extends object = object> {
  /**
   * The action of each operation, by operationId. An operation without an action is a compile
   * error.
   */
  readonly operations: { readonly [Id in ActionOperationId]: Action<Id, Parts> };
  /** What the operations of features need in addition to the HTTP API's own services. */
  readonly parts: Parts;
  /** Handles the operations of visitors, which accept neither keys nor sessions. */
  handleVisit(
    exchange: RequestExchange,
    options: HttpOptions,
    row: Operation,
  ): Promise<Answer | undefined>;
  /** Adds paths that belong to no operation. */
  addRoutes(routes: Routes, options: HttpOptions): void;
}
