/**
 * The first interrupt asks, the second cancels the run, the third ends the process by the default
 * handler.
 */
import type { EventEmitter } from 'node:events';

export async function askBeforeCancel<Ended>(
  following: Promise<Ended>,
  { ask, cancel }: { readonly ask: () => void; readonly cancel: () => Promise<void> },
  signals: Pick<EventEmitter, 'on' | 'removeListener'> = process,
): Promise<Ended> {
  let presses = 0;
  const onInterrupt = () => {
    presses += 1;
    if (presses === 1) return ask();
    signals.removeListener('SIGINT', onInterrupt);
    // An ended run cannot be cancelled; its follower reports the end.
    cancel().catch(() => undefined);
  };
  signals.on('SIGINT', onInterrupt);
  try {
    return await following;
  } finally {
    signals.removeListener('SIGINT', onInterrupt);
  }
}
