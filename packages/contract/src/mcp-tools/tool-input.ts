/**
 * The arguments of a tool: path parameters, query parameters and body fields in one flat object.
 * Only unknown and missing arguments are rejected here; the API validates the values.
 */
import * as z from 'zod';
import { Id } from '../fields.ts';
import { IdempotencyKey } from '../idempotency-key.ts';
import { type JsonSchema, jsonSchemaOf } from '../json-schema.ts';
import { bodyMayBeLeftOut, type Operation, pathParameters } from '../operation.ts';
import type { ToolTraits } from './tool-rows.ts';

/** Maximum number of items in a page for a model. The API returns longer pages to programs. */
export const mostToolRows = 50;

export const definitionsAt = '#/$defs/';

export interface ToolRequest {
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  readonly body?: Readonly<Record<string, unknown>>;
  readonly idempotencyKey?: string;
}

export function inputSchemaOf(row: Operation, { without = [] }: ToolTraits): JsonSchema {
  const inPath = Object.fromEntries(pathParameters(row.path).map((name) => [name, Id]));
  const shape: Record<string, z.ZodType> = {
    ...inPath,
    ...row.query?.shape,
    ...pageShape(row),
    ...bodyShape(row),
    ...(row.idempotent && { idempotencyKey: KeyArgument }),
  } as Record<string, z.ZodType>;
  for (const name of without) delete shape[name];
  const { schema, named } = jsonSchemaOf(z.strictObject(shape), definitionsAt);
  return { ...schema, ...(Object.keys(named).length > 0 && { $defs: named }) };
}

function bodyShape({ operationId, body }: Operation): z.ZodRawShape {
  if (body === undefined) return {};
  if (body instanceof z.ZodObject) return body.shape;
  throw new Error(
    `The body of ${operationId} is not an object, so the operation cannot be a tool.`,
  );
}

/** An unknown argument, or a missing argument that the path requires. */
export class ArgumentProblem extends Error {
  readonly argument: string;

  constructor(argument: string, message: string) {
    super(message);
    this.argument = argument;
  }
}

export function toolRequestOf(
  row: Operation,
  known: ReadonlySet<string>,
  given: Readonly<Record<string, unknown>>,
): ToolRequest {
  const inPath = new Set(pathParameters(row.path));
  const inQuery = new Set(Object.keys({ ...row.query?.shape, ...pageShape(row) }));
  const params: Record<string, string> = {};
  const query: Record<string, string> = {};
  const body: Record<string, unknown> = {};
  let idempotencyKey: string | undefined;
  rejectUnknown(known, given);
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined) continue;
    if (inPath.has(name)) params[name] = textOf(value);
    else if (inQuery.has(name)) query[name] = textOf(value);
    else if (row.idempotent && name === 'idempotencyKey') idempotencyKey = textOf(value);
    else body[name] = value;
  }
  rejectMissing(inPath, params);
  if (row.page !== undefined) query['limit'] = limitOf(query['limit'], row.page.defaultLimit);
  return {
    params,
    query,
    ...(hasBody(row, body) && { body }),
    ...(idempotencyKey !== undefined && { idempotencyKey }),
  };
}

function rejectMissing(
  inPath: ReadonlySet<string>,
  params: Readonly<Record<string, string>>,
): void {
  for (const name of inPath) {
    if (!params[name]) throw new ArgumentProblem(name, `The argument ${name} is missing.`);
  }
}

function rejectUnknown(known: ReadonlySet<string>, given: Readonly<Record<string, unknown>>): void {
  const unknown = Object.keys(given).find((name) => !known.has(name));
  if (unknown === undefined) return;
  const shown = unknown.slice(0, 100);
  throw new ArgumentProblem(shown, `This tool has no argument ${JSON.stringify(shown)}.`);
}

function hasBody(row: Operation, body: Readonly<Record<string, unknown>>): boolean {
  return row.body !== undefined && (Object.keys(body).length > 0 || !bodyMayBeLeftOut(row));
}

/**
 * Returns the page limit, at most 50. Text that is not a number is passed on, so that the API
 * rejects it.
 */
function limitOf(given: string | undefined, usual: number): string {
  if (given === undefined) return String(Math.min(usual, mostToolRows));
  return Number(given) > mostToolRows ? String(mostToolRows) : given;
}

function textOf(value: unknown): string {
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

function pageShape({ page }: Operation): z.ZodRawShape {
  if (page === undefined) return {};
  const counts = page.counts ?? 'Rows per page.';
  return {
    limit: z.int().min(1).max(mostToolRows).optional().meta({ description: counts }),
    [page.cursorParameter]: z
      .string()
      .optional()
      .meta({ description: 'The nextCursor of the previous page, unchanged.' }),
  };
}

const KeyArgument = IdempotencyKey.optional().meta({
  description:
    'A repeated call with the same key and the same arguments creates nothing a second time.',
});
