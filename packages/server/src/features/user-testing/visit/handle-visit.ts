/**
 * Handles every request of visitors. A visitor is identified by sign-in or by the browser's cookie;
 * API keys are ignored. A write must come from a page of the service, which prevents CSRF. The
 * lines of a turn are streamed.
 */

import { randomBytes } from 'node:crypto';
import { linkHeader, type Operation } from '@proofmark/contract';
import {
  deviceKindOf,
  languageOf,
  makeId,
  Refused,
  sessionRateLimit,
  type VisitLimits,
  type VisitLine,
  visitBounds,
  withDeadline,
} from '@proofmark/domain';
import type { ModelGateway } from '../../../outside/model/model-gateway.ts';
import { findCallerBySession } from '../../../platform/accounts/store/callers.ts';
import { hashToken } from '../../../platform/accounts/token.ts';
import { answerJson, refusalOf } from '../../../platform/http/answer.ts';
import {
  csrfToken,
  requireCsrfToken,
  requireOwnOrigin,
  tooManyRequests,
} from '../../../platform/http/authenticate.ts';
import { clientAddress, isPassedOn, visitorAt } from '../../../platform/http/client-address.ts';
import { readCookie, writeCookie } from '../../../platform/http/cookies.ts';
import type { HttpFeatures } from '../../../platform/http/http-features.ts';
import type { HttpOptions } from '../../../platform/http/http-options.ts';
import { parseInput, readParameters } from '../../../platform/http/parse-input.ts';
import type { Answer, RequestExchange } from '../../../platform/http/request-exchange.ts';
import { readSessionCookie } from '../../../platform/http/session-cookie.ts';
import { linesType, streamHeaders } from '../../../platform/http/streamed-answer.ts';
import { tenRandomBytes } from '../../../platform/http/ten-random-bytes.ts';
import type { Spending } from '../../../platform/spending/spending.ts';
import {
  findVisitor,
  insertVisitor,
  type VisitingGuest,
  type VisitorIdentity,
} from '../store/visitors.ts';
import { organizationOfLink } from '../store/visits.ts';
import { acceptNotice } from './accept-notice.ts';
import { answerApproval } from './answer-approval.ts';
import { brakeVisit } from './brake-visit.ts';
import { createVisitorSession } from './create-visitor-session.ts';
import { endVisitorSession } from './end-visitor-session.ts';
import { eraseVisitorSession } from './erase-visitor-session.ts';
import { getVisitorSession } from './get-visitor-session.ts';
import { giveFeedback } from './give-feedback.ts';
import { redeemShareLink } from './redeem-share-link.ts';
import { stopVisitorTurn } from './stop-visitor-turn.ts';
import { takeVisitorTurn } from './take-visitor-turn.ts';
import type { TurnRunner } from './turn-runner.ts';
import type { VisitAction, VisitActionId, VisitContext } from './visit-action.ts';

const deadlineMs = 5000;

interface Known {
  readonly identity: VisitorIdentity;
  readonly cookieHash: Buffer;
  /** The guest whom the browser's cookie identifies, even if the visitor is signed in. */
  readonly guest?: VisitingGuest | undefined;
}

export interface VisitParts {
  readonly models: ModelGateway;
  readonly turns: TurnRunner;
  readonly visitLimits: VisitLimits;
  readonly spending: Spending;
}

interface VisitOptions extends HttpOptions, VisitParts {}

export function createVisitHandler(parts: VisitParts): HttpFeatures['handleVisit'] {
  return (exchange, options, row) => handleVisit(exchange, { ...options, ...parts }, row);
}

async function handleVisit(
  exchange: RequestExchange,
  options: VisitOptions,
  row: Operation,
): Promise<Answer | undefined> {
  const known = await withDeadline(identify(exchange, options), deadlineMs);
  if (row.operationId === 'getVisitSession') {
    await parseInput(exchange, options, row, undefined, {});
    const visiting = known ?? (await withDeadline(welcome(exchange, options), deadlineMs));
    if (known?.guest !== undefined) renewVisitorCookie(exchange, options);
    return answerJson(row.status, present(options, visiting));
  }
  if (row.method !== 'GET') requireOwnOrigin(exchange, options);
  if (known === undefined) throw new Refused(unknownVisitor);
  if (row.method !== 'GET') requireCsrfToken(exchange, options, known.cookieHash);
  const params = readParameters(exchange, row);
  const input = await parseInput(exchange, options, row, undefined, params);
  const lines = row.streams ? new Lines(exchange, options) : undefined;
  const context = contextOf(exchange, options, known, (line) => lines?.send(line));
  const action = visitActions[row.operationId as VisitActionId] as LooseAction;
  if (lines === undefined) {
    const answer = await withDeadline(action(context, input), deadlineMs);
    return answerJson(row.status, answer);
  }
  // A closed connection does not abort the turn. The turn has its own time limits.
  await action(context, input).catch((error: unknown) => lines.fail(error));
  lines.end();
  return undefined;
}

/** The common type of all actions. Each entry of the map of actions has its own input type. */
type LooseAction = (
  context: VisitContext,
  input: { readonly params: Readonly<Record<string, string>>; readonly body: unknown },
) => Promise<unknown>;

/** If the browser has both a sign-in and a guest cookie, the visitor is the account. */
async function identify(
  exchange: RequestExchange,
  options: HttpOptions,
): Promise<Known | undefined> {
  const { database } = options;
  const token = readSessionCookie(exchange);
  const sessionHash = token === undefined ? undefined : hashToken(token);
  const cookieHash = readVisitorCookie(exchange);
  const guest = cookieHash && (await findVisitor(database, cookieHash, visitBounds.identityMs));
  const found =
    sessionHash && (await findCallerBySession(database, sessionHash, sessionRateLimit, undefined));
  if (sessionHash !== undefined && found !== undefined && 'caller' in found) {
    if (found.retryAfterSeconds !== undefined) throw tooManyRequests(found.retryAfterSeconds);
    const { id, email, name } = found.caller.account;
    return {
      identity: { kind: 'account', accountId: id, email, name },
      cookieHash: sessionHash,
      guest,
    };
  }
  return cookieHash && guest && { identity: guest, cookieHash, guest };
}

