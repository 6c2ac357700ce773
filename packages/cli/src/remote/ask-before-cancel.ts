/** The first interrupt asks, the second cancels; the third ends the process, as it would without us. */
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
    // One that ended meanwhile cannot be cancelled; its end is told by who follows it.
    cancel().catch(() => undefined);
  };
  signals.on('SIGINT', onInterrupt);
  try {
    return await following;
  } finally {
    signals.removeListener('SIGINT', onInterrupt);
  }
}
