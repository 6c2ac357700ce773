/**
 * An action reads, decides, writes and presents one operation. The HTTP API has already found the
 * caller, taken a token, checked the tier in the project and parsed the input.
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

/** The context of every operation. Further parts that a feature needs are its type `Parts`. */
export interface ActionContext {
  readonly database: Database;
  readonly caller: Caller;
  readonly surface: 'api' | 'console';
  readonly limits: {
    readonly requestsPerMinute: number | null;
    readonly requestBurst: number | null;
  };
  /** The service's address for this caller. */
  readonly baseUrl: string;
  readonly answerCache: AnswerCache;
  /** Aborted when the caller has disconnected, or when its deadline has passed. */
  readonly signal: AbortSignal;
  /** True if the caller accepts intermediate results. */
  readonly isWatched: boolean;
  /**
   * Returns whether followers may stay connected. False while this process stops or releases its
   * data: followers then reconnect.
   */
  mayFollow(): boolean;
  /** Sends an intermediate result to a caller that accepts them; does nothing for others. */
  progress(event: object): void;
  newId(kind: IdKind): string;
  /** Runs a transaction that sees the caller's organizations and no others. */
  tenant<Result>(work: (sql: Sql) => Promise<Result>): Promise<Result>;
}

export interface ProjectContext extends ActionContext {
  readonly project: ProjectEntry & { readonly tier: ProjectTier };
  /**
   * The revision of the run in the path, found together with the caller; undefined if it is not in
   * the project.
   */
  readonly runRevision: number | undefined;
  /**
   * The epoch of the data in which the caller was found. Revisions repeat after a restore of older
   * data; epochs never do.
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
  /** The caller's key, if the operation takes one. */
  readonly idempotencyKey?: string;
  /** Returns the cursor after a position of the list that this request reads. */
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

/** Presents every item of a page and keeps the start of the next one. */
export function presentPage<Item, Shown>(
  page: Page<Item>,
  present: (item: Item) => Shown,
): Page<Shown> {
  return { ...page, items: page.items.map(present) };
}
