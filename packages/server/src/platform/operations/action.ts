/**
 * What an action is: it reads, decides, writes and presents one operation. The HTTP API has already
 * found the caller, taken from their bucket, checked their tier in the project and parsed the input.
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

/** What every operation is given. What it needs beyond that, its feature names as `Parts`. */
export interface ActionContext {
  readonly database: Database;
  readonly caller: Caller;
  readonly surface: 'api' | 'console';
  readonly limits: {
    readonly requestsPerMinute: number | null;
    readonly requestBurst: number | null;
  };
  /** Where this caller reaches the service. */
  readonly baseUrl: string;
  readonly answerCache: AnswerCache;
  /** Aborted when the caller has gone away, or was told that it took too long. */
  readonly signal: AbortSignal;
  /** Whether the caller wants to hear what is known already. */
  readonly isWatched: boolean;
  /** Whether who follows something may be kept. Not while this process stops or lets go of its data: they come again. */
  mayFollow(): boolean;
  /** Sends what is known already to a caller who wants to watch; does nothing for others. */
  progress(event: object): void;
  newId(kind: IdKind): string;
  /** A transaction that sees the caller's organizations and no others. */
  tenant<Result>(work: (sql: Sql) => Promise<Result>): Promise<Result>;
}

export interface ProjectContext extends ActionContext {
  readonly project: ProjectEntry & { readonly tier: ProjectTier };
  /** Of the run the path names, found together with the caller; absent when it is not in the project. */
  readonly runRevision: number | undefined;
  /** Of the data that the caller was found in. Revisions repeat when older data is restored; this never does. */
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
  /** As the caller sent it, where the operation takes one. */
  readonly idempotencyKey?: string;
  /** The cursor that leads on from a position of the list this request walks. */
  cursorFor(position: PagePosition): string;
}

type ItemOf<Output> = Output extends { items: readonly (infer Item)[] } ? Item : never;

export type ActionResult<Id extends ActionOperationId> =
  IsPaged<Id> extends true ? Page<ItemOf<OutputOf<Id>>> : OutputOf<Id> | PreparedJson | PngAnswer;

export type Action<Id extends ActionOperationId, Parts = unknown> = (
  context: ContextOf<Id> & Parts,
  input: ActionInput<Id>,
) => Promise<ActionResult<Id>>;

/** The operations of a feature. */
export type Operations<Parts> = { readonly [Id in ActionOperationId]?: Action<Id, Parts> };

export function refuse(refusal: Refusal): never {
  throw new Refused(refusal);
}

export function refuseIf(refusal: Refusal | undefined): void {
  if (refusal !== undefined) refuse(refusal);
}

/** Presents every item of a page and keeps where the next one starts. */
export function presentPage<Item, Shown>(
  page: Page<Item>,
  present: (item: Item) => Shown,
): Page<Shown> {
  return { ...page, items: page.items.map(present) };
}
