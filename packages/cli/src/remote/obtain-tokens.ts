/**
 * Obtains tokens for an MCP server through this machine's browser, by an authorization code with
 * PKCE. The code arrives at a loopback port that is open only during the login. A response without
 * this login's `state` is rejected.
 */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  discoverOAuthServerInfo,
  exchangeAuthorization,
  type FetchLike,
  OAuthError,
  registerClient,
  startAuthorization,
} from '@modelcontextprotocol/client';
import { cleanText, readResourceMetadata, resourceMetadataHint } from '@proofmark/domain';
import { UsageProblem } from './exit-codes.ts';

export interface OAuthLogin {
  readonly serverUrl: string;
  readonly scopes: readonly string[];
  /**
   * The client registered with the issuer. If undefined, the command registers a client
   * dynamically, if the issuer allows it.
   */
  readonly client: { readonly clientId: string; readonly clientSecret?: string } | undefined;
  /**
   * The loopback port of the redirect address. A client registered with a fixed redirect address
   * needs that address's port.
   */
  readonly port: number;
  readonly show: (address: string) => void;
  readonly signal: AbortSignal;
}

export async function obtainTokens({ serverUrl, scopes, client, port, show, signal }: OAuthLogin) {
  const listener = createServer();
  listener.listen(port, '127.0.0.1');
  await once(listener, 'listening');
  try {
    const redirectUrl = `http://127.0.0.1:${(listener.address() as AddressInfo).port}/callback`;
    const fetchFn = (address: string | URL, init?: RequestInit) =>
      fetch(address, { ...init, signal });
    const { issuer, metadata, resource } = await findIssuer(serverUrl, fetchFn, signal);
    const scope = scopes.join(' ');
    const clientInformation =
      client === undefined
        ? await register()
        : {
            client_id: client.clientId,
            ...(client.clientSecret !== undefined && { client_secret: client.clientSecret }),
          };
    const state = randomBytes(24).toString('base64url');
    const { authorizationUrl, codeVerifier } = await startAuthorization(issuer, {
      metadata,
      clientInformation,
      redirectUrl,
      state,
      ...(scope !== '' && { scope }),
      ...(resource !== undefined && { resource }),
    });
    const answered = answerTo(listener, state, signal);
    show(authorizationUrl.href);
    const { code, iss } = await answered;
    const tokens = await exchangeAuthorization(issuer, {
      metadata,
      clientInformation,
      codeVerifier,
      fetchFn,
      authorizationCode: code,
      redirectUri: redirectUrl,
      ...(iss !== undefined && { iss }),
      ...(resource !== undefined && { resource: new URL(resource) }),
    }).catch(refusedCode);
    const { client_id: clientId, client_secret: clientSecret } = clientInformation;
    const issuedTo = { clientId, ...(clientSecret !== undefined && { clientSecret }) };
    return { tokens, client: issuedTo };

    function register() {
      if (metadata.registration_endpoint === undefined) {
        throw new UsageProblem(
          `The issuer has no dynamic client registration: register a client for ${redirectUrl} (--port fixes the port), and pass its id with --client-id.`,
        );
      }
      return registerClient(issuer, {
        metadata,
        fetchFn,
        clientMetadata: {
          client_name: 'Proofmark',
          redirect_uris: [redirectUrl],
          grant_types: ['authorization_code', 'refresh_token'],
          response_types: ['code'],
          token_endpoint_auth_method: 'none',
        },
        ...(scope !== '' && { scope }),
      });
    }
  } finally {
    listener.close();
    listener.closeAllConnections();
  }
}

async function findIssuer(serverUrl: string, fetchFn: FetchLike, signal: AbortSignal) {
  const hint = await askForHint(serverUrl, signal);
  const found = await discoverOAuthServerInfo(serverUrl, {
    ...(hint !== undefined && { resourceMetadataUrl: new URL(hint) }),
    fetchFn,
  });
  const { authorizationServerUrl: issuer, authorizationServerMetadata: metadata } = found;
  if (metadata === undefined) {
    throw new Error('No authorization server was found for this server; check its OAuth metadata.');
  }
  const described = readResourceMetadata(found.resourceMetadata, serverUrl, null);
  if (described.kind === 'anotherResource') {
    throw new Error(
      'The OAuth metadata of this server is for another resource; check the address of the server.',
    );
  }
  return { issuer, metadata, resource: found.resourceMetadata?.resource };
}

/**
 * Throws only the OAuth error code. Some issuers quote the request, including secrets, in their
 * messages.
 */
function refusedCode(error: unknown): never {
  const named = error instanceof OAuthError && /^\w{1,40}$/.test(error.code) ? error.code : '';
  throw new Error(`The issuer gave no tokens for the login${named && `: ${named}`}.`);
}

/**
 * Waits for the browser's request with a code. A request without this login's `state` is rejected,
 * and the wait continues.
 */
function answerTo(
  listener: Server,
  state: string,
  signal: AbortSignal,
): Promise<{ code: string; iss: string | undefined }> {
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () =>
      reject(new Error('The login was not completed in time; run the command again.')),
    );
    listener.on('request', (request, response) => {
      const { pathname, searchParams } = new URL(request.url ?? '/', 'http://127.0.0.1');
      const answer = (status: number, sentence: string) =>
        response
          .writeHead(status, { 'content-type': 'text/plain; charset=utf-8', connection: 'close' })
          .end(`${sentence}\n`);
      if (pathname !== '/callback' || searchParams.get('state') !== state) {
        answer(400, 'This answer does not belong to an open login; start the login again.');
        return;
      }
      const code = searchParams.get('code');
      if (code === null) {
        const why = cleanText(searchParams.get('error') ?? 'it sent no code', false);
        answer(200, 'You are not logged in. The terminal shows the reason.');
        response.once('close', () => reject(new Error(`The issuer rejected the login: ${why}.`)));
        return;
      }
      answer(200, 'You are logged in. Close this page and go back to the terminal.');
      response.once('close', () => resolve({ code, iss: searchParams.get('iss') ?? undefined }));
    });
  });
}

/**
 * Sends a ping without a token and returns the metadata address in the response's WWW-Authenticate
 * header. A ping opens no session.
 */
async function askForHint(serverUrl: string, signal: AbortSignal): Promise<string | undefined> {
  const response = await fetch(serverUrl, {
    method: 'POST',
    headers: { accept: 'application/json, text/event-stream', 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' }),
    signal,
  });
  await response.body?.cancel();
  return resourceMetadataHint(response.headers.get('www-authenticate'));
}
