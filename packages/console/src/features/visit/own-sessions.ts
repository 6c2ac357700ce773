/**
 * Ids of this browser's conversations, by share link. After a reload the page continues the open
 * conversation. The right to read a conversation depends on the cookie, not on the id.
 */
export interface OwnSessions {
  /** The conversation that is open in this tab. */
  current(scenarioId: string): string | undefined;
  /** All conversations of this browser, including the open one. */
  all(scenarioId: string): readonly string[];
  open(scenarioId: string, sessionId: string): void;
  close(scenarioId: string): void;
  forget(scenarioId: string, sessionId: string): void;
}

const most = 50;

export function ownSessions(
  tab: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>,
  browser: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>,
): OwnSessions {
  const name = (scenarioId: string) => `visit ${scenarioId}`;
  // In some browsers, storage throws. The conversation then lasts only as long as the page.
  const read = (place: typeof tab, scenarioId: string): string[] =>
    quietly(() => (place.getItem(name(scenarioId)) ?? '').split(' ').filter(Boolean)) ?? [];
  const write = (place: typeof tab, scenarioId: string, ids: readonly string[]) =>
    quietly(() => place.setItem(name(scenarioId), ids.slice(-most).join(' ')));
  return {
    current: (scenarioId) => read(tab, scenarioId)[0],
    all: (scenarioId) => read(browser, scenarioId),
    open(scenarioId, sessionId) {
      write(tab, scenarioId, [sessionId]);
      write(browser, scenarioId, [...read(browser, scenarioId), sessionId]);
    },
    close: (scenarioId) => quietly(() => tab.removeItem(name(scenarioId))),
    forget(scenarioId, sessionId) {
      const left = read(browser, scenarioId).filter((id) => id !== sessionId);
      write(browser, scenarioId, left);
    },
  };
}

function quietly<Result>(work: () => Result): Result | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}
