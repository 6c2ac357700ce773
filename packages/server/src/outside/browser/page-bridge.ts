/**
 * The host side of the MCP Apps protocol for one page. It uses the official library and sends its
 * messages through the page around the widget.
 */
import { AppBridge, type McpUiHostContext } from '@modelcontextprotocol/ext-apps/app-bridge';
import type { Frame } from 'playwright-core';
import type { HostRequest } from './browser-messages.ts';
import type { PageRecord } from './page-record.ts';
import { firstView, mostHeight } from './page-scripts.ts';
import type { WidgetToShow } from './widget-renderer.ts';

const mostAsked = 200;

export interface PageBridge {
  /**
   * Resolves when the widget has reported that it is ready and has received the call's input and
   * result.
   */
  readonly ready: Promise<void>;
  close(): Promise<void>;
}

/**
 * Connects to the host page around the widget. The host page is ours and runs in a process separate
 * from the widget.
 */
export async function connectBridge(
  host: Frame,
  { tool, input, result, hostContext }: WidgetToShow,
  record: PageRecord,
  ask: (request: HostRequest) => Promise<unknown>,
  onHeight: (height: number) => void,
): Promise<PageBridge> {
  const capabilities = {
    openLinks: {},
    serverTools: {},
    serverResources: {},
    logging: {},
    message: { text: {} },
  };
  const context = {
    containerDimensions: { width: firstView.width, maxHeight: mostHeight },
    ...hostContext,
    toolInfo: { tool },
  } as unknown as McpUiHostContext;
  const bridge = new AppBridge(null, { name: 'Proofmark', version: '1' }, capabilities, {
    hostContext: context,
  });
  let asked = 0;
  /**
   * Stops a flood of requests before it reaches the service. The service counts requests too, and
   * explains a refusal.
   */
  const askBounded = async (request: HostRequest): Promise<never> => {
    asked += 1;
    if (asked <= mostAsked) return (await ask(request)) as never;
    record.drop('postedMessages', 1);
    throw new Error('The widget exceeded its limit of requests or data.');
  };
  bridge.oncalltool = ({ name, arguments: given }) =>
    askBounded({ kind: 'callTool', name, input: given ?? {} });
  bridge.onreadresource = ({ uri }) => askBounded({ kind: 'readResource', uri });
  bridge.onmessage = async ({ content }) => {
    const texts = content.flatMap((part) => (part.type === 'text' ? [part.text] : []));
    record.message(texts.join('\n'));
    return {};
  };
  bridge.onopenlink = async ({ url }) => {
    record.link(url);
    return {};
  };
  bridge.ondownloadfile = async () => {
    record.refuse('download', '');
    return { isError: true };
  };
  bridge.onrequestdisplaymode = async () => ({ mode: 'inline' });
  bridge.onloggingmessage = ({ data }) => record.line('info', textOf(data));
  bridge.onsizechange = ({ width, height }) => {
    record.size({ ...(width !== undefined && { width }), ...(height !== undefined && { height }) });
    if (height !== undefined) onHeight(height);
  };
  const ready = new Promise<void>((resolve, reject) => {
    bridge.oninitialized = () => {
      const given = bridge
        .sendToolInput({ arguments: input })
        .then(() => bridge.sendToolResult(result as never));
      given.then(resolve, reject);
    };
  });
  ready.catch(() => undefined);
  let queued: string[] = [];
  const transport: Transport = {
    async start() {},
    async close() {},
    async send(message) {
      queued.push(JSON.stringify(message));
      // Waits for the current tick, so that all its messages reach the page in one call.
      await Promise.resolve();
      const texts = queued;
      queued = [];
      if (texts.length > 0)
        await host.evaluate(`postAll(${JSON.stringify(texts)})`).catch(() => undefined);
    },
  };
  await bridge.connect(transport as never);
  void readMessages(host, record, (message) => transport.onmessage?.(message));
  return { ready, close: () => bridge.close() };
}

interface Transport {
  start(): Promise<void>;
  close(): Promise<void>;
  send(message: unknown): Promise<void>;
  onmessage?(message: unknown): void;
}

/**
 * Reads messages until the page is closed. The next batch is read only after the previous one, so a
 * page that sends many messages cannot flood this process.
 */
async function readMessages(
  host: Frame,
  record: PageRecord,
  take: (message: unknown) => void,
): Promise<void> {
  try {
    for (;;) {
      const received = (await host.evaluate('takeMessages()')) as {
        texts: string[];
        dropped: number;
      };
      if (received.dropped > 0) record.drop('postedMessages', received.dropped);
      for (const text of received.texts) {
        const message = JSON.parse(text) as Record<string, unknown> | null;
        const refused = message?.['proofmarkRefused'];
        if (Array.isArray(refused)) record.refuse(kindOf(refused[0]), String(refused[1]));
        else if (message?.['jsonrpc'] === '2.0') take(message);
      }
    }
  } catch {
    // The page was closed or crashed. The next order to the page reports that.
  }
}

const kinds = ['request', 'navigation', 'popup', 'download', 'dialog'] as const;

function kindOf(value: unknown): (typeof kinds)[number] {
  return kinds.find((kind) => kind === value) ?? 'request';
}

function textOf(data: unknown): string {
  return typeof data === 'string' ? data : (JSON.stringify(data) ?? '');
}
