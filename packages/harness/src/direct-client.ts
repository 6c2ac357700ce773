/**
 * A minimal MCP client that returns results unchanged, because the client of the SDK drops and
 * reorders fields.
 */
import { Client, type JSONRPCMessage, type Transport } from '@modelcontextprotocol/client';

type Json = Record<string, unknown>;

export interface DirectClient {
  readonly client: Client;
  request(method: string, params?: Json): Promise<Json>;
  close(): Promise<void>;
}

export async function connectDirectly(transport: Transport): Promise<DirectClient> {
  const client = new Client(
    { name: 'direct', version: '1' },
    { versionNegotiation: { mode: 'auto' } },
  );
  await client.connect(transport);
  const received: JSONRPCMessage[] = [];
  const inner = transport.onmessage;
  transport.onmessage = (message, extra) => {
    received.push(message);
    inner?.(message, extra);
  };
  return {
    client,
    async request(method, params = {}) {
      received.length = 0;
      await client.request({ method, params } as never);
      const answer = received.find((message) => 'result' in message) as { result: Json };
      return answer.result;
    },
    close: () => client.close(),
  };
}
