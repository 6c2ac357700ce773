/**
 * Adapts widgets that use the older API `window.openai`. The object exists before the widget's
 * first script and contains the input and result of the tool call. Its methods send the host the
 * same messages as a widget of MCP Apps.
 */
import type { WidgetToShow } from './widget-renderer.ts';

export function openaiAdapter({ input, result, hostContext }: WidgetToShow): string {
  const globals = {
    toolInput: input,
    toolOutput: result['structuredContent'] ?? null,
    toolResponseMetadata: result['_meta'] ?? null,
    theme: hostContext['theme'] ?? 'light',
    locale: hostContext['locale'] ?? 'en',
    displayMode: 'inline',
    maxHeight: 2000,
    safeArea: { insets: { top: 0, bottom: 0, left: 0, right: 0 } },
    userAgent: { device: { type: 'desktop' }, capabilities: { hover: true, touch: false } },
    widgetState: null,
  };
  return `(${adapter})(${JSON.stringify(globals)});`;
}

const adapter = `(globals) => {
  if (window === top || parent !== top) return;
  const post = parent.postMessage.bind(parent);
  const waiting = new Map();
  let last = 0;
  const request = (method, params) => new Promise((resolve, reject) => {
    last += 1;
    waiting.set(last, { resolve, reject });
    post({ jsonrpc: '2.0', id: last, method, params }, '*');
  });
  const notify = (method, params) => post({ jsonrpc: '2.0', method, params }, '*');
  addEventListener('message', (event) => {
    const message = event.data;
    if (event.source !== parent || message?.jsonrpc !== '2.0' || message.method !== undefined) return;
    const asked = waiting.get(message.id);
    waiting.delete(message.id);
    if (message.error) asked?.reject(new Error(message.error.message));
    else asked?.resolve(message.result);
  });
  const set = (changed) => {
    Object.assign(window.openai, changed);
    dispatchEvent(new CustomEvent('openai:set_globals', { detail: { globals: changed } }));
  };
  window.openai = {
    ...globals,
    async setWidgetState(widgetState) { set({ widgetState }); },
    async callTool(name, input) {
      const result = await request('tools/call', { name, arguments: input ?? {} });
      const texts = (result.content ?? []).filter((part) => part.type === 'text').map((part) => part.text);
      return { ...result, result: texts.join('\\n') };
    },
    async sendFollowUpMessage({ prompt }) {
      await request('ui/message', { role: 'user', content: [{ type: 'text', text: String(prompt) }] });
    },
    openExternal({ href }) { request('ui/open-link', { url: String(href) }).catch(() => undefined); },
    async requestDisplayMode() { return { mode: 'inline' }; },
    notifyIntrinsicHeight(height) { notify('ui/notifications/size-changed', { height: Number(height) }); },
  };
  const appInfo = { name: 'openai', version: '1' };
  request('ui/initialize', { protocolVersion: '2026-01-26', appInfo, appCapabilities: {} })
    .then(() => notify('ui/notifications/initialized', {}), () => undefined);
  addEventListener('DOMContentLoaded', () => {
    dispatchEvent(new CustomEvent('openai:set_globals', { detail: { globals } }));
    const reportSize = () => notify('ui/notifications/size-changed', { height: document.documentElement.scrollHeight });
    new ResizeObserver(reportSize).observe(document.body);
  });
}`;
