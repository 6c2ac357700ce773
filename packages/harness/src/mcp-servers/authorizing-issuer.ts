/**
 * A test authorization server on loopback. It approves the authorization request of every browser
 * without a prompt, and validates the requests of clients.
 */
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as readStream } from 'node:stream/consumers';

export interface AuthorizingIssuer {
  readonly url: string;
  readonly authorizations: readonly URLSearchParams[];
  readonly registrations: readonly Record<string, unknown>[];
  readonly tokenRequests: readonly URLSearchParams[];
  accepts(accessToken: string): boolean;
  stop(): Promise<void>;
}

export interface AuthorizingBehaviour {
  readonly registers?: boolean;
  /**
   * Whether codes are rejected. The error repeats the request, as some servers do, so that tests
   * detect a leak of its secrets.
   */
  readonly refusesCodes?: boolean;
  readonly bringBack?: (answer: URLSearchParams) => void;
}

// biome-ignore lint/complexity/noExcessiveLinesPerFunction: all endpoints of the issuer share its codes and tokens.
export async function startAuthorizingIssuer({
  registers = true,
  refusesCodes = false,
  bringBack = () => undefined,
}: AuthorizingBehaviour = {}): Promise<AuthorizingIssuer> {
  const authorizations: URLSearchParams[] = [];
  const registrations: Record<string, unknown>[] = [];
  const tokenRequests: URLSearchParams[] = [];
  const challenges = new Map<string, string>();
  const issued = new Set<string>();
  const any = (kind: string) => `${kind}-${randomBytes(12).toString('hex')}`;

  const authorize = (asked: URLSearchParams): string => {
    authorizations.push(asked);
    const code = any('code');
    challenges.set(code, asked.get('code_challenge') ?? '');
    const answer = new URLSearchParams({ code, state: asked.get('state') ?? '' });
    bringBack(answer);
    return `${asked.get('redirect_uri')}?${answer}`;
  };
  const exchange = (form: URLSearchParams): [number, unknown] => {
    tokenRequests.push(form);
    const challenge = challenges.get(form.get('code') ?? '');
    const proof = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url');
    challenges.delete(form.get('code') ?? '');
    if (refusesCodes || challenge !== proof) {
      return [400, { error: 'invalid_grant', error_description: `Refused: ${form}` }];
    }
    const access_token = any('access');
    issued.add(access_token);
    const lifetime = { token_type: 'Bearer', expires_in: 3600 };
    return [200, { access_token, refresh_token: any('refresh'), ...lifetime }];
  };
  const documentFor = async (
    request: IncomingMessage,
    path: string,
  ): Promise<[number, unknown]> => {
    const body = await readStream(request);
    if (path === '/.well-known/oauth-authorization-server') {
      const document = {
        issuer: url,
        authorization_endpoint: `${url}/authorize`,
        token_endpoint: `${url}/token`,
        response_types_supported: ['code'],
        code_challenge_methods_supported: ['S256'],
        token_endpoint_auth_methods_supported: ['none'],
        ...(registers && { registration_endpoint: `${url}/register` }),
      };
      return [200, document];
    }
    if (path === '/token') return exchange(new URLSearchParams(body));
    if (path !== '/register' || !registers) return [404, {}];
    const registration = JSON.parse(body) as Record<string, unknown>;
    registrations.push(registration);
    return [201, { ...registration, client_id: any('client') }];
  };

  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', url);
    if (pathname === '/authorize') {
      response.writeHead(302, { location: authorize(searchParams) }).end();
      return;
    }
    documentFor(request, pathname)
      .then(([status, document]) =>
        response
          .writeHead(status, { 'content-type': 'application/json' })
          .end(JSON.stringify(document)),
      )
      .catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    authorizations,
    registrations,
    tokenRequests,
    accepts: (token) => issued.has(token),
    async stop() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
