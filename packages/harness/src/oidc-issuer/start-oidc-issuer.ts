import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type CryptoKey, exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';

/**
 * Starts a small but standard-conforming OpenID Connect issuer on loopback. It signs in one
 * configured user without a prompt. It checks client, secret, redirect address, PKCE with S256, and
 * that a code is used only once. Each misbehaviour breaks exactly one rule.
 */
export async function startOidcIssuer(options: OidcIssuerOptions): Promise<OidcIssuer> {
  const requests: OidcIssuerRequest[] = [];
  const state: IssuerState = {
    options,
    url: '',
    grants: new Map(),
    key: await generateKeyPair('ES256'),
    otherKey: await generateKeyPair('ES256'),
  };
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', state.url);
    requests.push({ method: request.method ?? '', path: url.pathname });
    answer(state, request, url, response).catch(() => response.writeHead(500).end());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  state.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: state.url,
    requests,
    async close() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

export interface OidcIssuerOptions {
  readonly clientId: string;
  /** Absent for a public client. */
  readonly clientSecret?: string;
  /** Default: any address is accepted. */
  readonly redirectUri?: string;
  readonly user: {
    readonly subject: string;
    readonly email?: string;
    readonly emailVerified?: boolean;
    readonly name?: string;
  };
  readonly misbehave?: OidcMisbehaviour;
  /**
   * Whether the ID token omits the claims about the person. Some issuers return them only from the
   * userinfo endpoint.
   */
  readonly claimsOnlyInUserinfo?: boolean;
}

export type OidcMisbehaviour =
  | 'wrong-nonce'
  | 'wrong-audience'
  | 'wrong-issuer'
  | 'bad-signature'
  | 'unsigned'
  | 'expired'
  | 'wrong-userinfo-subject'
  | 'foreign-token-endpoint'
  | 'denies';

export interface OidcIssuer {
  readonly url: string;
  readonly requests: readonly OidcIssuerRequest[];
  close(): Promise<void>;
}

export interface OidcIssuerRequest {
  readonly method: string;
  readonly path: string;
}

interface IssuerState {
  readonly options: OidcIssuerOptions;
  url: string;
  readonly grants: Map<string, { redirectUri: string; challenge: string; nonce: string }>;
  readonly key: { publicKey: CryptoKey; privateKey: CryptoKey };
  readonly otherKey: { privateKey: CryptoKey };
}

async function answer(
  state: IssuerState,
  request: IncomingMessage,
  url: URL,
  response: ServerResponse,
): Promise<void> {
  switch (`${request.method} ${url.pathname}`) {
    case 'GET /.well-known/openid-configuration':
      return send(response, 200, metadataOf(state));
    case 'GET /jwks':
      return send(response, 200, {
        keys: [{ ...(await exportJWK(state.key.publicKey)), kid: 'key', alg: 'ES256', use: 'sig' }],
      });
    case 'GET /authorize':
      return authorize(state, url.searchParams, response);
    case 'POST /token':
      return token(state, request, response);
    case 'GET /userinfo': {
      const isWrong = state.options.misbehave === 'wrong-userinfo-subject';
      const sub = isWrong ? 'somebody-else' : state.options.user.subject;
      return send(response, 200, { sub, ...personClaims(state) });
    }
    default:
      return send(response, 404, { error: 'not_found' });
  }
}

function metadataOf({ url, options }: IssuerState): object {
  const isForeign = options.misbehave === 'foreign-token-endpoint';
  return {
    issuer: url,
    authorization_endpoint: `${url}/authorize`,
    token_endpoint: isForeign ? 'http://issuer.invalid/token' : `${url}/token`,
    userinfo_endpoint: `${url}/userinfo`,
    jwks_uri: `${url}/jwks`,
    response_types_supported: ['code'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['ES256'],
    code_challenge_methods_supported: ['S256'],
  };
}

function authorize(state: IssuerState, query: URLSearchParams, response: ServerResponse): void {
  const { options } = state;
  const redirectUri = query.get('redirect_uri') ?? '';
  const isValid =
    query.get('client_id') === options.clientId &&
    query.get('response_type') === 'code' &&
    query.get('code_challenge_method') === 'S256' &&
    (query.get('scope') ?? '').split(' ').includes('openid') &&
    URL.canParse(redirectUri) &&
    (options.redirectUri === undefined || options.redirectUri === redirectUri);
  if (!isValid) {
    send(response, 400, { error: 'invalid_request' });
    return;
  }
  const back = new URL(redirectUri);
  back.searchParams.set('state', query.get('state') ?? '');
  if (options.misbehave === 'denies') {
    back.searchParams.set('error', 'access_denied');
  } else {
    const code = randomBytes(16).toString('hex');
    state.grants.set(code, {
      redirectUri,
      challenge: query.get('code_challenge') ?? '',
      nonce: query.get('nonce') ?? '',
    });
    back.searchParams.set('code', code);
  }
  response.writeHead(302, { location: back.href }).end();
}

async function token(
  state: IssuerState,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const form = new URLSearchParams(await textOf(request));
  if (!isKnownClient(state.options, request, form)) {
    return send(response, 401, { error: 'invalid_client' });
  }
  const grant = state.grants.get(form.get('code') ?? '');
  state.grants.delete(form.get('code') ?? '');
  const challenge = createHash('sha256')
    .update(form.get('code_verifier') ?? '')
    .digest('base64url');
  const isValid =
    form.get('grant_type') === 'authorization_code' &&
    grant?.redirectUri === form.get('redirect_uri') &&
    grant?.challenge === challenge;
  if (!isValid || grant === undefined) return send(response, 400, { error: 'invalid_grant' });
  return send(response, 200, {
    access_token: randomBytes(16).toString('hex'),
    token_type: 'Bearer',
    expires_in: 300,
    id_token: await idToken(state, grant.nonce),
  });
}

function isKnownClient(
  options: OidcIssuerOptions,
  request: IncomingMessage,
  form: URLSearchParams,
): boolean {
  const basic = Buffer.from(request.headers.authorization?.replace(/^Basic /, '') ?? '', 'base64');
  const [basicId, basicSecret] = basic.toString().split(':').map(formDecoded);
  const id = form.get('client_id') ?? basicId;
  const secret = form.get('client_secret') ?? basicSecret;
  return id === options.clientId && (secret ?? undefined) === options.clientSecret;
}

/** Id and secret in the Basic header are form-encoded, so a plus sign means a space. */
function formDecoded(text: string): string {
  return decodeURIComponent(text.replaceAll('+', ' '));
}

async function idToken(state: IssuerState, nonce: string): Promise<string> {
  const { misbehave, claimsOnlyInUserinfo, user, clientId } = state.options;
  const now = Math.floor(Date.now() / 1000);
  const claims: JWTPayload = {
    iss: misbehave === 'wrong-issuer' ? 'http://127.0.0.1:1' : state.url,
    sub: user.subject,
    aud: misbehave === 'wrong-audience' ? 'another-client' : clientId,
    nonce: misbehave === 'wrong-nonce' ? 'another-nonce' : nonce,
    iat: now,
    exp: misbehave === 'expired' ? now - 3600 : now + 300,
    ...(claimsOnlyInUserinfo === true ? {} : personClaims(state)),
  };
  if (misbehave === 'unsigned') {
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    return `${part({ alg: 'none' })}.${part(claims)}.`;
  }
  const key = misbehave === 'bad-signature' ? state.otherKey : state.key;
  return new SignJWT(claims).setProtectedHeader({ alg: 'ES256', kid: 'key' }).sign(key.privateKey);
}

function personClaims({ options: { user } }: IssuerState): JWTPayload {
  return {
    ...(user.email === undefined ? {} : { email: user.email }),
    ...(user.emailVerified === undefined ? {} : { email_verified: user.emailVerified }),
    ...(user.name === undefined ? {} : { name: user.name }),
  };
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
