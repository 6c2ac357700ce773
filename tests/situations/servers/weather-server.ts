import type { ServerResponse } from 'node:http';
import {
  type FakeAnswer,
  type FakeRequest,
  rpcError,
  rpcResult,
  sendJson,
  startFakeMcpServer,
} from '@proofmark/harness/mcp-servers/fake-mcp-server.ts';
import { stageTools } from '@proofmark/harness/stage-servers.ts';
import type { ServerStart } from '../situation.ts';

type Json = Record<string, unknown>;

export interface WeatherOptions {
  readonly weather?: FakeAnswer;
  readonly tools?: readonly Json[];
  readonly answers?: Readonly<Record<string, FakeAnswer>>;
  readonly saved?: object;
}

export function weather({
  weather,
  tools = stageTools,
  answers,
  saved,
}: WeatherOptions = {}): ServerStart {
  return async () => {
    const server = await startFakeMcpServer({
      'tools/list': { tools },
      'tools/call': (response, request) => {
        const { name } = request.message['params'] as { name: string };
        const answer = name === 'clock' ? noon : (weather ?? sunny);
        if (typeof answer === 'function') answer(response, request);
        else sendJson(response, rpcResult(request, answer));
      },
      ...answers,
    });
    return { ...server, ...(saved && { saved }) };
  };
}

export function asked(requests: readonly FakeRequest[] = [], method = 'tools/call'): number {
  return requests.filter(({ message }) => message['method'] === method).length;
}

export const sunny: Json = { content: [{ type: 'text', text: 'It is sunny.' }] };
const noon: Json = { content: [{ type: 'text', text: 'It is noon.' }] };

export function says(text: string): Json {
  return { content: [{ type: 'text', text }] };
}

export function isError(text: string): Json {
  return { content: [{ type: 'text', text }], isError: true };
}

export function error(code: number, message = 'It broke.', status = 200): FakeAnswer {
  return (response, request) => sendJson(response, rpcError(request, code, message), status);
}

export function status(number: number, headers: Record<string, string> = {}): FakeAnswer {
  return (response) => response.writeHead(number, headers).end();
}

export function html(number = 200): FakeAnswer {
  return (response) =>
    response
      .writeHead(number, { 'content-type': 'text/html' })
      .end('<!doctype html><title>Sign in</title><p>Please sign in.</p>');
}

export function raw(body: string): FakeAnswer {
  return (response) => response.writeHead(200, { 'content-type': 'application/json' }).end(body);
}

export const silence: FakeAnswer = () => undefined;
export const cut: FakeAnswer = (response) => response.socket?.destroy();

export function first(times: number, answer: FakeAnswer, then: FakeAnswer = sunny): FakeAnswer {
  let count = 0;
  return (response, request) => {
    count += 1;
    give(count <= times ? answer : then, response, request);
  };
}

export function give(answer: FakeAnswer, response: ServerResponse, request: FakeRequest): void {
  if (typeof answer === 'function') answer(response, request);
  else sendJson(response, rpcResult(request, answer));
}

export function atConnect(answer: FakeAnswer): Readonly<Record<string, FakeAnswer>> {
  return { initialize: answer, 'server/discover': answer };
}