async function welcome(exchange: RequestExchange, options: VisitOptions): Promise<Known> {
  const { database, visitLimits: limits, spending } = options;
  const { addressHash, isAddressShared } = addressOf(exchange, options);
  const brake = { database, limits, brakes: spending.brakes };
  const link = isAddressShared ? await linkOf(exchange, database) : undefined;
  if (link !== undefined) await brakeVisit(brake, 'linkIdentitiesPerHour', link);
  else await brakeVisit(brake, 'visitorIdentitiesPerHour', addressHash);
  const cookieHash = issueVisitorCookie(exchange, options);
  const id = newId('visitor');
  await insertVisitor(database, { id, cookieHash });
  return { identity: { kind: 'guest', visitorId: id }, cookieHash };
}

function present(options: HttpOptions, { identity, cookieHash }: Known) {
  const visitor =
    identity.kind === 'account'
      ? { signedIn: true, displayName: identity.name }
      : { signedIn: false };
  return { visitor, csrfToken: csrfToken(options, cookieHash) };
}

function contextOf(
  exchange: RequestExchange,
  options: VisitOptions,
  { identity, guest }: Known,
  send: VisitContext['send'],
): VisitContext {
  const { database, models, turns, visitLimits: limits, spending } = options;
  return {
    database,
    models,
    turns,
    limits,
    identity,
    send,
    newId,
    ...addressOf(exchange, options),
    ...(guest && { guest }),
    brakes: spending.brakes,
    deviceKind: deviceKindOf(exchange.header('user-agent')),
    language: languageOf(exchange.header('accept-language')),
  };
}

function newId(kind: Parameters<VisitContext['newId']>[0]): string {
  return makeId(kind, Date.now(), tenRandomBytes());
}

function addressOf({ incoming }: RequestExchange, { database, trustedProxies }: HttpOptions) {
  const visitor = visitorAt(clientAddress(incoming, trustedProxies), trustedProxies);
  return {
    addressHash: database.vault.sign('visitor address', visitor.address),
    isAddressShared: visitor.isShared || isPassedOn(incoming, trustedProxies),
  };
}

/**
 * Returns a rate-limit key for the opened link. Returns undefined for an invalid link, so that
 * guessed links do not fill the rate-limit table.
 */
async function linkOf(
  exchange: RequestExchange,
  database: HttpOptions['database'],
): Promise<string | undefined> {
  const token = exchange.header(linkHeader);
  if (token === undefined) return undefined;
  const tokenHash = hashToken(token);
  const organizationId = await organizationOfLink(database, tokenHash);
  return organizationId && tokenHash.toString('hex');
}

/**
 * The streamed response of a turn. A refusal before the first line becomes a normal error response.
 */
class Lines {
  readonly #exchange: RequestExchange;
  readonly #options: HttpOptions;

  constructor(exchange: RequestExchange, options: HttpOptions) {
    this.#exchange = exchange;
    this.#options = options;
  }

  send(line: VisitLine): void {
    const { outgoing, requestId } = this.#exchange;
    if (outgoing.destroyed) return;
    if (!outgoing.headersSent) {
      outgoing.writeHead(200, streamHeaders(this.#options, requestId, linesType));
    }
    outgoing.write(`${JSON.stringify(line)}\n`);
  }

  /**
   * Sends an error as a line if lines were already sent. Otherwise throws it, for a normal error
   * response.
   */
  fail(error: unknown): void {
    if (!this.#exchange.outgoing.headersSent) throw error;
    const { code, message } = refusalOf(this.#exchange, error, this.#options.log);
    this.send({ type: 'error', code, message });
  }

  end(): void {
    this.#exchange.outgoing.end();
  }
}

const unknownVisitor = {
  code: 'UNAUTHORIZED',
  message: 'The service does not recognize this browser; open the page again.',
} as const;

const visitActions: { readonly [Id in VisitActionId]: VisitAction<Id> } = {
  acceptNotice,
  answerApproval,
  createVisitorSession,
  endVisitorSession,
  eraseVisitorSession,
  getVisitorSession,
  giveFeedback,
  redeemShareLink,
  stopVisitorTurn,
  takeVisitorTurn,
};

/** The cookie that identifies a visitor's browser: 128 random bits, without data about its user. */
const name = 'proofmark_visitor';

function readVisitorCookie(exchange: RequestExchange): Buffer | undefined {
  const token = readCookie(exchange, name);
  return token !== undefined && /^[\w-]{22}$/.test(token) ? hashToken(token) : undefined;
}

function issueVisitorCookie(exchange: RequestExchange, options: HttpOptions): Buffer {
  const token = randomBytes(16).toString('base64url');
  keepCookie(exchange, options, token);
  return hashToken(token);
}

function renewVisitorCookie(exchange: RequestExchange, options: HttpOptions): void {
  const token = readCookie(exchange, name);
  if (token !== undefined) keepCookie(exchange, options, token);
}

function keepCookie(exchange: RequestExchange, { publicUrl }: HttpOptions, token: string): void {
  writeCookie(exchange, name, token, {
    path: '/',
    secure: publicUrl?.startsWith('https:') ?? false,
    maxAgeSeconds: visitBounds.identityMs / 1000,
  });
}
