/** Brings path, query, page and body of a request into the shape its row promises the action. */
import { type Operation, pathParameters } from '@proofmark/contract';
import { invalid, notFound, type PageRequest, pageLimit, Refused } from '@proofmark/domain';
import type { Context } from 'hono';
import type * as z from 'zod';
import type { Caller } from '../storage/callers.ts';
import { decodeCursor } from './cursor.ts';
import type { DoorEnvironment, DoorOptions } from './door.ts';
import { textProblem } from './json-problem.ts';
import { readJsonBody } from './read-body.ts';

export interface ParsedInput {
  readonly params: Readonly<Record<string, string>>;
  readonly query: unknown;
  readonly body: unknown;
  readonly page: PageRequest;
  /** What a cursor of this request is bound to. */
  readonly cursorScope: string;
}

export const bodyLimitBytes = 1_000_000;

export async function parseInput(
  context: Context<DoorEnvironment>,
  options: DoorOptions,
  row: Operation,
  caller: Caller | undefined,
): Promise<ParsedInput> {
  const params = readParameters(context, row);
  const { limit, cursor, ...rest } = readQuery(context, row);
  const query = row.query === undefined ? refuseUnknown(rest) : check(row.query, rest, 'query');
  const reader = [caller?.account.id, ...(caller?.organizationIds ?? [])].join(',');
  const cursorScope = JSON.stringify([reader, row.operationId, params, query]);
  const body =
    row.body === undefined ? undefined : await readJsonBody(context.env.incoming, bodyLimitBytes);
  return {
    params,
    query,
    cursorScope,
    page:
      row.page === undefined
        ? { limit: 0 }
        : readPage(options, row.page.defaultLimit, cursorScope, limit, cursor),
    body: row.body === undefined ? undefined : check(row.body, body, 'body'),
  };
}

function readParameters(context: Context<DoorEnvironment>, row: Operation): Record<string, string> {
  const params: Record<string, string> = {};
  for (const name of pathParameters(row.path)) {
    const value = context.req.param(name) ?? '';
    // No id of ours looks like this, so there is nothing to look for.
    if (value.length > 128 || textProblem(value) !== undefined) throw new Refused(notFound);
    params[name] = value;
  }
  return params;
}

function readQuery(context: Context<DoorEnvironment>, row: Operation) {
  const query: Record<string, string> = {};
  for (const [name, value] of new URL(context.req.url).searchParams) {
    if (Object.hasOwn(query, name)) refuse(`query.${name}`, 'This parameter is given twice.');
    if (textProblem(value) !== undefined)
      refuse(`query.${name}`, 'This parameter holds characters that are not allowed.');
    query[name] = value;
  }
  if (row.page === undefined)
    return query as Record<string, string> & { limit?: string; cursor?: string };
  const { limit, [row.page.cursorParameter]: cursor, ...rest } = query;
  return {
    ...rest,
    ...(limit !== undefined && { limit }),
    ...(cursor !== undefined && { cursor }),
  };
}

function readPage(
  { database }: DoorOptions,
  defaultLimit: number,
  scope: string,
  limitText: string | undefined,
  cursor: string | undefined,
): PageRequest {
  const limit = pageLimit(limitText, defaultLimit);
  if ('problem' in limit) return refuse('query.limit', limit.problem);
  if (cursor === undefined) return limit;
  const after = decodeCursor(database.vault, scope, cursor);
  if (after === undefined) return refuse('query.cursor', 'The cursor is not one of this list.');
  return { ...limit, after };
}

function refuseUnknown(query: Record<string, unknown>): Record<string, never> {
  const [name] = Object.keys(query);
  return name === undefined ? {} : refuse(`query.${name}`, 'There is no such parameter.');
}

/** The first problem names the path; all of them are in `issues`. */
function check(schema: z.ZodType, value: unknown, part: 'query' | 'body'): unknown {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const issues = parsed.error.issues.map((issue) => ({
    path: pathOf(part, issue),
    message: issue.message,
  }));
  const [first] = issues as [(typeof issues)[number]];
  throw new Refused(invalid(first.path, `${first.path}: ${first.message}`, { issues }));
}

function pathOf(part: string, issue: z.core.$ZodIssue): string {
  const unknown = issue.code === 'unrecognized_keys' ? issue.keys.slice(0, 1) : [];
  return [...issue.path, ...unknown].reduce<string>(
    (path, step) => (typeof step === 'number' ? `${path}[${step}]` : `${path}.${String(step)}`),
    part,
  );
}

function refuse(path: string, message: string): never {
  throw new Refused(invalid(path, message));
}
