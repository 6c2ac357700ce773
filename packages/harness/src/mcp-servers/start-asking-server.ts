import {
  type FakeAnswer,
  type FakeMcpServer,
  type FakeRequest,
  rpcResult,
  sendEvents,
  startFakeMcpServer,
} from './fake-mcp-server.ts';

type Json = Record<string, unknown>;

export type AskClient = (method: string, params: Json) => Promise<Json>;
export type AskingTool = (ask: AskClient) => Promise<Json>;

export async function startAskingServer(
  tools: Readonly<Record<string, AskingTool>>,
  answers: Readonly<Record<string, FakeAnswer>> = {},
): Promise<FakeMcpServer> {
  const waiting = new Map<unknown, (answer: Json) => void>();
  let asked = 0;
  const call: FakeAnswer = async (response, request) => {
    sendEvents(response, []);
    const ask: AskClient = (method, params) => {
      asked += 1;
      const id = `from-the-server-${asked}`;
      const answered = new Promise<Json>((resolve) => waiting.set(id, resolve));
      response.write(`data: ${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n\n`);
      return answered;
    };
    const { name } = request.message['params'] as { name: string };
    const result = await (tools[name] ?? (async () => ({ content: [] })))(ask);
    const message =
      'error' in result
        ? { jsonrpc: '2.0', id: request.message['id'], ...result }
        : rpcResult(request, result);
    response.end(`data: ${JSON.stringify(message)}\n\n`);
  };
  return startFakeMcpServer({
    'tools/list': {
      tools: Object.keys(tools).map((name) => ({ name, inputSchema: { type: 'object' } })),
    },
    'tools/call': call,
    // Responses from the client have no method, so they arrive under the key `undefined`.
    undefined: (response, { message }: FakeRequest) => {
      response.writeHead(202).end();
      waiting.get(message['id'])?.(message);
    },
    ...answers,
  });
}

/**
 * Returns the client's response as the text of a tool result. The result is an error if the client
 * sent an error.
 */
export function answerAsResult(answer: Json): Json {
  const text = JSON.stringify(answer['result'] ?? answer['error']);
  return { content: [{ type: 'text', text }], ...('error' in answer && { isError: true }) };
}
