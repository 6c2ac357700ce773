import { execFileSync } from 'node:child_process';
import type { Json } from '@proofmark/domain';
import {
  createWidgetRenderer,
  type WidgetRendererOptions,
} from '../../packages/server/src/outside/browser/create-widget-renderer.ts';
import {
  BrowserLost,
  type OpenWidget,
  type WidgetHost,
  type WidgetRenderer,
  type WidgetToShow,
} from '../../packages/server/src/outside/browser/widget-renderer.ts';

export function startRenderer(options: Partial<WidgetRendererOptions> = {}): WidgetRenderer {
  const path = process.env['PROOFMARK_CHROMIUM'];
  if (path === undefined) throw new Error('No browser was found; npm test provides one.');
  return createWidgetRenderer({
    chromium: { path },
    egress: { allowLoopback: false, allowedPrivateHosts: [] },
    answerMs: 3000,
    ...options,
  });
}

export const noHost: WidgetHost = {
  callTool: async () => ({ content: [] }),
  readResource: async () => ({ contents: [] }),
};

export function showWidget(
  renderer: WidgetRenderer,
  widget: Partial<WidgetToShow> & { readonly html: string },
  host: WidgetHost = noHost,
  signal = new AbortController().signal,
): Promise<OpenWidget> {
  const tool: Json = { name: 'show', inputSchema: { type: 'object' } };
  return renderer.open(
    {
      dialect: 'mcpApps',
      origins: { connect: [], resource: [] },
      tool,
      input: {},
      result: { content: [] },
      hostContext: {},
      withinMs: 5000,
      ...widget,
    },
    host,
    signal,
  );
}

/**
 * Returns a small widget that reports its readiness by the protocol. Its script can call
 * `request(method, params)` and `notify`.
 */
export function appDocument(body: string, script = ''): string {
  return `<!doctype html><body>${body}<script>
let last = 0; const asked = new Map();
const request = (method, params) => new Promise((resolve, reject) => { last += 1; asked.set(last, { resolve, reject }); parent.postMessage({ jsonrpc: '2.0', id: last, method, params }, '*'); });
const notify = (method, params) => parent.postMessage({ jsonrpc: '2.0', method, params }, '*');
addEventListener('message', ({ data }) => { const one = asked.get(data.id); if (data.method === undefined) data.error ? one?.reject(new Error(data.error.message)) : one?.resolve(data.result); });
request('ui/initialize', { protocolVersion: '2026-01-26', appInfo: { name: 'test', version: '1' }, appCapabilities: {} }).then(() => notify('ui/notifications/initialized', {}));
${script}</script>`;
}

const mostShown = 12;

/**
 * On a busy machine, the rendering of a widget may be lost, so that the widget gets no verdict. A
 * run then repeats the trial, and so does this function.
 */
export async function unlessLost(play: () => Promise<void>): Promise<void> {
  for (let time = 1; ; time += 1) {
    try {
      return await play();
    } catch (error) {
      if (!(error instanceof BrowserLost) || time === mostShown) throw error;
    }
  }
}

export interface RunningProcess {
  readonly pid: number;
  readonly parent: number;
  readonly command: string;
}

/**
 * Returns all processes below this one: the host process of the browser, and the browser with all
 * of its processes.
 */
export function processesBelow(pid = process.pid): readonly RunningProcess[] {
  const lines = execFileSync('ps', ['-axo', 'pid=,ppid=,args='], { encoding: 'utf8' }).split('\n');
  const all = lines.flatMap((line) => {
    const [, own, parent, command] = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? [];
    return own === undefined
      ? []
      : [{ pid: Number(own), parent: Number(parent), command: command ?? '' }];
  });
  const below: RunningProcess[] = [];
  const parents = new Set([pid]);
  for (let found = true; found; ) {
    const more = all.filter((one) => parents.has(one.parent) && !parents.has(one.pid));
    found = more.length > 0;
    for (const one of more) parents.add(one.pid);
    below.push(...more);
  }
  return below.filter(({ command }) => !command.startsWith('ps '));
}

export function findBrowserProcess(): RunningProcess | undefined {
  return processesBelow().find(({ command }) => command.includes('browser-process-program'));
}

export function theBrowser(): RunningProcess | undefined {
  const browserProcess = findBrowserProcess();
  return processesBelow().find(
    ({ parent, command }) =>
      parent === browserProcess?.pid && command.includes('--remote-debugging-pipe'),
  );
}
