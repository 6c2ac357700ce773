/**
 * What happens for every row, in this order: caller and bucket, project and tier, input, action,
 * answer. The work before and after reading the input each has a deadline, so that a database that
 * went silent holds nobody for ever; how long a client may take to send its input, the socket says.
 */
import type { ActionOperationId, Operation, SignInOperationId } from '@proofmark/contract';
import { makeId, type Page, sessionRateLimit } from '@proofmark/domain';
import type { Context } from 'hono';
import type { ActionContext } from '../actions/action.ts';
import { actions } from '../actions/actions.ts';
import type { Caller } from '../storage/callers.ts';
import { answerAction, answerJson } from './answer.ts';
import { authenticate, type Visitor } from './authenticate.ts';
import type { DoorEnvironment, DoorOptions } from './door.ts';
import { enterProject, isTier } from './enter-project.ts';
import { type ParsedInput, parseInput, readParameters } from './parse-input.ts';
import { signInHandlers } from './sign-in/sign-in-handlers.ts';
import { tenRandomBytes } from './ten-random-bytes.ts';
import { withDeadline } from './with-deadline.ts';

const deadlineMs = 5000;
const ingestionDeadlineMs = 60_000;

export async function handleOperation(
  context: Context<DoorEnvironment>,
  options: DoorOptions,
  row: Operation,
  security: Readonly<Record<string, string>>,
): Promise<Response> {
  context.set('operationId', row.operationId);
  const visitor = await withDeadline(authenticate(context, options, row), deadlineOf(row));
  if (row.operationId in signInHandlers) {
    // Signing in sets cookies on the way.
    return answerJson(context, row.status, await signIn(context, options, row, visitor));
  }
  const result = await act(context, options, row, visitor);
  return answerAction(context, row.status, result, security);
}

async function signIn(
  context: Context<DoorEnvironment>,
  options: DoorOptions,
  row: Operation,
  visitor: Visitor | undefined,
): Promise<unknown> {
  const input = await parseInput(context, options, row, visitor?.caller, {});
  const handler = signInHandlers[row.operationId as SignInOperationId];
  return handler({ context, options, visitor }, input as never);
}

async function act(
  context: Context<DoorEnvironment>,
  options: DoorOptions,
  row: Operation,
  visitor: Visitor | undefined,
): Promise<unknown> {
  if (visitor === undefined) throw new Error(`${row.operationId} was reached without a caller.`);
  const params = readParameters(context, row);
  const outside = actionContext(context, options, visitor.caller);
  const entered = isTier(row.access) ? enterProject(outside, visitor, row.access) : outside;
  const input = await parseInput(context, options, row, visitor.caller, params);
  const action = actions[row.operationId as ActionOperationId] as LooseAction;
  const result = await withDeadline(action(entered, input), deadlineOf(row));
  if (row.page === undefined || row.page.inside) return result;
  const { items, next } = result as Page<unknown>;
  if (next === undefined) return { items };
  return { items, nextCursor: input.cursorFor(next) };
}

/** The map of actions is typed by row; here, for all rows at once, only the common shape is known. */
type LooseAction = (context: ActionContext, input: ParsedInput) => Promise<unknown>;

function actionContext(
  context: Context<DoorEnvironment>,
  options: DoorOptions,
  caller: Caller,
): ActionContext {
  return {
    database: options.database,
    caller,
    surface: caller.kind === 'key' ? 'api' : 'console',
    limits: publishedLimits(options, caller.kind),
    // The door has let in only hosts of this installation.
    baseUrl: options.publicUrl ?? `http://${context.req.header('host')}`,
    mayReach: options.mayReach,
    readings: options.readings,
    newId: (kind) => makeId(kind, Date.now(), tenRandomBytes()),
    tenant: (work) => options.database.tenant(caller.organizationIds, work),
  };
}

function deadlineOf(row: Operation): number {
  return row.ingestion ? ingestionDeadlineMs : deadlineMs;
}

function publishedLimits({ rateLimit }: DoorOptions, kind: 'key' | 'session') {
  const limit = kind === 'session' ? sessionRateLimit : rateLimit;
  return limit === 'off'
    ? { requestsPerMinute: null, requestBurst: null }
    : { requestsPerMinute: limit.perMinute, requestBurst: limit.burst };
}
