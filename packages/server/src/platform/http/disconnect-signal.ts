import type { RequestExchange } from './request-exchange.ts';

/** Returns a signal that aborts if the caller closes the connection before the answer is sent. */
export function disconnectSignal({ outgoing }: RequestExchange): AbortSignal {
  const controller = new AbortController();
  outgoing.once('close', () => {
    if (!outgoing.writableFinished) controller.abort(new Error('The caller has disconnected.'));
  });
  return controller.signal;
}
