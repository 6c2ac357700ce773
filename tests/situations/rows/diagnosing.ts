import type { FakeAnswer } from '@proofmark/harness/mcp-servers/fake-mcp-server.ts';
import { everything } from '../servers/real-servers.ts';
import { sdk } from '../servers/sdk-server.ts';
import {
  atConnect,
  cut,
  error,
  html,
  isError,
  silence,
  status,
  weather,
} from '../servers/weather-server.ts';
import type { AskSituation, ServerStart, Theme } from '../situation.ts';

const callWeather = { toolName: 'weather', parameters: { city: 'Rome' } };

function asks(
  what: string,
  A: ServerStart,
  [operation, body]: readonly [operation: string, body: object],
  expected: Readonly<Record<string, unknown>>,
): AskSituation {
  return {
    name: what,
    servers: { A },
    expected,
    ask: async (fixture, { servers }) => {
      const answer = await fixture.ask('POST', `servers/${servers['A']}/${operation}`, body);
      const { code, details } = answer.body ?? {};
      const { mcpError, reason } = details ?? {};
      return {
        status: answer.status,
        code,
        reason,
        isError: answer.body?.isError,
        mcpCode: mcpError?.code,
        hasMessage: typeof mcpError?.message === 'string',
      };
    },
  };
}

const called = (what: string, answer: FakeAnswer, expected: Readonly<Record<string, unknown>>) =>
  asks(
    `a call is answered with ${what}`,
    weather({ weather: answer }),
    ['tools/call', callWeather],
    expected,
  );
const serverError = (mcpCode: number) => ({
  status: 502,
  reason: 'SERVER_ERROR',
  mcpCode,
  hasMessage: true,
});
const nothingCame = { status: 502, code: 'SERVER_UNREACHABLE', reason: 'CONNECT_FAILED' };

export const diagnosing: Theme = {
  theme: 'diagnostics',
  situations: [
    called('-32602', error(-32_602, 'No city.'), { status: 400, code: 'VALIDATION_ERROR' }),
    called('-32601', error(-32_601), { status: 422, code: 'FEATURE_NOT_SUPPORTED' }),
    ...[-32_603, -32_000, -32_001, -32_050, -32_099, 7].map((code) =>
      called(`${code}`, error(code, 'It broke.'), serverError(code)),
    ),
    called('isError', isError('No such city.'), { status: 200, isError: true }),
    called('HTTP 401', status(401, { 'www-authenticate': 'Bearer' }), {
      status: 401,
      code: 'OAUTH_REQUIRED',
    }),
    called('HTTP 403', status(403), { status: 403, code: 'FORBIDDEN' }),
    called('a page', html(), { status: 502, code: 'SERVER_UNREACHABLE' }),
    asks(
      'a resource that is not there',
      weather({ answers: { 'resources/read': error(-32_002, 'Resource not found') } }),
      ['resources/read', { uri: 'demo://nowhere' }],
      { status: 404, code: 'NOT_FOUND' },
    ),
    asks(
      'a resource that server-everything does not have',
      everything(),
      ['resources/read', { uri: 'demo://resource/dynamic/nowhere/1' }],
      { status: 404, code: 'NOT_FOUND' },
    ),
    asks(
      'a prompt with missing arguments on server-everything',
      everything(),
      ['prompts/get', { promptName: 'args-prompt' }],
      { status: 400, code: 'VALIDATION_ERROR' },
    ),
    asks('resources of a server of the 1.x SDK that has none', sdk(), ['resources', {}], {
      status: 422,
      code: 'FEATURE_NOT_SUPPORTED',
    }),
    asks('the tools of a server of the 1.x SDK over SSE', sdk('sse'), ['tools', {}], {
      status: 200,
    }),
    asks(
      'nobody listens at the address',
      async () => ({ url: 'http://127.0.0.1:9/mcp', stop: async () => undefined }),
      ['tools', {}],
      nothingCame,
    ),
    asks(
      'the connection is cut before any answer',
      weather({ answers: atConnect(cut) }),
      ['tools', {}],
      nothingCame,
    ),
    asks(
      'the list is answered with -32603',
      weather({ answers: { 'tools/list': error(-32_603) } }),
      ['tools', {}],
      serverError(-32_603),
    ),
    asks(
      'nothing is answered in time',
      weather({ answers: { 'tools/list': silence }, saved: { timeout: 400 } }),
      ['tools', {}],
      { status: 504, code: 'TIMEOUT' },
    ),
  ],
};
