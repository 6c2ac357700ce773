/**
 * Renders a tool's widget once, as a client would after this call, so that authors of tests can
 * preview it. Nothing is stored. Calls by the widget follow the rules of `callTool` and are
 * recorded in the audit log in the same way.
 */

import type { BodyOf, OutputOf } from '@proofmark/contract';
import {
  type Json,
  readWidgetResource,
  trialSentence,
  type WidgetDocument,
  widgetOfTool,
} from '@proofmark/domain';
import { BrowserLost, type WidgetRenderer } from '../../../outside/browser/widget-renderer.ts';
import { McpFailure } from '../../../outside/mcp/mcp-failure.ts';
import type { McpSession } from '../../../outside/mcp/mcp-gateway.ts';
import { type Action, refuse } from '../../../platform/operations/action.ts';
import { recordAudit } from '../../../platform/operations/record-audit.ts';
import type { ServersParts, ServersProject } from '../servers-context.ts';
import { lookAtWidget, PreviewHost, unseen } from './previewed-widget.ts';
import { speakToServer } from './speak-to-server.ts';

const withinMs = 10_000;

export const previewWidget: Action<'previewWidget', ServersParts> = (context, { params, body }) =>
  speakToServer(context, { params, body }, async (session, client) => {
    const tools = await session.listAll('tools');
    const tool = tools.find(({ name }) => name === body.toolName);
    if (tool === undefined)
      return unseen(
        'no_ui_resource',
        `The server does not list the tool ${JSON.stringify(body.toolName)}.`,
      );
    const uri = widgetOfTool(tool);
    if (uri === undefined) {
      return unseen('no_ui_resource', 'The tool has no widget: its _meta names no user interface.');
    }
    const renderer = rendererOf(context);
    const askedAt = performance.now();
    const page = await readPage(session, uri);
    if ('problem' in page) return unseen('resource_read_failed', page.problem);
    const readMs = performance.now() - askedAt;
    const audited = (toolName: string) =>
      context.tenant((sql) =>
        recordAudit(sql, context, {
          action: 'server.toolCalled',
          subjectId: params.serverId,
          details: { tool: toolName },
        }),
      );
    const host = new PreviewHost(session, tools, audited);
    const shown = { page, tool, readMs, hostContext: (client.hostContext ?? {}) as Json };
    return show(renderer, shown, body, host, context.signal);
  });

function rendererOf({ widgets }: ServersProject): WidgetRenderer {
  if (widgets !== undefined && !('missing' in widgets)) return widgets;
  return refuse({
    code: 'FEATURE_NOT_SUPPORTED',
    message: widgets?.missing ?? 'This process has no browser to show widgets.',
    details: { reason: 'NO_BROWSER' },
  });
}

/**
 * Reads the page of the widget. If the server answers with an error, the widget has a problem; if
 * it does not answer, the whole request fails.
 */
async function readPage(
  session: McpSession,
  uri: string,
): Promise<WidgetDocument | { readonly problem: string }> {
  try {
    return readWidgetResource(uri, await session.readResource(uri));
  } catch (error) {
    if (!(error instanceof McpFailure) || error.details['reason'] === 'CONNECT_FAILED') throw error;
    return { problem: trialSentence(error) };
  }
}

async function show(
  renderer: WidgetRenderer,
  {
    page,
    tool,
    readMs,
    hostContext,
  }: {
    readonly page: WidgetDocument;
    readonly tool: Json;
    readonly readMs: number;
    readonly hostContext: Json;
  },
  { arguments: input = {}, result: given, actions = [] }: BodyOf<'previewWidget'>,
  host: PreviewHost,
  signal: AbortSignal,
): Promise<OutputOf<'previewWidget'>> {
  const { durationMs: _duration, outputCheck: _check, ...result } = given;
  try {
    const open = await renderer.open(
      { ...page, tool, input, result, hostContext, withinMs },
      host,
      signal,
    );
    try {
      const seen = await lookAtWidget(open, actions, readMs);
      const calls = host.calls.map(({ message = null, ...call }) => ({ ...call, message }));
      return { ...seen, calls };
    } finally {
      await open.close();
    }
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof BrowserLost) return unseen(error.status, error.message);
    throw error;
  }
}
