/**
 * One definition describes an operation completely. The HTTP API, the API document, the client and
 * the tests for all operations are derived from it.
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
 * `api`: the public API. `console`: only for signed-in users, never for API keys. `visit`: for
 * visitors of a share link.
 */
export type Surface = 'api' | 'console' | 'visit';

export const basePaths: Readonly<Record<Surface, string>> = {
  api: '/api/v1',
  console: '/console/v1',
  visit: '/visit/v1',
};

export const idempotencyKeyHeader = 'Idempotency-Key';

/**
 * The header with the token of a share link. The page behind the link sends it before the visitor
 * is admitted.
 */
export const linkHeader = 'x-share-link';

/**
 * The right that an operation requires: a tier in the project in the path, any signed-in account,
 * nothing (`anonymous`, only for signing in), or a visitor with a cookie or a sign-in.
 */
export type Access = ProjectTier | 'account' | 'anonymous' | 'visitor';

export interface Operation {
  readonly operationId: string;
  readonly surface: Surface;
  readonly method: Method;
  /** The path after the base path of `surface`, with parameters in braces. */
  readonly path: string;
  readonly tag: string;
  readonly summary: string;
  readonly description: string;
  readonly access: Access;
  readonly query?: z.ZodObject;
  readonly body?: z.ZodType;
  /** For a list: the operation takes `limit` and a cursor, and returns `{ items, nextCursor? }`. */
  readonly page?: {
    readonly defaultLimit: number;
    readonly cursorParameter: 'cursor' | 'before';
    /**
     * A name shared by operations that page through the same list. A cursor from one of them is
     * valid for all.
     */
    readonly list?: string;
    /**
     * Whether the page is only a part of the response. The operation's action must then add the
     * cursor to the response.
     */
    readonly inside?: true;
    /** The description of `limit` (default: "Rows per page."). */
    readonly counts?: string;
  };
  /**
   * Whether the operation takes results of external tools. It then accepts larger bodies, any text
   * that a tool may print, and more time. As project id it also accepts `default`, the Default
   * project of the caller's organization.
   */
  readonly ingestion?: true;
  /**
   * An older address outside the base path, which published clients still use. The address contains
   * no project, so results go to the Default project of the caller's organization.
   */
  readonly olderAddress?: string;
  /** An older path of the same operation, in which `older` replaces the segment `instead`. */
  readonly deprecated?: { readonly older: string; readonly instead: string };
  /**
   * The effect of a call (default: a GET reads, `ingestion` runs, everything else writes). An API
   * key is rejected if its scope does not include the effect.
   */
  readonly effect?: OperationEffect;
  /**
   * The organization feature that a write needs. While the feature is off, the write is rejected
   * before its input is read.
   */
  readonly feature?: OrganizationFeature;
  /**
   * Whether the operation calls an MCP server or a model provider, and therefore gets more time.
   */
  readonly outbound?: true;
  /**
   * Whether the operation can stream its progress. The caller requests it by accepting
   * `application/x-ndjson` or `text/event-stream`.
   */
  readonly streams?: true;
  /**
   * Whether the stream of progress continues until the work ends. The duration and the number of
   * such streams are limited.
   */
  readonly follows?: true;
  /**
   * Whether the operation takes an Idempotency-Key. A second request with the same key returns the
   * stored response of the first.
   */
  readonly idempotent?: true;
  /**
   * Whether the input or the stored data can make the operation slow, so that it gets more time.
   */
  readonly slow?: true;
  readonly largestBodyBytes?: number;
  readonly answerHeaders?: Readonly<Record<string, string>>;
  readonly answersPng?: true;
  readonly status: 200 | 201 | 202;
  /** The HTTP status if the resource existed already and the response contains `created: false`. */
  readonly statusIfThere?: 200;
  readonly output: z.ZodType;
  /** Error codes that the other fields do not imply. */
  readonly refusals?: readonly RefusalCode[];
}

export function effectOf(row: Pick<Operation, 'effect' | 'ingestion' | 'method'>): OperationEffect {
  if (row.effect !== undefined) return row.effect;
  if (row.ingestion) return 'runs';
  return row.method === 'GET' ? 'reads' : 'writes';
}

export function bodyLimitBytes(row: Pick<Operation, 'ingestion' | 'largestBodyBytes'>): number {
  return row.largestBodyBytes ?? (row.ingestion ? 5 * 1024 * 1024 : 1_000_000);
}

/** The body may be omitted if `{}` is a valid body. */
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

/** Parameters of a path as a type: `'/a/{b}/c/{d}'` gives `'b' | 'd'`. */
export type PathParameter<Path extends string> =
  Path extends `${string}{${infer Name}}${infer Rest}` ? Name | PathParameter<Rest> : never;

export function pathParameters(path: string): readonly string[] {
  const known = parametersOfPaths.get(path);
  if (known !== undefined) return known;
  const names = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] as string);
  parametersOfPaths.set(path, names);
  return names;
}

/**
 * A cache, because every request needs its path's parameters. It is bounded by the number of
 * operations.
 */
const parametersOfPaths = new Map<string, readonly string[]>();

/** Returns the codes in the order of the error table. */
export function refusalsOf(row: Operation): RefusalCode[] {
  // Every operation can return VALIDATION_ERROR. Even those without parameters reject unknown
  // parameters.
  const codes = new Set<RefusalCode>(['VALIDATION_ERROR', 'RATE_LIMITED', 'INTERNAL_ERROR']);
  if (row.access !== 'anonymous') codes.add('UNAUTHORIZED').add('FORBIDDEN');
  if (pathParameters(row.path).length > 0) codes.add('NOT_FOUND');
  if (row.idempotent) codes.add('CONFLICT');
  for (const code of row.refusals ?? []) codes.add(code);
  return [...codes];
}
