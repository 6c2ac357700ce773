/**
 * Makes one call for the agent through the API's own operation, as the caller and only in the
 * project of the path. Arguments are validated like those of a request. Refusals are returned to
 * the model as errors.
 */

import { type Operation, operations, pathParameters } from '@proofmark/contract';
import {
  type AgentOperation,
  checkValue,
  isRecord,
  isStorable,
  type Json,
  pageLimit,
  Refused,
  tierAllows,
} from '@proofmark/domain';
import type * as z from 'zod';
import { PreparedJson } from '../../../platform/operations/answer-cache.ts';
import { readRun } from '../../evals/index.ts';
import type { AgentProject } from '../agent-context.ts';
import { projectParameter } from './offered-tools.ts';

export type CallOutcome = { readonly result: unknown } | { readonly error: string };

export async function makeCall(
  context: AgentProject,
  operation: AgentOperation,
  given: Json,
): Promise<CallOutcome> {
  const row: Operation = operations[operation];
  const input = readArguments(context, row, given);
  if ('error' in input) return input;
  const { project } = context;
  if (
    row.access !== 'account' &&
    row.access !== 'anonymous' &&
    row.access !== 'visitor' &&
    !tierAllows(project.tier, row.access)
  )
    return { error: `FORBIDDEN: This call needs the ${row.access} tier of the project.` };
  const action = context.offeredActions[operation];
  try {
    return {
      result: plainResult(
        await action(await atRun(inProject(context), input.params), heldTo(operation, input)),
      ),
    };
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return { error: `${error.refusal.code}: ${error.refusal.message}` };
  }
}

/**
 * Empties `allowWrites`. The agent reads text from outside, so a suite that it creates never allows
 * tools that write. Only the author can allow them by name.
 */
function heldTo(operation: AgentOperation, input: CallInput): CallInput {
  if (operation !== 'createEvalSuite' || !isRecord(input.body)) return input;
  const { settings } = input.body;
  const held = { ...(isRecord(settings) ? settings : {}), allowWrites: [] };
  return { ...input, body: { ...input.body, settings: held } };
}

/**
 * Limits the context to the project's organization. Some operations would otherwise read all
 * organizations of the caller.
 */
function inProject(context: AgentProject): AgentProject {
  const organizationIds = [context.project.organizationId];
  return { ...context, caller: { ...context.caller, organizationIds } };
}

interface CallInput {
  readonly params: Readonly<Record<string, string>>;
  readonly query: unknown;
  readonly body: unknown;
  readonly page: { readonly limit: number };
  cursorFor(): string;
}

function readArguments(
  { project }: AgentProject,
  row: Operation,
  given: Json,
): CallInput | { readonly error: string } {
  const { [projectParameter]: named, ...others } = given;
  const rest: Record<string, unknown> = others;
  if (named !== undefined && named !== project.id)
    return { error: 'FORBIDDEN: Only the project of this conversation can be read or changed.' };
  if (!isStorable(rest))
    return { error: 'VALIDATION_ERROR: A text contains characters that cannot be stored.' };
  const params: Record<string, string> = { [projectParameter]: project.id };
  for (const name of pathParameters(row.path)) {
    if (name === projectParameter) continue;
    const value = rest[name];
    if (typeof value !== 'string' || value === '' || value.length > longestId)
      return { error: `VALIDATION_ERROR: ${name} is missing or is not an id.` };
    params[name] = value;
    delete rest[name];
  }
  const limit = pageLimit(row.page && takeText(rest, 'limit'), shownItems);
  if ('problem' in limit) return { error: `VALIDATION_ERROR: limit: ${limit.problem}` };
  const query = row.query === undefined ? {} : pick(rest, keysOf(row.query));
  const parts = { query: checked(row.query, query), body: checked(row.body, rest) };
  const problem = Object.values(parts).find((part) => 'error' in part);
  if (problem !== undefined && 'error' in problem) return { error: problem.error };
  return {
    params,
    query: checkedValue(parts.query),
    body: checkedValue(parts.body),
    page: limit,
    // A cursor works only for the request that returned it, so the agent cannot read later pages.
    cursorFor: () => 'not offered',
  };
}

const longestId = 200;
const shownItems = 50;

type Checked = { readonly value: unknown } | { readonly error: string };

function checked(shape: z.ZodType | undefined, value: unknown): Checked {
  if (shape === undefined) return { value: undefined };
  const outcome = checkValue(shape, value);
  if ('value' in outcome) return outcome;
  const [{ path, message }] = outcome.problems;
  return { error: `VALIDATION_ERROR: ${path.join('.')}: ${message}` };
}

function checkedValue(part: Checked): unknown {
  return 'value' in part ? part.value : undefined;
}

function takeText(from: Record<string, unknown>, name: string): string | undefined {
  const value = from[name];
  delete from[name];
  return value === undefined ? undefined : String(value);
}

function pick(from: Record<string, unknown>, names: readonly string[]): Json {
  const entries = names.flatMap((name) => (name in from ? [[name, from[name]] as const] : []));
  for (const [name] of entries) delete from[name];
  return Object.fromEntries(entries);
}

function keysOf(shape: z.ZodObject): string[] {
  return Object.keys(shape.shape);
}

/** Adds the run's revision, because cached responses depend on it. */
async function atRun(
  context: AgentProject,
  { runId }: Readonly<Record<string, string>>,
): Promise<AgentProject> {
  if (runId === undefined) return context;
  const run = await context.tenant((sql) => readRun(sql, context.project.id, runId));
  return { ...context, runRevision: run?.revision };
}

function plainResult(result: unknown): unknown {
  if (result instanceof PreparedJson) return JSON.parse(new TextDecoder().decode(result.bytes));
  if (!isRecord(result) || !('next' in result)) return result;
  const { next, ...page } = result;
  return next === undefined ? page : { ...page, hasMore: true };
}
