import {
  bodyLimitBytes,
  bodyMayBeLeftOut,
  IdempotencyKey,
  idempotencyKeyHeader,
  type Operation,
  pathParameters,
} from '@proofmark/contract';
import {
  invalid,
  notFound,
  type PagePosition,
  type PageRequest,
  pageLimit,
  Refused,
} from '@proofmark/domain';
import type * as z from 'zod';
import type { Database } from '../database/database.ts';
import type { AuthenticatedCaller } from './authenticated-caller.ts';
import { checkShape } from './check-shape.ts';
import type { HttpOptions } from './http-options.ts';
import { textProblem } from './json-problem.ts';
import { readJsonBody } from './read-json-body.ts';
import type { RequestExchange } from './request-exchange.ts';

export interface ParsedInput {
  readonly params: Readonly<Record<string, string>>;
  readonly query: unknown;
  readonly body: unknown;
  readonly page: PageRequest;
  readonly idempotencyKey?: string;
  /** Returns a cursor for the entries that follow this position in the list of this request. */
  cursorFor(position: PagePosition): string;
}

export async function parseInput(
  exchange: RequestExchange,
  options: HttpOptions,
  row: Operation,
  authenticated: Pick<AuthenticatedCaller, 'caller' | 'epoch'> | undefined,
  params: Readonly<Record<string, string>>,
): Promise<ParsedInput> {
  const given = readQuery(exchange);
  const paging = takePaging(given, row.page);
  const query =
    row.query === undefined
      ? refuseAny(given)
      : checkShape(row.query, Object.fromEntries(given), 'query');
  const idempotencyKey = readIdempotencyKey(exchange, row);
  const reader = [
    authenticated?.epoch,
    authenticated?.caller.account.id,
    ...(authenticated?.caller.organizationIds ?? []),
  ].join(',');
  const list = row.page?.list ?? row.operationId;
  const cursorScope = () => JSON.stringify([reader, list, params, query]);
  return {
    params,
    query,
    ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
    cursorFor: (position) => encodeCursor(options.database.vault, cursorScope(), position),
    page: row.page === undefined ? { limit: 0 } : readPage(options, row.page, cursorScope, paging),
    body:
      row.body === undefined ? undefined : checkBody(row, row.body, await readBody(exchange, row)),
  };
}

/**
 * The path of an invalid idempotency key in the error. The key is rejected rather than ignored,
 * since the client relies on it.
 */
const keyPath = `header.${idempotencyKeyHeader}`;

function readIdempotencyKey(exchange: RequestExchange, row: Operation): string | undefined {
  if (!row.idempotent) return undefined;
  const name = idempotencyKeyHeader.toLowerCase();
  const given = exchange.header(name) ?? exchange.header(prefixedHeader(exchange, name) ?? name);
  return given === undefined ? undefined : (checkShape(IdempotencyKey, given, keyPath) as string);
}

/**
 * Some published clients send `X-Something-Idempotency-Key`, so a prefix before the name is
 * accepted.
 */
function prefixedHeader({ incoming }: RequestExchange, name: string): string | undefined {
  return Object.keys(incoming.headers).find(
    (one) => /^x-\w+-/.test(one) && one.endsWith(`-${name}`),
  );
}

/**
 * Checks the body. An ingestion operation gets the value as sent and not as parsed: a report is
 * large and must not be changed.
 */
function checkBody(row: Operation, schema: z.ZodType, value: unknown): unknown {
  const checked = checkShape(schema, value, 'body');
  return row.ingestion ? value : checked;
}

function readBody(exchange: RequestExchange, row: Operation): Promise<unknown> {
  if (isBodyless(exchange.incoming) && bodyMayBeLeftOut(row)) return Promise.resolve({});
  const anyText = row.ingestion ?? false;
  return readJsonBody(exchange.incoming, bodyLimitBytes(row), { anyText });
}

