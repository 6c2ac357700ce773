/**
 * An authorization server on loopback that renews tokens and can simulate faults. It records every
 * credential that it receives, so that tests detect credentials sent to the wrong server.
 */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

export interface OAuthBehaviour {
  /** `fine` renews the tokens; the other values name a fault. */
  token: 'fine' | 'invalidGrant' | 'invalidClient' | 'error500' | 'hang' | 'malformed' | 'redirect';
  /**
   * With `none`, a refresh token can be used repeatedly. Otherwise each use issues a new token;
   * using an old one again is tolerated or revokes the whole grant.
   */
  rotation: 'none' | 'reuseAllowed' | 'reuseRevokes';
  lifetimeSeconds: number;
  delayMs: number;
  clientSecret: string | undefined;
  authentications: readonly string[] | undefined;
}

export interface OAuthIssuer {
  readonly url: string;
  readonly behaviour: OAuthBehaviour;
  readonly tokenRequests: readonly URLSearchParams[];
  readonly credentialsSeen: readonly string[];
  readonly paths: readonly string[];
  readonly isRevoked: boolean;
  issue(): IssuedByTest;
  accepts(accessToken: string): boolean;
  expireAccessTokens(): void;
  stop(): Promise<void>;
}

export interface IssuedByTest {
  readonly access_token: string;
  readonly refresh_token: string;
  readonly token_type: 'Bearer';
  readonly expires_in: number;
}

interface IssuerState {
  url: string;
  readonly behaviour: OAuthBehaviour;
  readonly access: Map<string, number>;
  /** By refresh token: whether it has been used. */
  readonly refresh: Map<string, boolean>;
  readonly tokenRequests: URLSearchParams[];
  readonly credentialsSeen: string[];
  readonly paths: string[];
  isRevoked: boolean;
}

export async function startOAuthIssuer(given: Partial<OAuthBehaviour> = {}): Promise<OAuthIssuer> {
  const state: IssuerState = {
    url: '',
    behaviour: {
      token: 'fine',
      rotation: 'reuseRevokes',
      lifetimeSeconds: 3600,
      delayMs: 0,
      clientSecret: undefined,
      authentications: undefined,
      ...given,
    },
    access: new Map(),
    refresh: new Map(),
    tokenRequests: [],
    credentialsSeen: [],
    paths: [],
    isRevoked: false,
  };
  const server = createServer((request, response) => {
    answer(state, request, response).catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  state.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: state.url,
    behaviour: state.behaviour,
    tokenRequests: state.tokenRequests,
    credentialsSeen: state.credentialsSeen,
    paths: state.paths,
    get isRevoked() {
      return state.isRevoked;
    },
    issue: () => issue(state),
    accepts: (token) => !state.isRevoked && (state.access.get(token) ?? 0) > Date.now(),
    expireAccessTokens: () => state.access.clear(),
    async stop() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

async function answer(
  state: IssuerState,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const body = Buffer.concat(chunks).toString();
  state.paths.push(request.url ?? '');
  if (request.headers.authorization || body !== '') {
    state.credentialsSeen.push(`${request.headers.authorization ?? ''}\n${body}`);
  }
  const [status, document, headers = {}] = await documentFor(state, request, body);
  if (status === 0) return;
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(document));
}

/** Status 0: no response is sent. */
type Answer = readonly [status: number, document: unknown, headers?: Record<string, string>];

async function documentFor(
  state: IssuerState,
  request: IncomingMessage,
  body: string,
): Promise<Answer> {
  if (request.method === 'GET' && request.url === '/.well-known/oauth-authorization-server') {
    const { authentications } = state.behaviour;
    const document = {
      issuer: state.url,
      token_endpoint: `${state.url}/token`,
      ...(authentications && { token_endpoint_auth_methods_supported: authentications }),
    };
    return [200, document];
  }
  if (request.method !== 'POST' || request.url !== '/token') return [404, {}];
  const form = new URLSearchParams(body);
  state.tokenRequests.push(form);
  await sleep(state.behaviour.delayMs);
  return renew(state, request, form);
}

function renew(state: IssuerState, request: IncomingMessage, form: URLSearchParams): Answer {
  // Every error repeats the request with its credentials, as some servers do, so that tests detect
  // a leak.
  const quoted = `${form} ${request.headers.authorization ?? ''}`;
  const refusal = (status: number, error: string): Answer => [
    status,
    { error, error_description: `Refused: ${quoted}` },
  ];
  const misbehaviours: Record<OAuthBehaviour['token'], Answer | undefined> = {
    fine: undefined,
    hang: [0, {}],
    error500: refusal(500, 'server_error'),
    invalidGrant: refusal(400, 'invalid_grant'),
    invalidClient: refusal(401, 'invalid_client'),
    malformed: [200, { access_token: `two words ${quoted}` }],
    redirect: [307, {}, { location: '/elsewhere' }],
  };
  const misbehaviour = misbehaviours[state.behaviour.token];
  if (misbehaviour !== undefined) return misbehaviour;
  if (!isClientKnown(state, request, form)) return refusal(401, 'invalid_client');
  const token = form.get('refresh_token') ?? '';
  const used = state.refresh.get(token);
  const { rotation } = state.behaviour;
  if (used === true && rotation === 'reuseRevokes') state.isRevoked = true;
  if (form.get('grant_type') !== 'refresh_token' || used === undefined || state.isRevoked) {
    return refusal(400, 'invalid_grant');
  }
  const { refresh_token, ...issued } = issue(state);
  if (rotation === 'none') return [200, issued];
  state.refresh.set(token, true);
  return [200, { ...issued, refresh_token }];
}

function isClientKnown(
  state: IssuerState,
  request: IncomingMessage,
  form: URLSearchParams,
): boolean {
  const { clientSecret, authentications } = state.behaviour;
  if (clientSecret === undefined) return true;
  if (authentications?.includes('client_secret_post')) {
    return form.get('client_secret') === clientSecret;
  }
  const [, basic = ''] = (request.headers.authorization ?? '').split(' ');
  const [, secret = ''] = Buffer.from(basic, 'base64').toString().split(':');
  return new URLSearchParams(`x=${secret}`).get('x') === clientSecret;
}

function issue(state: IssuerState): IssuedByTest {
  const { lifetimeSeconds } = state.behaviour;
  const access_token = `access-${randomBytes(24).toString('base64')}~._-+/==`;
  const refresh_token = `refresh-${randomBytes(24).toString('hex')}`;
  state.access.set(access_token, Date.now() + lifetimeSeconds * 1000);
  state.refresh.set(refresh_token, false);
  return { access_token, refresh_token, token_type: 'Bearer', expires_in: lifetimeSeconds };
}
