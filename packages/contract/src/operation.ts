/**
 * What a row is. One row describes one operation completely; the HTTP API, the API document, the
 * client and the tests that hold for every operation are derived from the rows.
 */
import type {
  OperationEffect,
  OrganizationFeature,
  ProjectTier,
  RefusalCode,
} from '@proofmark/domain';
import type * as z from 'zod';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** `api` is the public API; `console` is for signed-in people alone, never for keys; `visit` for who opens a share link. */
export type Surface = 'api' | 'console' | 'visit';

export const basePaths: Readonly<Record<Surface, string>> = {
  api: '/api/v1',
  console: '/console/v1',
  visit: '/visit/v1',
};

/** Of rows that are `idempotent`. */
export const idempotencyKeyHeader = 'Idempotency-Key';

/** Of a page that is about to open a share link, with the token of the link. */
export const linkHeader = 'x-share-link';

/**
 * Who may: a `tier` of the project in the path, any signed-in `account`, `anonymous` (only the
 * operations by which a person signs in), or a `visitor`, known by a cookie or by being signed in.
 */
export type Access = ProjectTier | 'account' | 'anonymous' | 'visitor';

export interface Operation {
  readonly operationId: string;
  readonly surface: Surface;
  readonly method: Method;
  /** Relative to the base path of the surface, parameters in braces. */
  readonly path: string;
  readonly tag: string;
  readonly summary: string;
  readonly description: string;
  readonly access: Access;
  readonly query?: z.ZodObject;
  readonly body?: z.ZodType;
  /** A paged list takes `limit` and a cursor, and answers `{ items, nextCursor? }`. */
  readonly page?: {
    readonly defaultLimit: number;
    readonly cursorParameter: 'cursor' | 'before';
    /** The list that is walked, where several operations walk the same one; cursors fit all of them. */
    readonly list?: string;
    /** The page is a part of the answer, and the action puts the cursor where it belongs. */
    readonly inside?: true;
    /** What limit counts, where that is not rows. */
    readonly counts?: string;
  };
  /**
   * Takes results from tools outside: a larger body, any text a tool may print, more time, and the
   * literal `default` in place of a project id for the Default project of the caller's organization.
   */
  readonly ingestion?: true;
  /**
   * An older address of the row, outside the base path, which clients that are published still use. It has no project:
   * it takes results for the Default project of the caller's organization.
   */
  readonly olderAddress?: string;
  /** An older way to the same thing; one segment of the path is spelled anew. */
  readonly deprecated?: { readonly older: string; readonly instead: string };
  /**
   * What a call brings about, where the method does not tell: a GET reads, what takes results from tools counts as
   * running, and everything else writes. A key whose scope does not reach that far is refused.
   */
  readonly effect?: OperationEffect;
  /** A write of a family that is switched on for organizations; refused before its input is looked at while it is off. */
  readonly feature?: OrganizationFeature;
  /** Speaks to an MCP server or a model provider, and has the time that takes. */
  readonly outbound?: true;
  /** Can send what is known already, in lines or as events, to who accepts `application/x-ndjson` or `text/event-stream`. */
  readonly streams?: true;
  /** To who watches, it answers for as long as there is something to tell, within its bounds. */
  readonly follows?: true;
  /** Takes an Idempotency-Key: with the same key, what was made once is answered again. */
  readonly idempotent?: true;
  /** May be large work, as much as its input or what is stored asks for, and has the time that takes. */
  readonly slow?: true;
  /** Where a body is larger than those of other rows by its nature. */
  readonly largestBodyBytes?: number;
  /** Headers of the answer, by name, with what each says. */
  readonly answerHeaders?: Readonly<Record<string, string>>;
  /** The answer is the bytes of a PNG and no JSON. */
  readonly answersPng?: true;
  readonly status: 200 | 201 | 202;
  /** Of an answer whose `created` is false: what was asked for was there already. */
  readonly statusIfThere?: 200;
  readonly output: z.ZodType;
  /** Codes beside those every operation of its kind can answer. */
  readonly refusals?: readonly RefusalCode[];
}

export function effectOf(row: Pick<Operation, 'effect' | 'ingestion' | 'method'>): OperationEffect {
  if (row.effect !== undefined) return row.effect;
  if (row.ingestion) return 'runs';
  return row.method === 'GET' ? 'reads' : 'writes';
}

/** The largest body the row takes. */
export function bodyLimitBytes(row: Pick<Operation, 'ingestion' | 'largestBodyBytes'>): number {
  return row.largestBodyBytes ?? (row.ingestion ? 5 * 1024 * 1024 : 1_000_000);
}

/** Where a body of `{}` says all there is to say, none says the same. */
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

/** The names between braces of a path, as a type: `'/a/{b}/c/{d}'` gives `'b' | 'd'`. */
export type PathParameter<Path extends string> =
  Path extends `${string}{${infer Name}}${infer Rest}` ? Name | PathParameter<Rest> : never;

export function pathParameters(path: string): readonly string[] {
  const known = parametersOfPaths.get(path);
  if (known !== undefined) return known;
  const names = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] as string);
  parametersOfPaths.set(path, names);
  return names;
}

/** There are as many paths as rows, and they are asked for with every request. */
const parametersOfPaths = new Map<string, readonly string[]>();

/** Every code the row can answer with, in the order of the error table. */
export function refusalsOf(row: Operation): RefusalCode[] {
  // A parameter that nobody knows is refused everywhere, also where there is none to know.
  const codes = new Set<RefusalCode>(['VALIDATION_ERROR', 'RATE_LIMITED', 'INTERNAL_ERROR']);
  if (row.access !== 'anonymous') codes.add('UNAUTHORIZED').add('FORBIDDEN');
  if (pathParameters(row.path).length > 0) codes.add('NOT_FOUND');
  if (row.idempotent) codes.add('CONFLICT');
  for (const code of row.refusals ?? []) codes.add(code);
  return [...codes];
}
