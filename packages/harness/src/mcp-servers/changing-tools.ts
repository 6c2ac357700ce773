/**
 * A server whose tools change during a session. After a call of `unlock`, it lists a new tool
 * `open` and a changed `look`, and no longer lists `unlock`.
 */
import {
  type FakeAnswer,
  type FakeMcpServer,
  rpcResult,
  sendEvents,
  sendJson,
} from './fake-mcp-server.ts';

const inputSchema = { type: 'object' };
const annotations = { readOnlyHint: true };
const locked = [
  { name: 'unlock', inputSchema, annotations },
  { name: 'look', inputSchema, annotations },
];
const unlocked = [
  { name: 'open', inputSchema, annotations },
  { name: 'look', description: 'Now lit.', inputSchema, annotations },
];

export function changingTools({
  says = 1,
  listsAgain = 'lists',
  keepsSaying = false,
}: {
  /**
   * How many `list_changed` notifications are sent before the response to the call that changes the
   * tools.
   */
  readonly says?: number | undefined;
  readonly listsAgain?: 'lists' | 'fails' | 'hangs' | undefined;
  /** Whether the notifications are also sent before the responses to all later calls. */
  readonly keepsSaying?: boolean | undefined;
} = {}): Readonly<Record<string, FakeAnswer>> {
  let isUnlocked = false;
  return {
    'tools/list': (response, request) => {
      if (isUnlocked && listsAgain === 'hangs') return;
      if (isUnlocked && listsAgain === 'fails') response.writeHead(500).end();
      else sendJson(response, rpcResult(request, { tools: isUnlocked ? unlocked : locked }));
    },
    'tools/call': (response, request) => {
      const { name } = request.message['params'] as { name: string };
      const result = rpcResult(request, { content: [{ type: 'text', text: `Done ${name}.` }] });
      const isNew = name === 'unlock' && !isUnlocked;
      isUnlocked ||= isNew;
      const change = { jsonrpc: '2.0', method: 'notifications/tools/list_changed' };
      sendEvents(response, [...(isNew || keepsSaying ? Array(says).fill(change) : []), result]);
      response.end();
    },
  };
}

export function listsOf({ requests }: Pick<FakeMcpServer, 'requests'>): number {
  return requests.filter(({ message }) => message['method'] === 'tools/list').length;
}
