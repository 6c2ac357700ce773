/**
 * The definition of a row. One row describes one operation completely; the HTTP API, the API
 * document, the client and the tests for all operations are derived from the rows.
 */
import type {
  OperationEffect,
  OrganizationFeature,
  ProjectTier,
  RefusalCode,
} from '@proofmark/domain';
import type * as z from 'zod';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/**
 * `api`: the public API. `console`: only for people who are signed in, never for keys. `visit`: for
 * visitors of a share link.
 */
export type Surface = 'api' | 'console' | 'visit';

export const basePaths: Readonly<Record<Surface, string>> = {
  api: '/api/v1',
  console: '/console/v1',
  visit: '/visit/v1',
};

/** The header of `idempotent` rows. */
export const idempotencyKeyHeader = 'Idempotency-Key';

/** The header with a link's token, sent by a page that is about to open the link. */
export const linkHeader = 'x-share-link';

/**
 * The required right: a `tier` of the project in the path, any signed-in `account`, `anonymous`
 * (only the operations of signing in), or a `visitor`, identified by a cookie or a sign-in.
 */
export type Access = ProjectTier | 'account' | 'anonymous' | 'visitor';

export interface Operation {
  readonly operationId: string;
  readonly surface: Surface;
  readonly method: Method;
  /** The path after the base path of the surface, with parameters in braces. */
  readonly path: string;
  readonly tag: string;
  readonly summary: string;
  readonly description: string;
  readonly access: Access;
  readonly query?: z.ZodObject;
  readonly body?: z.ZodType;
  /** A paged list takes `limit` and a cursor, and returns `{ items, nextCursor? }`. */
  readonly page?: {
    readonly defaultLimit: number;
    readonly cursorParameter: 'cursor' | 'before';
    /**
     * The name of the list if several operations page through the same one; a cursor fits all of
     * them.
     */
    readonly list?: string;
    /** Whether the page is a part of the answer, in which the action itself places the cursor. */
    readonly inside?: true;
    /** The unit of limit, if it is not rows. */
    readonly counts?: string;
  };
  /**
   * Whether the row takes results of external tools: a larger body, any text that a tool may print,
   * more time, and the literal `default` instead of a project id for the Default project of the
   * caller's organization.
   */
  readonly ingestion?: true;
  /**
   * An older address of the row, outside the base path, which published clients still use. It has
   * no project, so results go to the Default project of the caller's organization.
   */
  readonly olderAddress?: string;
  /** An older path of the same operation, with one segment replaced. */
  readonly deprecated?: { readonly older: string; readonly instead: string };
  /**
   * The effect of a call if the method does not show it: a GET reads, taking results of external
   * tools counts as running, and everything else writes. A key whose scope does not include the
   * effect is rejected.
   */
  readonly effect?: OperationEffect;
  /**
   * The feature of a write that organizations switch on. While it is off, the write is rejected
   * before its input is read.
   */
  readonly feature?: OrganizationFeature;
  /** Whether the operation calls an MCP server or a model provider, and gets more time for it. */
  readonly outbound?: true;
  /**
   * Whether the operation can send its progress, as lines or events, to callers that accept
   * `application/x-ndjson` or `text/event-stream`.
   */
  readonly streams?: true;
  /** Whether a watcher gets progress for as long as there is any, within limits. */
  readonly follows?: true;
  /**
   * Whether the operation takes an Idempotency-Key: a repeated key gets the stored answer of the
   * first request.
   */
  readonly idempotent?: true;
  /**
   * Whether the operation may be large work, depending on its input or stored data, and gets more
   * time for it.
   */
  readonly slow?: true;
  /** The maximum body size, if the row needs larger bodies than others. */
  readonly largestBodyBytes?: number;
  /** The headers of the answer by name, with their descriptions. */
  readonly answerHeaders?: Readonly<Record<string, string>>;
  /** Whether the answer is a PNG instead of JSON. */
  readonly answersPng?: true;
  readonly status: 200 | 201 | 202;
  /** The status of an answer whose `created` is false, since the thing existed already. */
  readonly statusIfThere?: 200;
  readonly output: z.ZodType;
  /** Error codes beyond those of every operation of its kind. */
  readonly refusals?: readonly RefusalCode[];
}

export function effectOf(row: Pick<Operation, 'effect' | 'ingestion' | 'method'>): OperationEffect {
  if (row.effect !== undefined) return row.effect;
  if (row.ingestion) return 'runs';
  return row.method === 'GET' ? 'reads' : 'writes';
}

/** Returns the maximum body size of the row. */
export function bodyLimitBytes(row: Pick<Operation, 'ingestion' | 'largestBodyBytes'>): number {
  return row.largestBodyBytes ?? (row.ingestion ? 5 * 1024 * 1024 : 1_000_000);
}

/** Returns whether the body may be missing, which is so if `{}` is valid. */
export function bodyMayBeLeftOut(row: Operation): boolean {
  const known = rowsWithoutNeed.get(row);
  if (known !== undefined) return known;
  const may = row.body?.safeParse({}).success === true;
  rowsWithoutNeed.set(row, may);
  return may;
}

const rowsWithoutNeed = new WeakMap<Operation, boolean>();

export function defineOperation<const Row extends Operation>(row: Row): Row {
  return row;
}

/** The parameters of a path, as a type: `'/a/{b}/c/{d}'` gives `'b' | 'd'`. */
export type PathParameter<Path extends string> =
  Path extends `${string}{${infer Name}}${infer Rest}` ? Name | PathParameter<Rest> : never;

export function pathParameters(path: string): readonly string[] {
  const known = parametersOfPaths.get(path);
  if (known !== undefined) return known;
  const names = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] as string);
  parametersOfPaths.set(path, names);
  return names;
}

/** A cache: every request needs the parameters, and there are only as many paths as rows. */
const parametersOfPaths = new Map<string, readonly string[]>();

/** Returns every error code of the row, in the order of the error table. */
export function refusalsOf(row: Operation): RefusalCode[] {
  // Unknown parameters are rejected everywhere, even by operations without parameters.
  const codes = new Set<RefusalCode>(['VALIDATION_ERROR', 'RATE_LIMITED', 'INTERNAL_ERROR']);
  if (row.access !== 'anonymous') codes.add('UNAUTHORIZED').add('FORBIDDEN');
  if (pathParameters(row.path).length > 0) codes.add('NOT_FOUND');
  if (row.idempotent) codes.add('CONFLICT');
  for (const code of row.refusals ?? []) codes.add(code);
  return [...codes];
}
