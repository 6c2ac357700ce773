/** What the features of the service hand to the HTTP API, which knows none of them. */
import type { ActionOperationId, Operation } from '@proofmark/contract';
import type { Action } from '../operations/action.ts';
import type { HttpOptions } from './http-options.ts';
import type { Answer, RequestExchange } from './request-exchange.ts';
import type { Routes } from './routes.ts';

export interface HttpFeatures<Parts extends object = object> {
  /** By operationId: a row without an action does not compile. */
  readonly operations: { readonly [Id in ActionOperationId]: Action<Id, Parts> };
  /** What the operations need beside what the HTTP API gives them. */
  readonly parts: Parts;
  /** Answers the rows of visitors, which no key and no session opens. */
  handleVisit(
    exchange: RequestExchange,
    options: HttpOptions,
    row: Operation,
  ): Promise<Answer | undefined>;
  /** Adds addresses that no row names. */
  addRoutes(routes: Routes, options: HttpOptions): void;
}
