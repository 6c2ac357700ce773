import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createGuardedFetch } from '../../egress/guarded-fetch.ts';
import { discoverIssuer } from './discover-issuer.ts';

let server: Server;
let origin: string;
/** The answer at each path: a document, or a text that is sent unchanged. */
let documents: Record<string, unknown>;
let hint: string | undefined;
let asked: string[];

beforeEach(async () => {
  documents = {};
  hint = undefined;
  asked = [];
  server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    if (request.url === '/mcp') {
      response.setHeader(
        'www-authenticate',
        `Bearer${hint ? ` resource_metadata="${hint}"` : ' realm="x"'}`,
      );
      response.writeHead(401).end('no');
      return;
    }
    const document = documents[request.url ?? ''];
    if (document === silence) return;
    response.writeHead(document === undefined ? 404 : 200, { 'content-type': 'application/json' });
    response.end(typeof document === 'string' ? document : JSON.stringify(document ?? {}));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(async () => {
  const closed = once(server, 'close');
  server.close();
  server.closeAllConnections();
  await closed;
});

const silence = Symbol('silence');
const fetchGuarded = createGuardedFetch({ allowLoopback: true, allowedPrivateHosts: [] });

function discover(declared: string | null = null, signal = new AbortController().signal) {
  return discoverIssuer({ fetch: fetchGuarded, signal }, `${origin}/mcp`, declared);
}

function metadataOf(issuer: string, more: object = {}) {
  return { issuer, token_endpoint: `${issuer}/token`, ...more };
}

const notFound = { code: 'SERVER_UNREACHABLE', details: { reason: 'ISSUER_NOT_FOUND' } };

test('the document that the server names leads to the issuer', async () => {
  hint = `${origin}/about`;
  documents = {
    '/about': { resource: `${origin}/mcp`, authorization_servers: [origin] },
    '/.well-known/oauth-authorization-server': metadataOf(origin, {
      token_endpoint_auth_methods_supported: ['client_secret_post'],
    }),
  };
  expect(await discover()).toEqual({
    issuer: origin,
    tokenEndpoint: `${origin}/token`,
    authentications: ['client_secret_post'],
    resource: `${origin}/mcp`,
  });
  expect(asked).toEqual(['POST /mcp', 'GET /about', 'GET /.well-known/oauth-authorization-server']);
});

test.each(['/.well-known/oauth-protected-resource/mcp', '/.well-known/oauth-protected-resource'])(
  'a document at %s is found without a hint',
  async (path) => {
    documents = {
      [path]: { resource: origin, authorization_servers: [`${origin}/tenant`] },
      '/.well-known/oauth-authorization-server/tenant': metadataOf(`${origin}/tenant`),
    };
    expect(await discover()).toMatchObject({ issuer: `${origin}/tenant`, resource: origin });
  },
);

test.each(['/.well-known/openid-configuration/tenant', '/tenant/.well-known/openid-configuration'])(
  'the OpenID form at %s is read too',
  async (path) => {
    documents = {
      '/.well-known/oauth-protected-resource': {
        resource: origin,
        authorization_servers: [`${origin}/tenant`],
      },
      [path]: metadataOf(`${origin}/tenant`),
    };
    expect(await discover()).toMatchObject({ tokenEndpoint: `${origin}/tenant/token` });
  },
);

test('an older server without a document is its own issuer', async () => {
  documents = { '/.well-known/oauth-authorization-server': metadataOf(origin) };
  expect(await discover()).toEqual({
    issuer: origin,
    tokenEndpoint: `${origin}/token`,
    resource: null,
  });
});

test('a document about another resource ends the search', async () => {
  documents = {
    '/.well-known/oauth-protected-resource/mcp': {
      resource: 'https://another.example/mcp',
      authorization_servers: [origin],
    },
    '/.well-known/oauth-authorization-server': metadataOf(origin),
  };
  await expect(discover()).rejects.toMatchObject(notFound);
  expect(asked).not.toContain('GET /.well-known/oauth-authorization-server');
  expect(await discover('https://another.example/mcp')).toMatchObject({ issuer: origin });
});

test.each([
  ['another issuer', () => metadataOf('https://another.example')],
  ['no token endpoint', () => ({ issuer: origin })],
  ['a token endpoint that is no URL', () => ({ issuer: origin, token_endpoint: 'token' })],
  ['an address that cannot be kept', () => metadataOf(origin, { token_endpoint: `${origin}/\0` })],
  ['no JSON', () => '<html>'],
  ['a list', () => []],
  ['a huge document', () => JSON.stringify({ ...metadataOf(origin), x: 'x'.repeat(300_000) })],
  ['deep nesting', () => '['.repeat(100_000)],
])('metadata with %s is not taken', async (_what, document) => {
  documents = { '/.well-known/oauth-authorization-server': document() };
  await expect(discover()).rejects.toMatchObject(notFound);
});

test('a hint that leads nowhere is not replaced by a guess', async () => {
  hint = `${origin}/nowhere`;
  documents = { '/.well-known/oauth-authorization-server': metadataOf(origin) };
  await expect(discover()).rejects.toMatchObject(notFound);
});

test.each(['http://169.254.169.254/latest', 'http://10.0.0.1/prm', 'http://[::ffff:10.0.0.1]/prm'])(
  'a hint that points inward (%s) is refused by the guarded fetch',
  async (address) => {
    hint = address;
    await expect(discover()).rejects.toMatchObject({
      code: 'SERVER_UNREACHABLE',
      details: { reason: 'EGRESS_BLOCKED' },
    });
  },
);

test('an issuer that points inward is refused by the guarded fetch', async () => {
  documents = {
    '/.well-known/oauth-protected-resource/mcp': {
      resource: origin,
      authorization_servers: ['http://10.0.0.1'],
    },
  };
  await expect(discover()).rejects.toMatchObject({ details: { reason: 'EGRESS_BLOCKED' } });
});

test('silence ends when the caller has gone', async () => {
  documents = { '/.well-known/oauth-protected-resource/mcp': silence };
  await expect(discover(null, AbortSignal.timeout(300))).rejects.toMatchObject({
    code: 'TIMEOUT',
  });
});

test('a server that is not there has no issuer', async () => {
  server.closeAllConnections();
  const free = origin.replace(/\d+$/, '9');
  const dependencies = { fetch: fetchGuarded, signal: new AbortController().signal };
  await expect(discoverIssuer(dependencies, `${free}/mcp`, null)).rejects.toMatchObject(notFound);
});