export function readParameters(exchange: RequestExchange, row: Operation): Record<string, string> {
  const params: Record<string, string> = {};
  for (const name of pathParameters(row.path)) {
    const value = exchange.parameters[name] ?? '';
    if (!isIdLike(value)) throw new Refused(notFound);
    params[name] = value;
  }
  return params;
}

/**
 * Returns whether text may be an id, a name or an e-mail address. Any other text is rejected
 * without a lookup.
 */
export function isIdLike(text: string): boolean {
  return text.length <= 320 && textProblem(text) === undefined;
}

function isBodyless({ headers }: RequestExchange['incoming']): boolean {
  return headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) === 0;
}

function readQuery(exchange: RequestExchange): Map<string, string> {
  const query = new Map<string, string>();
  if (exchange.query === '') return query;
  for (const [name, value] of new URLSearchParams(exchange.query)) {
    if (query.has(name))
      refuse(
        name,
        `The parameter ${JSON.stringify(name.slice(0, 100))} is given twice; give it once.`,
      );
    if (textProblem(value) !== undefined)
      refuse(
        name,
        `The value of the parameter ${JSON.stringify(name.slice(0, 100))} contains characters that are not allowed.`,
      );
    query.set(name, value);
  }
  return query;
}

type Paging = { readonly limit: string | undefined; readonly cursor: string | undefined };

/**
 * Removes the paging parameters from the query of a paged operation. Other operations reject them
 * as unknown.
 */
function takePaging(query: Map<string, string>, page: Operation['page']): Paging {
  if (page === undefined) return { limit: undefined, cursor: undefined };
  const paging = { limit: query.get('limit'), cursor: query.get(page.cursorParameter) };
  query.delete('limit');
  query.delete(page.cursorParameter);
  return paging;
}

function readPage(
  { database }: HttpOptions,
  page: NonNullable<Operation['page']>,
  scope: () => string,
  paging: Paging,
): PageRequest {
  const limit = pageLimit(paging.limit, page.defaultLimit);
  if ('problem' in limit) return refuse('limit', limit.problem);
  if (paging.cursor === undefined) return limit;
  const after = decodeCursor(database.vault, scope(), paging.cursor);
  if (after === undefined)
    return refuse(
      page.cursorParameter,
      'The cursor does not belong to this list; start without a cursor.',
    );
  return { limit: limit.limit, after };
}

function refuseAny(query: ReadonlyMap<string, string>): Record<string, never> {
  const [name] = query.keys();
  return name === undefined
    ? {}
    : refuse(
        name,
        `This operation has no parameter ${JSON.stringify(name.slice(0, 100))}; see /reference.`,
      );
}

function refuse(name: string, message: string): never {
  throw new Refused(invalid(`query.${name.slice(0, 100)}`, message));
}

/**
 * Signs cursors. A cursor is a position in a list, signed together with the caller, the operation,
 * its parameters, and the epoch (an id that every restore changes). A changed cursor, or one from
 * another context, is rejected.
 */
type Signer = Pick<Database['vault'], 'sign' | 'verify'>;

function encodeCursor(signer: Signer, scope: string, position: PagePosition): string {
  const text = Buffer.from(JSON.stringify([position.order, position.id])).toString('base64url');
  return `${text}.${signer.sign('cursor', `${scope}\0${text}`)}`;
}

/**
 * Returns the position in a cursor. The signature covers the text as sent, so another encoding of
 * the same bytes is rejected.
 */
function decodeCursor(signer: Signer, scope: string, cursor: string): PagePosition | undefined {
  const [text, signature, ...rest] = cursor.split('.');
  if (text === undefined || signature === undefined || rest.length > 0) return undefined;
  if (!signer.verify('cursor', `${scope}\0${text}`, signature)) return undefined;
  const [order, id] = JSON.parse(Buffer.from(text, 'base64url').toString()) as [number, string];
  return { order, id };
}
