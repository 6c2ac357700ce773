/**
 * Polls at growing intervals until the work has ended. An unreachable service may be restarting, so
 * polling continues for about a minute. After that, the function returns undefined.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { ApiError, ConnectionError } from '@proofmark/client';

const firstWaitMs = 250;
const longestWaitMs = 5_000;
const patienceMs = 60_000;

export interface Followed<State> {
  readonly ask: () => Promise<State>;
  readonly isEnded: (state: State) => boolean;
  /** Called for every response except the last one. */
  readonly reportProgress: (state: State) => void;
  readonly print: (sentence: string) => void;
  readonly onLost: () => void;
}

export async function follow<State>(
  followed: Followed<State>,
  { missMs = patienceMs } = {},
): Promise<State | undefined> {
  let missedSinceMs: number | undefined;
  for (let waitMs = firstWaitMs; ; waitMs = Math.min(longestWaitMs, waitMs * 1.25)) {
    const answer = await followed.ask().then((state) => ({ state }), whenAway);
    if (answer === 'away') {
      if (missedSinceMs === undefined) followed.print(away);
      missedSinceMs ??= performance.now();
      if (performance.now() - missedSinceMs >= missMs) {
        followed.print('the service has not come back.');
        followed.onLost();
        return undefined;
      }
      await sleep(Math.min(waitMs, missMs));
      continue;
    }
    missedSinceMs = undefined;
    if (followed.isEnded(answer.state)) return answer.state;
    followed.reportProgress(answer.state);
    await sleep(waitMs);
  }
}

const away = 'the service cannot be reached; trying again for about a minute.';

/** Statuses with which a proxy responds while the service behind it is unavailable. */
const proxyStatuses: readonly number[] = [502, 503, 504];

function whenAway(error: unknown): 'away' {
  const isAway =
    error instanceof ConnectionError ||
    (error instanceof ApiError && proxyStatuses.includes(error.status));
  if (!isAway) throw error;
  return 'away';
}
