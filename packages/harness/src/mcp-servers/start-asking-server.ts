/** A server whose tools send a request to the client before they answer. */
import {
  type FakeAnswer,
  type FakeMcpServer,
  type FakeRequest,
  rpcResult,
  sendEvents,
  startFakeMcpServer,
} from './fake-mcp-server.ts';

type Json = Record<string, unknown>;

/** Sends a request to the client and returns the whole JSON-RPC answer. */
export type AskClient = (method: string, params: Json) => Promise<Json>;
/** The code of a tool: it may send requests, and returns a result. */
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
    // The client's answers have no method.
    undefined: (response, { message }: FakeRequest) => {
      response.writeHead(202).end();
      waiting.get(message['id'])?.(message);
    },
    ...answers,
  });
}

/** Returns the answer as the text of a result; an error result if the client sent an error. */
export function told(answer: Json): Json {
  const text = JSON.stringify(answer['result'] ?? answer['error']);
  return { content: [{ type: 'text', text }], ...('error' in answer && { isError: true }) };
}
