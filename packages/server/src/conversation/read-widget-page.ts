/**
 * Reads a widget's page from its server. The page is for the host, not for the model, so no
 * assertion includes it.
 */
import { type Json, mcpErrorOf, trialSentence } from '@proofmark/domain';
import { factsOf, McpFailure } from '../outside/mcp/mcp-failure.ts';
import type { ServerCall } from './server-call.ts';
import type { TurnParts } from './turn-parts.ts';
import { lossOf } from './widget-loss.ts';

export type PageRead =
  /** `tookMs` is the server's duration in milliseconds without waits of Proofmark. */
  { readonly result: Json; readonly tookMs: number } | { readonly failure: string };

export async function readWidgetPage(
  { log, dependencies, plan, signal }: TurnParts,
  { serverId, toolName, promptIndex, parentId }: ServerCall,
  uri: string,
  onWaiting: (isWaiting: boolean) => void,
): Promise<PageRead> {
  const span = log.beginSpan(`resources/read ${uri}`.slice(0, 200), 'request');
  const serverName = plan.servers.find(({ id }) => id === serverId)?.name;
  Object.assign(span, { parentId, promptIndex, serverId, ofWidget: toolName });
  if (serverName !== undefined) span.serverName = serverName;
  let isWaiting = false;
  let askedMs = dependencies.elapsedMs();
  const onWaitingHere = (waits: boolean) => {
    isWaiting = waits;
    if (!waits) askedMs = dependencies.elapsedMs();
    onWaiting(waits);
  };
  try {
    const read = await dependencies.servers.ask(
      serverId,
      (session) => session.readResource(uri),
      signal,
      onWaitingHere,
    );
    log.endSpan(span);
    return { result: read, tookMs: Math.max(0, dependencies.elapsedMs() - askedMs) };
  } catch (error) {
    span.status = 'error';
    const code = error instanceof McpFailure ? mcpErrorOf(factsOf(error)) : undefined;
    if (code !== undefined) {
      span.mcpErrorCode = code.code;
      span.mcpErrorOrigin = code.origin;
    }
    // A read that was still waiting for a slot was never sent, so it gets no span.
    if (!signal.aborted || !isWaiting) log.endSpan(span);
    if (signal.aborted) throw signal.reason;
    const what = `The resource ${JSON.stringify(uri).slice(0, 200)} of the widget of ${JSON.stringify(toolName)} could not be read`;
    const lost = lossOf(error, what);
    if (lost !== undefined) throw lost.loss;
    return { failure: trialSentence(error) };
  }
}
