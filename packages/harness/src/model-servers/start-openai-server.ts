/**
 * A model provider on loopback that implements OpenAI's chat completions, also streamed. Each model
 * is a function from the request to an outcome; a model without a function returns an empty text.
 * Requests are counted but not stored.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ChatRequest {
  readonly model: string;
  readonly stream?: boolean;
  readonly messages: readonly ChatMessage[];
  readonly tools?: readonly { readonly function: { readonly name: string } }[];
  readonly tool_choice?: unknown;
  readonly temperature?: number;
  readonly top_p?: number;
  readonly max_tokens?: number;
  readonly seed?: number;
  readonly reasoning_effort?: string;
}

export interface ChatMessage {
  readonly role: 'system' | 'user' | 'assistant' | 'tool';
  // biome-ignore lint/suspicious/noExplicitAny: a text for most, a list of parts or nothing for some.
  readonly content: any;
  readonly reasoning_content?: string;
  readonly tool_calls?: readonly {
    readonly id: string;
    readonly function: { readonly name: string; readonly arguments: string };
  }[];
  readonly tool_call_id?: string;
}

export type ChatOutcome =
  | {
      readonly text?: string;
      /** Reasoning of the model, sent before the text. */
      readonly reasoning?: string;
      /** `arguments` that are a string are sent unchanged. */
      readonly toolCalls?: readonly { readonly name: string; readonly arguments: unknown }[];
      readonly finishReason?: string;
      /**
       * Sends the whole response in one piece even if the request asks for a stream, as some
       * servers do.
       */
      readonly isWhole?: true;
      /**
       * Called with the number of each streamed piece (from 0). The piece is sent after the
       * returned promise resolves.
       */
      readonly beforePiece?: (piece: number) => unknown;
      /** The reported token usage (default: 10 in, 5 out). Null reports none. */
      readonly usage?: object | null;
    }
  | {
      readonly status: number;
      readonly body?: string;
      readonly headers?: Readonly<Record<string, string>>;
    }
  | 'hang'
  /** The connection is closed before any response. */
  | 'cut'
  | 'garbage';

export type ModelScript = (
  request: ChatRequest,
  count: number,
  authorization: string | undefined,
) => ChatOutcome | Promise<ChatOutcome>;

/** Rejects a request that lacks the reasoning of its earlier tool calls, as some providers do. */
export function wantingReasoning(script: ModelScript): ModelScript {
  const given = new Set<string | undefined>();
  return async (request, count, authorization) => {
    const lost = request.messages.some(
      (message) => message.tool_calls !== undefined && !given.has(message.reasoning_content),
    );
    if (lost) return { status: 400, body: '{"error":{"message":"The reasoning is missing."}}' };
    const outcome = await script(request, count, authorization);
    if (typeof outcome === 'object' && 'reasoning' in outcome) given.add(outcome.reasoning);
    return outcome;
  };
}

export interface OpenAiServer {
  readonly baseUrl: string;
  readonly scripts: Map<string, ModelScript>;
  count(model?: string): number;
  readonly atOnce: number;
  readonly mostAtOnce: number;
  readonly connections: number;
  stop(): Promise<void>;
}

