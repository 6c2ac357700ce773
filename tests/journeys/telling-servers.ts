/**
 * Servers and models that return every secret that they receive, in all encodings of an answer, and
 * that have secrets of their own.
 */
import { writeFileSync } from 'node:fs';
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib';
import {
  type FakeMcpServer,
  rpcResult,
  sendJson,
  startFakeMcpServer,
} from '@proofmark/harness/mcp-servers/fake-mcp-server.ts';
import { startOpenAiServer } from '@proofmark/harness/model-servers/start-openai-server.ts';

/** Planted secrets. No text of the product contains them, so finding one shows a leak. */
export const canaries = {
  bearer: 'canary-bearer-11',
  apiKey: 'canary-header-22',
  cookie: 'canary-cookie-33',
  /** A value for a header whose name does not look secret. */
  plainHeader: 'canary44plain55header',
  query: 'canary-query-66',
  environment: 'canary-environment-77',
  /** A value for a variable whose name does not look secret. */
  plainVariable: 'canary88plain99variable',
  operatorKey: 'canary-operator-key-10',
  callerKey: 'canary-caller-key-12',
  /** Values that tools and models return under names that look secret. */
  structured: 'canary-structured-13',
  inText: 'canary-in-text-14',
  inInnerText: 'canary-in-inner-text-15',
  listed: 'canary-listed-16',
  argument: 'canary-argument-17',
  later: 'canary-later-18',
} as const;
/** Part of a URL that is rejected. */
export const userInfo = 'canary-user-info-19';

export interface TellingServers {
  readonly baseUrl: string;
  /** The query of this URL contains a secret. */
  readonly serverUrl: string;
  readonly requests: FakeMcpServer['requests'];
  readonly keys: Set<string | undefined>;
  changeAnswers(): void;
  stop(): Promise<void>;
}

export async function startTellingServers(): Promise<TellingServers> {
  let isLater = false;
  const keys = new Set<string | undefined>();
  const provider = await startOpenAiServer({
    one: ({ messages }, _count, authorization) => {
      keys.add(authorization);
      const isAnswered = messages.some(({ role }) => role === 'tool');
      const text = `There are 5 copies. I use ${authorization}. {"token": "${canaries.inText}"}`;
      if (isAnswered) return { text, reasoning: `My key is ${authorization}.` };
      const asked = { title: 'Emma', apiKey: canaries.argument };
      return { toolCalls: [{ name: 'stock', arguments: asked }] };
    },
    refused: (_request, _count, authorization) => {
      keys.add(authorization);
      const message = `Incorrect API key provided: ${authorization}.`;
      return { status: 400, body: JSON.stringify({ error: { message } }) };
    },
  });
  const inputSchema = { type: 'object', properties: { title: { type: 'string' } } };
  const server = await startFakeMcpServer({
    initialize: (response, request) =>
      sendJson(
        response,
        rpcResult(request, {
          protocolVersion: '2025-06-18',
          capabilities: { tools: {} },
          serverInfo: { name: 'shop', version: '1' },
          instructions: `You are ${request.headers.authorization}.`,
        }),
      ),
    'tools/list': (response, request) =>
      sendJson(
        response,
        rpcResult(request, {
          tools: [
            {
              name: 'stock',
              inputSchema,
              description: `Counts copies for ${request.headers['x-api-key']} and ${canaries.query}.`,
            },
            { name: 'fail', inputSchema, description: 'Fails.' },
          ],
        }),
      ),
    'tools/call': (response, request) => {
      const { name } = request.message['params'] as { readonly name: string };
      const result = resultFor(request, isLater);
      const answer = name === 'fail' ? { ...result, isError: true } : result;
      sendJson(response, rpcResult(request, answer));
    },
  });
  return {
    baseUrl: provider.baseUrl,
    keys,
    requests: server.requests,
    serverUrl: `${new URL(server.url).origin}/mcp?token=${canaries.query}`,
    changeAnswers() {
      isLater = true;
    },
    async stop() {
      await server.stop();
      await provider.stop();
    },
  };
}

function resultFor(request: FakeMcpServer['requests'][number], isLater: boolean) {
  const { authorization, cookie } = request.headers;
  const got = [authorization, request.headers['x-api-key'], cookie, request.headers['x-route']];
  const inner = JSON.stringify({ deep: { refresh_token: canaries.inInnerText } });
  const echoed = { password: canaries.inText, inner, got, query: canaries.query };
  const structured = {
    title: 'Emma',
    copies: isLater ? 6 : 5,
    got,
    credentials: { user: 'me', code: canaries.structured },
    list: [{ accessToken: canaries.listed }],
    ...(isLater && { secret: canaries.later }),
  };
  return {
    content: [
      { type: 'text', text: `I got ${got.join(' and ')}. ${JSON.stringify(echoed)}` },
      { type: 'text', text: `Base64: ${Buffer.from(canaries.apiKey).toString('base64')}` },
      {
        type: 'resource',
        resource: { uri: `shop://x?token=${canaries.query}`, text: JSON.stringify(echoed) },
      },
    ],
    structuredContent: structured,
  };
}

/** A stdio server without any library. It returns its environment. */
export function writeTellingServer(file: string): void {
  writeFileSync(
    file,
    `import { writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
const { SHOP_KEY, SHOP_PLACE, SEEN } = process.env;
if (SEEN) writeFileSync(SEEN, JSON.stringify([SHOP_KEY, SHOP_PLACE]));
console.error('I was started with ' + SHOP_KEY + ' at ' + SHOP_PLACE);
const text = 'My key is ' + SHOP_KEY + ' at ' + SHOP_PLACE + ' ' + JSON.stringify({ api_key: '${canaries.inText}' });
const answers = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'files', version: '1' }, instructions: text,
  }),
  'tools/list': () => ({ tools: [{ name: 'read_file', description: 'Reads ' + SHOP_KEY, inputSchema: { type: 'object' } }] }),
  'tools/call': () => ({ content: [{ type: 'text', text }] }),
};
for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) continue;
  const answer = answers[method];
  const rest = answer ? { result: answer(params) } : { error: { code: -32601, message: 'No.' } };
  console.log(JSON.stringify({ jsonrpc: '2.0', id, ...rest }));
}
`,
  );
}

/** Returns the names of the canaries in a text, also of those in base64. */
export function canariesIn(text: string): string[] {
  return [...Object.entries(canaries), ['userInfo', userInfo] as const].flatMap(
    ([name, secret]) => {
      const base64 = Buffer.from(secret).toString('base64').replace(/=+$/, '');
      return text.includes(secret) || text.includes(base64) ? [name] : [];
    },
  );
}

const unpack = [gunzipSync, inflateSync, brotliDecompressSync];

export function textsIn(value: unknown): string[] {
  if (!Buffer.isBuffer(value)) return [typeof value === 'string' ? value : JSON.stringify(value)];
  const unpacked = unpack.flatMap((read) => {
    try {
      return [read(value).toString()];
    } catch {
      return [];
    }
  });
  return [value.toString('latin1'), ...unpacked];
}
