/**
 * What happens for every row, in this order: caller and bucket, project and tier, input, action,
 * answer. The work before and after reading the input each has a deadline, so that a database that
 * went silent holds nobody for ever; how long a client may take to send its input, the socket says.
 */
import { randomBytes } from 'node:crypto';
import type { ActionOperationId, Operation, SignInOperationId } from '@proofmark/contract';
import { makeId, type Page, type ProjectTier, sessionRateLimit } from '@proofmark/domain';
import type { Context } from 'hono';
import type { ActionContext } from '../actions/action.ts';
import { actions } from '../actions/actions.ts';
import type { Caller } from '../storage/callers.ts';
import { answerJson } from './answer.ts';
import { authenticate, type Visitor } from './authenticate.ts';
import { encodeCursor } from './cursor.ts';
import type { DoorEnvironment, DoorOptions } from './door.ts';
import { enterProject } from './enter-project.ts';
import { type ParsedInput, parseInput, readParameters } from './parse-input.ts';
import { signInHandlers } from './sign-in/sign-in-handlers.ts';
import { withDeadline } from './with-deadline.ts';

const deadlineMs = 5000;

export async function handleOperation(
  context: Context<DoorEnvironment>,
  options: DoorOptions,
  row: Operation,
): Promise<Response> {
  context.set('operationId', row.operationId);
  const visitor = await withDeadline(authenticate(context, options, row), deadlineMs);
  const result =
    row.operationId in signInHandlers
      ? await signIn(context, options, row, visitor)
      : await act(context, options, row, visitor);
  return answerJson(context, row.status, result);
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
  const outside = actionContext(options, visitor.caller);
  const entered = isTier(row.access)
    ? await withDeadline(enterProject(outside, params['projectId'] ?? '', row.access), deadlineMs)
    : outside;
  const input = await parseInput(context, options, row, visitor.caller, params);
  const action = actions[row.operationId as ActionOperationId] as LooseAction;
  const result = await withDeadline(action(entered, input), deadlineMs);
  if (row.page === undefined) return result;
  const { items, next } = result as Page<unknown>;
  if (next === undefined) return { items };
  return { items, nextCursor: encodeCursor(options.database.vault, input.cursorScope, next) };
}

/** The map of actions is typed by row; here, for all rows at once, only the common shape is known. */
type LooseAction = (context: ActionContext, input: ParsedInput) => Promise<unknown>;

function actionContext(options: DoorOptions, caller: Caller): ActionContext {
  return {
    database: options.database,
    caller,
    surface: caller.kind === 'key' ? 'api' : 'console',
    limits: publishedLimits(options, caller.kind),
    mayReach: options.mayReach,
    newId: (kind) => makeId(kind, Date.now(), randomBytes(10)),
    tenant: (work) => options.database.tenant(caller.organizationIds, work),
  };
}

function isTier(access: Operation['access']): access is ProjectTier {
  return access !== 'account' && access !== 'anonymous';
}

function publishedLimits({ rateLimit }: DoorOptions, kind: 'key' | 'session') {
  const limit = kind === 'session' ? sessionRateLimit : rateLimit;
  return limit === 'off'
    ? { requestsPerMinute: null, requestBurst: null }
    : { requestsPerMinute: limit.perMinute, requestBurst: limit.burst };
}
