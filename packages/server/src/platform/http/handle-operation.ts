/**
 * The steps of every operation, in order: caller and rate limit, project and tier, input, action,
 * answer. The work before and the work after reading the input have a deadline each, so that a
 * silent database blocks no request forever. The time for sending the input is limited by the
 * socket.
 */
import {
  type ActionOperationId,
  effectOf,
  type Operation,
  type SignInOperationId,
} from '@proofmark/contract';
import { followBounds, makeId, type Page, sessionRateLimit, withDeadline } from '@proofmark/domain';
import type { Caller } from '../accounts/store/callers.ts';
import type { Pace } from '../database/deadlines.ts';
import { DiskIsFull } from '../database/disk-full.ts';
import type { ActionContext } from '../operations/action.ts';
import { answerJson } from './answer.ts';
import { authenticate } from './authenticate.ts';
import type { AuthenticatedCaller } from './authenticated-caller.ts';
import { deprecationHeaders } from './deprecation-headers.ts';
import { disconnectSignal } from './disconnect-signal.ts';
import { enterProject, isTier, requireFeature } from './enter-project.ts';
import type { HttpFeatures } from './http-features.ts';
import type { HttpOptions } from './http-options.ts';
import { type ParsedInput, parseInput, readParameters } from './parse-input.ts';
import type { Answer, RequestExchange } from './request-exchange.ts';
import { signInHandlers } from './sign-in/sign-in-handlers.ts';
import { framingFor, streamedAnswer } from './streamed-answer.ts';
import { tenRandomBytes } from './ten-random-bytes.ts';

const deadlineMs = 5000;
const slowDeadlineMs = 60_000;
/**
 * The deadline in milliseconds for operations that call MCP servers. The deadline of each call
 * comes from the saved server and is never longer.
 */
export const outboundDeadlineMs = 660_000;

export interface Served {
  readonly options: HttpOptions;
  readonly features: HttpFeatures;
}

export async function handleOperation(
  exchange: RequestExchange,
  served: Served,
  row: Operation,
): Promise<Answer | undefined> {
  const { options, features } = served;
  exchange.operationId = row.operationId;
  if (row.deprecated !== undefined)
    exchange.extraHeaders = deprecationHeaders(exchange, row.deprecated);
  if (row.surface === 'visit') {
    if (options.disk?.isFull && takesSpace(row)) throw new DiskIsFull();
    return features.handleVisit(exchange, options, row);
  }
  const authenticated = await withDeadline(
    authenticate(exchange, options, row),
    ownDeadlineOf(row),
  );
  if (row.operationId in signInHandlers) {
    return answerJson(row.status, await signIn(exchange, options, row, authenticated));
  }
  if (authenticated === undefined)
    throw new Error(
      `Internal fault: the operation ${row.operationId} was called without an account.`,
    );
  if (options.disk?.isFull && takesSpace(row)) throw new DiskIsFull();
  const framing = row.streams ? framingFor(exchange) : undefined;
  if (framing !== undefined) {
    return streamedAnswer(exchange, options, framing, (progress) =>
      act(exchange, served, row, authenticated, progress),
    );
  }
  const result = await act(exchange, served, row, authenticated, undefined);
  return answerJson(statusOf(row, result), result);
}

function statusOf(row: Operation, result: unknown): number {
  if (row.statusIfThere === undefined) return row.status;
  return (result as { readonly created?: boolean }).created ? row.status : row.statusIfThere;
}

/**
 * Returns whether an operation takes up disk space. Deletions and the cancellation of a run take
 * none.
 */
function takesSpace(row: Operation): boolean {
  if (row.operationId === 'cancelEvalRun') return false;
  return effectOf(row) !== 'reads' && row.method !== 'DELETE';
}

async function signIn(
  exchange: RequestExchange,
  options: HttpOptions,
  row: Operation,
  authenticated: AuthenticatedCaller | undefined,
): Promise<unknown> {
  const input = await parseInput(exchange, options, row, authenticated, {});
  const handler = signInHandlers[row.operationId as SignInOperationId];
  return handler({ exchange, options, authenticated }, input as never);
}

async function act(
  exchange: RequestExchange,
  { options, features }: Served,
  row: Operation,
  authenticated: AuthenticatedCaller,
  progress: ActionContext['progress'] | undefined,
): Promise<unknown> {
  const params = readParameters(exchange, row);
  // Only operations that call MCP servers (`outbound`) or follow a run (`follows`) are aborted when
  // the caller disconnects. A slow operation may still wait to begin when its deadline passes; the
  // signal then stops it from beginning.
  const late = row.slow ? new AbortController() : undefined;
  const mayLeave = row.outbound || row.follows;
  const signal = late?.signal ?? (mayLeave ? disconnectSignal(exchange) : neverAborted);
  const context = actionContext(exchange, options, row, authenticated.caller, progress, signal);
  const outside = Object.assign(context, features.parts);
  const entered = isTier(row.access) ? enterProject(outside, authenticated, row.access) : outside;
  if (row.feature !== undefined) await requireFeature(options, entered, row.feature);
  const input = await parseInput(exchange, options, row, authenticated, params);
  const action = features.operations[row.operationId as ActionOperationId] as LooseAction;
  const result = await withDeadline(action(entered, input), deadlineOf(row), late);
  if (row.page === undefined || row.page.inside) return result;
  const { items, next } = result as Page<unknown>;
  if (next === undefined) return { items };
  return { items, nextCursor: input.cursorFor(next) };
}

/**
 * The common type of all actions. The map of actions has a precise type for each operation, but
 * this code handles all of them.
 */
type LooseAction = (context: ActionContext, input: ParsedInput) => Promise<unknown>;

function actionContext(
  exchange: RequestExchange,
  options: HttpOptions,
  row: Operation,
  caller: Caller,
  progress: ActionContext['progress'] | undefined,
  signal: AbortSignal,
): ActionContext {
  return {
    database: options.database,
    caller,
    surface: caller.kind === 'key' ? 'api' : 'console',
    limits: publishedLimits(options, caller.kind),
    // The host header can be trusted here: requests for unknown host names are already rejected.
    baseUrl: options.publicUrl ?? `http://${exchange.header('host')}`,
    answerCache: options.answerCache,
    signal,
    isWatched: progress !== undefined,
    progress: progress ?? unwatched,
    mayFollow: options.mayFollow ?? (() => true),
    newId: (kind) => makeId(kind, Date.now(), tenRandomBytes()),
    tenant: (work) => options.database.tenant(caller.organizationIds, work, paceOf(row)),
  };
}

const neverAborted = new AbortController().signal;
const unwatched = () => undefined;

function paceOf(row: Operation): Pace {
  return row.ingestion || row.slow ? 'slow' : 'quick';
}

function deadlineOf(row: Operation): number {
  if (row.follows) return followBounds.longestMs + deadlineMs;
  return row.outbound ? outboundDeadlineMs : ownDeadlineOf(row);
}

function ownDeadlineOf(row: Operation): number {
  return paceOf(row) === 'slow' ? slowDeadlineMs : deadlineMs;
}

function publishedLimits({ rateLimit }: HttpOptions, kind: 'key' | 'session') {
  const limit = kind === 'session' ? sessionRateLimit : rateLimit;
  return limit === 'off'
    ? { requestsPerMinute: null, requestBurst: null }
    : { requestsPerMinute: limit.perMinute, requestBurst: limit.burst };
}
