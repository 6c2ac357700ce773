/**
 * A server whose tools change during a session: after a call of `unlock`, the server lists a new
 * tool `open` and a changed `look`, and no longer lists `unlock`.
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
   * The number of `list_changed` notifications sent before the answer of the call that changes the
   * tools.
   */
  readonly says?: number | undefined;
  readonly listsAgain?: 'lists' | 'fails' | 'hangs' | undefined;
  /** Whether the notifications are also sent before the answers of all later calls. */
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

/** Returns how often the client listed the server's tools. */
export function listsOf({ requests }: Pick<FakeMcpServer, 'requests'>): number {
  return requests.filter(({ message }) => message['method'] === 'tools/list').length;
}
