/** Answers `subscriptions/listen` of a server of revision 2026-07-28, and announces changed tools. */
import type { ServerResponse } from 'node:http';
import type { FakeAnswer } from './fake-mcp-server.ts';

export interface Subscriptions {
  readonly listen: FakeAnswer;
  readonly open: readonly ServerResponse[];
  /** Announces to all subscribers that the tools have changed. */
  announce(): void;
}

export function acceptSubscriptions(): Subscriptions {
  const open: ServerResponse[] = [];
  const ids = new Map<ServerResponse, unknown>();
  const send = (response: ServerResponse, method: string, params: object): void => {
    const _meta = { 'io.modelcontextprotocol/subscriptionId': ids.get(response) };
    const message = { jsonrpc: '2.0', method, params: { ...params, _meta } };
    response.write(`data: ${JSON.stringify(message)}\n\n`);
  };
  return {
    open,
    listen: (response, { message }) => {
      const { notifications } = message['params'] as { notifications: object };
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      ids.set(response, message['id']);
      open.push(response);
      send(response, 'notifications/subscriptions/acknowledged', { notifications });
    },
    announce() {
      for (const response of open) send(response, 'notifications/tools/list_changed', {});
    },
  };
}
