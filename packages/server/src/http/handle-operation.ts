/** What happens for every row, in this order: caller, bucket, project and tier, input, action, answer. */
import { randomBytes } from 'node:crypto';
import type { ActionOperationId, Operation, SignInOperationId } from '@proofmark/contract';
import {
  makeId,
  notFound,
  type Page,
  type ProjectTier,
  projectTier,
  Refused,
  sessionRateLimit,
  tierAllows,
} from '@proofmark/domain';
import type { Context } from 'hono';
import type { ActionContext, ProjectContext } from '../actions/action.ts';
import { actions } from '../actions/actions.ts';
import { findProject } from '../storage/projects.ts';
import { answerJson } from './answer.ts';
import { authenticate } from './authenticate.ts';
import { encodeCursor } from './cursor.ts';
import type { DoorEnvironment, DoorOptions } from './door.ts';
import { type ParsedInput, parseInput } from './parse-input.ts';
import { signInHandlers } from './sign-in/handlers.ts';

export async function handleOperation(
  context: Context<DoorEnvironment>,
  options: DoorOptions,
  row: Operation,
): Promise<Response> {
  context.set('operationId', row.operationId);
  const visitor = await authenticate(context, options, row);
  if (row.operationId in signInHandlers) {
    const input = await parseInput(context, options, row, visitor?.caller);
    const handler = signInHandlers[row.operationId as SignInOperationId];
    return answerJson(
      context,
      row.status,
      await handler({ context, options, visitor }, input as never),
    );
  }
  if (visitor === undefined) throw new Error(`${row.operationId} was reached without a caller.`);
  const { caller } = visitor;
  const actionContext: ActionContext = {
    database: options.database,
    caller,
    surface: caller.kind === 'key' ? 'api' : 'console',
    limits: publishedLimits(options, caller.kind),
    mayReach: options.mayReach,
    newId: (kind) => makeId(kind, Date.now(), randomBytes(10)),
    tenant: (work) => options.database.tenant(caller.organizationIds, work),
  };
  const entered = isTier(row.access)
    ? await enterProject(actionContext, context.req.param('projectId') ?? '', row.access)
    : actionContext;
  const input = await parseInput(context, options, row, caller);
  const action = actions[row.operationId as ActionOperationId] as LooseAction;
  const result = await action(entered, input);
  return answerJson(
    context,
    row.status,
    row.page === undefined ? result : pageBody(result as Page<unknown>),
  );

  function pageBody({ items, next }: Page<unknown>) {
    if (next === undefined) return { items };
    return { items, nextCursor: encodeCursor(options.database.vault, input.cursorScope, next) };
  }
}

/** The map of actions is typed by row; here, for all rows at once, only the common shape is known. */
type LooseAction = (context: ActionContext, input: ParsedInput) => Promise<unknown>;

function isTier(access: Operation['access']): access is ProjectTier {
  return access !== 'account' && access !== 'anonymous';
}

/** Another organization's project is not found; one's own without the tier is forbidden. */
async function enterProject(
  context: ActionContext,
  projectId: string,
  needed: ProjectTier,
): Promise<ProjectContext> {
  const project = projectId.includes('\0')
    ? undefined
    : await context.tenant((sql) => findProject(sql, context.caller.account.id, projectId));
  if (project === undefined) throw new Refused(notFound);
  const tier = projectTier(project);
  if (tier === undefined || !tierAllows(tier, needed)) {
    const message =
      tier === undefined
        ? 'You have no access to this project.'
        : `This needs the ${needed} tier of the project; yours is ${tier}.`;
    throw new Refused({ code: 'FORBIDDEN', message });
  }
  return { ...context, project: { ...project, tier } };
}

function publishedLimits({ rateLimit }: DoorOptions, kind: 'key' | 'session') {
  const limit = kind === 'session' ? sessionRateLimit : rateLimit;
  return limit === 'off'
    ? { requestsPerMinute: null, requestBurst: null }
    : { requestsPerMinute: limit.perMinute, requestBurst: limit.burst };
}
