/**
 * An action executes one operation: it reads, decides, writes, and builds the result. Before it
 * runs, the HTTP API has found the caller, taken a rate limit token, checked the caller's tier in
 * the project and parsed the input.
 */
import type {
  ActionOperationId,
  actionOperations,
  BodyOf,
  IsPaged,
  OutputOf,
  ParametersOf,
  QueryOf,
} from '@proofmark/contract';
import {
  type IdKind,
  type Page,
  type PagePosition,
  type PageRequest,
  type ProjectTier,
  type Refusal,
  Refused,
} from '@proofmark/domain';
import type { Caller } from '../accounts/store/callers.ts';
import type { ProjectEntry } from '../accounts/store/projects.ts';
import type { Database, Sql } from '../database/database.ts';
import type { AnswerCache, PreparedJson } from './answer-cache.ts';
import type { PngAnswer } from './png-answer.ts';

export interface ActionContext {
  readonly database: Database;
  readonly caller: Caller;
  readonly surface: 'api' | 'console';
  readonly limits: {
    readonly requestsPerMinute: number | null;
    readonly requestBurst: number | null;
  };
  readonly baseUrl: string;
  readonly answerCache: AnswerCache;
  readonly signal: AbortSignal;
  readonly isWatched: boolean;
  /**
   * Returns whether callers who follow a run may stay connected. It returns false while this
   * process stops or makes way for a restore; callers must then reconnect.
   */
  mayFollow(): boolean;
  progress(event: object): void;
  newId(kind: IdKind): string;
  /** Runs a transaction that sees only the caller's organizations. */
  tenant<Result>(work: (sql: Sql) => Promise<Result>): Promise<Result>;
}

export interface ProjectContext extends ActionContext {
  readonly project: ProjectEntry & { readonly tier: ProjectTier };
  /**
   * The revision of the run that the path names, read together with the caller. It is undefined if
   * that run is not in the project.
   */
  readonly runRevision: number | undefined;
  /**
   * The epoch at the time of authentication: an id that every restore changes. After a restore of
   * older data, revisions repeat, but epochs never do.
   */
  readonly epoch: string;
}

type AccessOf<Id extends ActionOperationId> = (typeof actionOperations)[Id]['access'];

export type ContextOf<Id extends ActionOperationId> =
  AccessOf<Id> extends ProjectTier ? ProjectContext : ActionContext;

export interface ActionInput<Id extends ActionOperationId> {
  readonly params: ParametersOf<Id>;
  readonly query: QueryOf<Id>;
  readonly body: BodyOf<Id>;
  readonly page: PageRequest;
  readonly idempotencyKey?: string;
  cursorFor(position: PagePosition): string;
}

type ItemOf<Output> = Output extends { items: readonly (infer Item)[] } ? Item : never;

export type ActionResult<Id extends ActionOperationId> =
  IsPaged<Id> extends true ? Page<ItemOf<OutputOf<Id>>> : OutputOf<Id> | PreparedJson | PngAnswer;

export type Action<Id extends ActionOperationId, Parts = unknown> = (
  context: ContextOf<Id> & Parts,
  input: ActionInput<Id>,
) => Promise<ActionResult<Id>>;

export type Operations<Parts> = { readonly [Id in ActionOperationId]?: Action<Id, Parts> };

export function refuse(refusal: Refusal): never {
  throw new Refused(refusal);
}

export function refuseIf(refusal: Refusal | undefined): void {
  if (refusal !== undefined) refuse(refusal);
}

export function presentPage<Item, Shown>(
  page: Page<Item>,
  present: (item: Item) => Shown,
): Page<Shown> {
  return { ...page, items: page.items.map(present) };
}
