import type { Json } from '@proofmark/domain';
import type { ServerAnswer } from './call-server.ts';
import type { ServerCall } from './server-call.ts';
import type { TurnContext } from './trial-context.ts';

/** Renders the widget of a call. Like a client, it does so only for a result, not for an error. */
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