export async function startOpenAiServer(
  scripts: Readonly<Record<string, ModelScript>> = {},
): Promise<OpenAiServer> {
  const byModel = new Map(Object.entries(scripts));
  const counts = new Map<string, number>();
  let total = 0;
  let atOnce = 0;
  let mostAtOnce = 0;
  let connections = 0;
  const server = createServer((request, response) => {
    atOnce += 1;
    mostAtOnce = Math.max(mostAtOnce, atOnce);
    response.once('close', () => {
      atOnce -= 1;
    });
    answer(request, response).catch(() => response.destroy());
  });
  server.on('connection', () => {
    connections += 1;
  });
  // Idle connections stay open. If the server closed them, a request sent at that moment would be
  // neither answered nor counted.
  server.keepAliveTimeout = 0;

  // biome-ignore lint/complexity/noExcessiveCognitiveComplexity: a list of the outcomes of a script, one branch for each.
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chat = JSON.parse(await textOf(request)) as ChatRequest;
    const count = (counts.get(chat.model) ?? 0) + 1;
    counts.set(chat.model, count);
    total += 1;
    const script = byModel.get(chat.model);
    const outcome = (await script?.(chat, count, request.headers.authorization)) ?? {};
    if (outcome === 'hang') return;
    if (outcome === 'cut') {
      request.socket.destroy();
    } else if (outcome === 'garbage') {
      send(response, 200, '<html>busy</html>');
    } else if ('status' in outcome) {
      send(response, outcome.status, outcome.body ?? '{"error":{"message":"no"}}', outcome.headers);
    } else {
      const whole = completion(chat.model, total, outcome);
      if (chat.stream && !outcome.isWhole) await sendPieces(response, whole, outcome.beforePiece);
      else send(response, 200, JSON.stringify(whole));
    }
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    scripts: byModel,
    count: (model) => (model === undefined ? total : (counts.get(model) ?? 0)),
    get atOnce() {
      return atOnce;
    },
    get mostAtOnce() {
      return mostAtOnce;
    },
    get connections() {
      return connections;
    },
    async stop() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

function completion(
  model: string,
  number: number,
  outcome: Extract<ChatOutcome, { text?: string }>,
) {
  const calls = outcome.toolCalls?.map(({ name, arguments: given }, index) => ({
    id: `call_${number}_${index}`,
    type: 'function',
    function: { name, arguments: typeof given === 'string' ? given : JSON.stringify(given) },
  }));
  const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };
  return {
    id: `chatcmpl-${number}`,
    object: 'chat.completion',
    created: 0,
    model,
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content: outcome.text ?? null,
          tool_calls: calls,
          reasoning_content: outcome.reasoning,
        },
        finish_reason: outcome.finishReason ?? (calls === undefined ? 'stop' : 'tool_calls'),
      },
    ] as const,
    usage: outcome.usage === undefined ? usage : (outcome.usage ?? undefined),
  };
}

/** Sends the reasoning first, then the text with one word per piece, then the tool calls. */
async function sendPieces(
  response: ServerResponse,
  whole: ReturnType<typeof completion>,
  beforePiece: ((piece: number) => unknown) | undefined,
): Promise<void> {
  const { choices, usage, ...common } = whole;
  const [{ message, finish_reason }] = choices;
  const { content, tool_calls, reasoning_content } = message;
  const words = content?.match(/\S+\s*|^\s+/g) ?? [];
  const calls = tool_calls?.map((call, index) => ({ ...call, index }));
  const deltas = [
    ...(reasoning_content === undefined ? [] : [{ role: 'assistant', reasoning_content }]),
    ...words.map((word) => ({ role: 'assistant', content: word })),
    ...(calls === undefined ? [] : [{ role: 'assistant', tool_calls: calls }]),
  ];
  const ends = [{ choices: [{ index: 0, delta: {}, finish_reason }] }, { choices: [], usage }];
  const pieces = [...deltas.map((delta) => ({ choices: [{ index: 0, delta }] })), ...ends];
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const [index, piece] of pieces.entries()) {
    await beforePiece?.(index);
    const chunk = { ...common, object: 'chat.completion.chunk', ...piece };
    response.write(`data: ${JSON.stringify(chunk)}\n\n`);
  }
  response.end('data: [DONE]\n\n');
}

function send(
  response: ServerResponse,
  status: number,
  body: string,
  headers: Readonly<Record<string, string>> = {},
): void {
  const length = Buffer.byteLength(body);
  response.writeHead(status, {
    'content-type': 'application/json',
    'content-length': length,
    ...headers,
  });
  response.end(body);
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}
