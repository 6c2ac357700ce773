/**
 * A model provider on loopback that implements the format of every provider kind that the service
 * supports. A function of the request's text defines the response. As with real providers, every
 * response and call has a new id.
 */
import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ModelProviderKind } from '@proofmark/domain';

export interface ProviderAnswer {
  readonly text?: string;
  readonly calls?: readonly { readonly name: string; readonly arguments: object }[];
}

export type ProviderScript = (request: string) => ProviderAnswer;

export interface ProviderServer {
  baseUrl(kind: ModelProviderKind): string;
  readonly requests: string[];
  stop(): Promise<void>;
}

export async function startProviderServer(script: ProviderScript): Promise<ProviderServer> {
  const requests: string[] = [];
  const server = createServer(async (incoming, outgoing) => {
    let text = '';
    for await (const chunk of incoming) text += chunk;
    requests.push(text);
    const kind = (incoming.url ?? '').split('/')[1] as ModelProviderKind;
    outgoing.setHeader('content-type', 'application/json');
    outgoing.end(JSON.stringify(forms[kind](script(text))));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: (kind) => `http://127.0.0.1:${port}/${kind}`,
    requests,
    async stop() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

const madeUp = (start: string) => `${start}${randomBytes(12).toString('hex')}`;

const chat = ({ text, calls }: ProviderAnswer) => ({
  id: madeUp('chatcmpl-'),
  object: 'chat.completion',
  created: 0,
  model: 'm',
  choices: [
    {
      index: 0,
      message: {
        role: 'assistant',
        content: text ?? null,
        tool_calls: calls?.map(({ name, arguments: given }) => ({
          id: madeUp('call_'),
          type: 'function',
          function: { name, arguments: JSON.stringify(given) },
        })),
      },
      finish_reason: calls === undefined ? 'stop' : 'tool_calls',
    },
  ],
  usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 },
});

const forms: Readonly<Record<ModelProviderKind, (answer: ProviderAnswer) => object>> = {
  openai: chat,
  openrouter: chat,
  'openai-compatible': chat,
  anthropic: ({ text, calls = [] }) => ({
    id: madeUp('msg_'),
    type: 'message',
    role: 'assistant',
    model: 'm',
    stop_sequence: null,
    content: [
      ...(text === undefined ? [] : [{ type: 'text', text }]),
      ...calls.map(({ name, arguments: input }) => ({
        type: 'tool_use',
        id: madeUp('toolu_'),
        name,
        input,
      })),
    ],
    stop_reason: calls.length === 0 ? 'end_turn' : 'tool_use',
    usage: { input_tokens: 10, output_tokens: 5 },
  }),
  google: ({ text, calls = [] }) => ({
    candidates: [
      {
        content: {
          role: 'model',
          parts: [
            ...(text === undefined ? [] : [{ text }]),
            ...calls.map(({ name, arguments: args }) => ({
              functionCall: { name, args },
              thoughtSignature: madeUp(''),
            })),
          ],
        },
        finishReason: 'STOP',
        index: 0,
      },
    ],
    usageMetadata: { promptTokenCount: 10, candidatesTokenCount: 5, totalTokenCount: 15 },
  }),
  ollama: ({ text = '', calls }) => ({
    model: 'm',
    created_at: '2026-01-01T00:00:00Z',
    done: true,
    done_reason: 'stop',
    message: {
      role: 'assistant',
      content: text,
      ...(calls && { tool_calls: calls.map((one) => ({ function: one })) }),
    },
    prompt_eval_count: 10,
    eval_count: 5,
  }),
};
