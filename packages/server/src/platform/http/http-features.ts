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
  readonly parts: Parts;
  handleVisit(
    exchange: RequestExchange,
    options: HttpOptions,
    row: Operation,
  ): Promise<Answer | undefined>;
  addRoutes(routes: Routes, options: HttpOptions): void;
}
