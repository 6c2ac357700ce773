import type { Json } from '@proofmark/domain';
import type { ServerAnswer } from './call-server.ts';
import type { ServerCall } from './server-call.ts';
import type { TurnContext } from './trial-context.ts';

/** Renders the widget of a call. Clients render widgets only for results, not for errors. */
export async function showWidgetOf(
  context: TurnContext,
  call: ServerCall,
  { output }: ServerAnswer,
  withinMs?: number,
): Promise<void> {
  if (context.widgets === undefined || output.type !== 'json') return;
  const result = output.value as Json;
  if (result['isError'] !== true) await context.widgets.show(context, call, result, withinMs);
}
