/**
 * Follows a turn whose connection was lost. The turn continues on the service, so the page polls
 * until it has ended. A repeated request for a completed turn is answered from storage, so no turn
 * runs twice.
 */
import {
  newTurn,
  openCall,
  type SessionRead,
  type TurnView,
  turnsOf,
  withLine,
} from './turn-view.ts';
import type { VisitStore } from './visit-store.ts';

const lookAgainMs = 1000;
type StoredTurn = NonNullable<SessionRead['turn']>;

export async function followTurn(store: VisitStore, clientTurnId: string): Promise<void> {
  const { sessionId } = store.state();
  if (sessionId === undefined) return;
  for (;;) {
    await new Promise<void>((resolve) => store.parts.later(resolve, lookAgainMs));
    const { sessionId: open, ended } = store.state();
    if (open !== sessionId || ended === 'erased') return;
    const read = await readSession(store, sessionId);
    if (read !== undefined && (await takeIn(store, clientTurnId, read))) return;
  }
}

/** Applies the stored state of the turn. Returns whether the turn has ended. */
async function takeIn(store: VisitStore, clientTurnId: string, read: SessionRead) {
  const { turn } = read;
  if (turn !== undefined && turn.clientTurnId === clientTurnId) {
    showStored(store, clientTurnId, read, turn);
    return turn.status !== 'running' && turn.status !== 'awaitingApproval';
  }
  if (!read.turns.some((one) => one.clientTurnId === clientTurnId)) {
    const change = { status: 'interrupted', problem: 'Your message did not arrive.' } as const;
    store.changeTurn(clientTurnId, (now) => ({ ...now, ...change }));
  } else await readLines(store, clientTurnId, read);
  return true;
}

async function readSession(store: VisitStore, sessionId: string) {
  const { scenarioId } = store.link();
  try {
    const read = await store.parts.calls.call('getVisitorSession', { scenarioId, sessionId });
    if (store.state().problem !== undefined) store.set({ problem: undefined });
    return read;
  } catch (error) {
    store.meet(error);
    return undefined;
  }
}

/**
 * Applies the stored status. The shown parts have more details than the stored ones, so they are
 * replaced only if the turn asks for a new approval.
 */
function showStored(
  store: VisitStore,
  clientTurnId: string,
  read: SessionRead,
  turn: StoredTurn,
): void {
  const stored = turnsOf(read).at(-1);
  if (stored === undefined) return;
  const asked = openCall(stored)?.approval?.approvalId;
  store.changeTurn(clientTurnId, (now) => {
    const knowsAsked = now.parts.some(
      (part) => part.kind === 'tool' && part.approval?.approvalId === asked,
    );
    if (asked !== undefined && !knowsAsked) return stored;
    const { status, problem } = stored;
    const parts = now.parts.length === 0 ? stored.parts : now.parts;
    return {
      ...now,
      turnId: turn.turnId,
      status,
      parts,
      ...(problem !== undefined && { problem }),
    };
  });
}

async function readLines(store: VisitStore, clientTurnId: string, read: SessionRead) {
  const stored = turnsOf(read).find((turn) => turn.clientTurnId === clientTurnId);
  const shown = store.turn(clientTurnId);
  if (stored === undefined || shown === undefined) return;
  store.changeTurn(clientTurnId, () => stored);
  // Only for a completed turn. This request would run any other turn a second time.
  if (stored.status !== 'completed') return;
  const { scenarioId, accessVersion } = store.link();
  const { sessionId } = read;
  const body = { text: shown.text, clientTurnId, accessVersion };
  let again: TurnView = newTurn(clientTurnId, shown.text);
  await store.parts.calls
    .turn({ scenarioId, sessionId, body }, (line) => {
      again = withLine(again, line);
    })
    // If this request fails, the page keeps showing the stored text of the answer.
    .catch(() => undefined);
  if (again.status === 'completed') store.changeTurn(clientTurnId, () => again);
}
