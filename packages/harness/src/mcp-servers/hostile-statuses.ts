import {
  afterInitialize,
  blocked,
  type Exchange,
  type Expected,
  everyStep,
  fine,
  type HostileMode,
  sendJson,
} from './hostile-mode.ts';

const oauth = { status: 401, code: 'OAUTH_REQUIRED' };
const refused = { status: 403, code: 'FORBIDDEN', reason: 'CREDENTIALS_REJECTED' };
const unreachable = { status: 502, code: 'SERVER_UNREACHABLE' };

export const statuses = {
  unauthorized: answers(401, oauth, { 'www-authenticate': 'Bearer realm="tools"' }),
  metadataInward: {
    steps: everyStep,
    misbehave: ({ response, elsewhere }: Exchange) => {
      const header = `Bearer resource_metadata="${elsewhere}/.well-known/oauth-protected-resource"`;
      response.writeHead(401, { 'www-authenticate': header }).end();
    },
    expected: oauth,
  },
  forbidden: answers(403, refused),
  insufficientScope: answers(403, refused, {
    'www-authenticate': 'Bearer error="insufficient_scope", scope="admin"',
  }),
  notFound: answers(404, unreachable),
  methodNotAllowed: answers(405, unreachable),
  tooManyRequests: answers(
    429,
    { ...unreachable, reason: 'TARGET_RATE_LIMITED' },
    { 'retry-after': '17' },
  ),
  serverError: answers(500, unreachable),
  badGateway: answers(502, unreachable),
  htmlPage: {
    steps: everyStep,
    misbehave: ({ response }: Exchange) =>
      response
        .writeHead(200, { 'content-type': 'text/html' })
        .end('<!doctype html><title>Sign in</title><script>alert(1)</script>'),
    expected: { ...unreachable, reason: 'INVALID_RESPONSE' },
  },
  dropsConnection: {
    steps: everyStep,
    misbehave: ({ request }: Exchange) => request.socket.destroy(),
    expected: unreachable,
  },
  dropsMidAnswer: {
    steps: everyStep,
    misbehave: ({ request, response }: Exchange) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': 1000 });
      response.write('{"jsonrpc":', () => request.socket.destroy());
    },
    expected: unreachable,
  },
  sessionLostOnce: {
    // The service reopens a session that worked before, so the operation succeeds. It does not
    // retry a session that never worked.
    steps: afterInitialize,
    misbehave: (exchange: Exchange) => {
      if (exchange.times > 1) exchange.answerPolitely();
      else sendJson(exchange, rpcError(exchange, -32_001, 'Session not found'), 404);
    },
    expected: [fine, unreachable],
  },
  echoesCredentials: {
    steps: everyStep,
    misbehave: (exchange: Exchange) => {
      const { authorization, 'x-secret': secret } = exchange.request.headers;
      const words = `You sent ${authorization} and ${String(secret)} \u001b[31m\u0000`;
      sendJson(exchange, rpcError(exchange, -32_050, words.repeat(50)));
    },
    expected: unreachable,
  },
  echoesCredentialsInStatus: {
    steps: everyStep,
    misbehave: (exchange: Exchange) => {
      const { authorization, 'x-secret': secret } = exchange.request.headers;
      exchange.response
        .writeHead(500, { 'content-type': 'text/plain' })
        .end(`${authorization} ${String(secret)}`);
    },
    expected: unreachable,
  },
  invalidParams: {
    steps: ['call'],
    misbehave: (exchange: Exchange) =>
      sendJson(exchange, rpcError(exchange, -32_602, 'No such argument')),
    expected: { status: 400, code: 'VALIDATION_ERROR', reason: 'INVALID_PARAMS' },
  },
  ...Object.fromEntries(
    [301, 302, 303, 307, 308].map((status) => [
      `redirectElsewhere${status}`,
      {
        steps: everyStep,
        misbehave: ({ response, elsewhere, request }) =>
          response.writeHead(status, { location: `${elsewhere}${request.url}` }).end(),
        expected: blocked,
      } satisfies HostileMode,
    ]),
  ),
  ...Object.fromEntries(
    [301, 302, 303, 307, 308].map((status) => [
      `redirectHere${status}`,
      {
        steps: everyStep,
        misbehave: ({ response, origin }) =>
          response.writeHead(status, { location: `${origin}/polite` }).end(),
        // 307 and 308 keep the method, so the call succeeds. The other statuses turn the POST into
        // a GET, which calls no tool.
        expected: status > 303 ? fine : unreachable,
      } satisfies HostileMode,
    ]),
  ),
  redirectLoop: {
    steps: everyStep,
    misbehave: ({ response, request }: Exchange) =>
      response.writeHead(307, { location: String(request.url) }).end(),
    expected: unreachable,
  },
} satisfies Record<string, HostileMode>;

function answers(
  status: number,
  expected: Expected,
  headers: Record<string, string> = {},
): HostileMode {
  return {
    steps: everyStep,
    misbehave: ({ response }) => response.writeHead(status, headers).end(),
    expected,
  };
}

function rpcError({ message }: Exchange, code: number, words: string) {
  return { jsonrpc: '2.0', id: message?.id ?? null, error: { code, message: words } };
}
