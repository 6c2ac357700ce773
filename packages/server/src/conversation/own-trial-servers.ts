import { McpFailure } from '../outside/mcp/mcp-failure.ts';
import type { McpSession, OwnSession } from '../outside/mcp/mcp-gateway.ts';
import type { McpTarget } from '../outside/mcp/mcp-target.ts';
import type { ServerEvent } from '../outside/mcp/server-events.ts';
import type { OnServerRequest } from '../outside/mcp/server-requests.ts';
import type { HeldSlot } from './call-slots.ts';
import { callToolBy } from './call-tool-by.ts';
import { openServer } from './open-server.ts';
import { retryWhileAskedToWait } from './retry-while-asked-to-wait.ts';
import type { OpenedServers, OpenOptions, TimeLeft, TrialServers } from './run-servers.ts';
import type { RunServersParts, RunServerTarget } from './run-servers-parts.ts';
import {
  afterRepeat,
  EndedBeforeRepeat,
  isCrowdedTimeout,
  isStillBusy,
  isTimeout,
  stillBusy,
  timeoutBesideOtherCalls,
  timeoutOf,
} from './timeout-beside-other-calls.ts';

export class OwnTrialServers implements TrialServers {
  readonly #parts: RunServersParts;
  readonly #time: TimeLeft;
  readonly #release: () => void;
  readonly #open: Map<string, OwnSession>;
  /**
   * For each waiting call, the name of its server. In `#held` the server asked Proofmark to wait;
   * in `#crowded` the server's limit of concurrent calls is reached.
   */
  readonly #held = new Map<object, string>();
  readonly #crowded = new Map<object, string>();
  #isClosed = false;

  constructor(
    parts: RunServersParts,
    time: TimeLeft,
    release: () => void,
    open = new Map<string, OwnSession>(),
  ) {
    this.#open = open;
    this.#parts = parts;
    this.#time = time;
    this.#release = release;
  }

  async open(signal: AbortSignal, options: OpenOptions = {}): Promise<OpenedServers> {
    const { targets, elapsedMs } = this.#parts.dependencies;
    const tried = await Promise.all(
      targets.map((one, index) =>
        openServer(
          {
            id: one.id,
            name: one.name,
            elapsedMs,
            session: () => this.#session(one, index, signal, options),
            ask: (work) => this.#ask(one, work, signal),
          },
          signal,
        ),
      ),
    );
    return this.#parts.fold(tried, signal);
  }

  callTool: TrialServers['callTool'] = (...call) => callToolBy(this.ask, ...call);

  ask: TrialServers['ask'] = async (serverId, work, signal, onWaiting, onRepeat) => {
    const target = this.#parts.dependencies.targets.find(({ id }) => id === serverId);
    const session = this.#open.get(serverId);
    if (target === undefined || session === undefined) {
      throw new Error('Internal fault: the called server has no open session.');
    }
    const askOnce = <Asked>(work: (session: McpSession) => Promise<Asked>): Promise<Asked> => {
      let isCrowded = () => false;
      // A call that timed out may be repeated in the same session. So the session is then kept.
      const keepsAfterTimeout = () => isCrowded();
      return this.#ask(
        target,
        async (isBesideOthers) => {
          isCrowded = isBesideOthers;
          try {
            return await session.use(work, { signal, keepsAfterTimeout });
          } catch (error) {
            throw isTimeout(error) && isCrowded() ? timeoutBesideOtherCalls(error) : error;
          }
        },
        signal,
        onWaiting,
      );
    };
    try {
      return await askOnce(work);
    } catch (error) {
      if (onRepeat === undefined || !isTimeout(error) || !isCrowdedTimeout(error)) throw error;
      onWaiting?.(true);
      return await this.#parts.slots
        .oneAtATime(serverId, async () => {
          await waitUntilFree(askOnce, error);
          onRepeat(timeoutOf(error));
          return askOnce(work);
        })
        .catch((again: unknown) => {
          if (isStillBusy(again)) throw again;
          if (again instanceof McpFailure) throw afterRepeat(again, timeoutOf(error));
          throw signal.aborted ? new EndedBeforeRepeat('', { cause: again }) : again;
        });
    }
  };

  #ask<Result>(
    { id, name }: RunServerTarget,
    work: (isBesideOthers: () => boolean) => Promise<Result>,
    signal: AbortSignal,
    onWaiting: (isWaiting: boolean) => void = () => undefined,
  ): Promise<Result> {
    const { slots, callsPerServer, dependencies } = this.#parts;
    const { places, firstPauseMs } = dependencies;
    const target = `server ${id}`;
    const call = {};
    const crowd = () => {
      this.#crowded.set(call, name);
      onWaiting(true);
    };
    const isAskedByOthers = () => places?.isUsedByOthers?.(target) === true;
    const begin = (slot: HeldSlot) => {
      this.#crowded.delete(call);
      onWaiting(false);
      const wasAskedByOthers = isAskedByOthers();
      return work(() => wasAskedByOthers || isAskedByOthers() || !slot.wasAlone());
    };
    const inPlace = (slot: HeldSlot) => {
      // Each attempt first counts as waiting for a free place, because a repeated call may find
      // none again.
      crowd();
      if (places === undefined) return begin(slot);
      return places.run(target, slot.limit, signal, () => begin(slot));
    };
    // The call counts as waiting for a place even if other processes, not this one, use all places.
    crowd();
    return retryWhileAskedToWait(
      {
        slots,
        signal,
        serverId: id,
        atMost: callsPerServer,
        time: this.#time,
        firstPauseMs,
        isAskedByOthers,
        onHeld: (isHeld) => {
          if (isHeld) onWaiting(true);
          if (isHeld) this.#held.set(call, name);
          else this.#held.delete(call);
        },
      },
      inPlace,
    );
  }

  heldBack(): string | undefined {
    if (this.#held.size > 0) {
      return `The trial ran out of time while ${quoted(this.#held)} asked Proofmark to wait.`;
    }
    if (this.#crowded.size === 0) return undefined;
    return `The trial ran out of time while other trials used all calls that ${quoted(this.#crowded)} may receive at a time.`;
  }

  /**
   * Frees the slots only after the sessions have ended, so that a session that ends slowly still
   * counts against the limit.
   */
  close(): void {
    this.#isClosed = true;
    const closing = [...this.#open.values()].map((session) => session.close());
    void Promise.allSettled(closing).then(this.#release);
  }

  async #session(
    { id, name, target }: RunServerTarget,
    index: number,
    signal: AbortSignal,
    { onServerRequest, onServerEvent, asksForEvents, answersUrls }: OpenOptions,
  ): Promise<OwnSession> {
    const known = this.#open.get(id);
    if (known !== undefined) return known;
    const found: McpTarget = await target(signal);
    // If the trial ended during the wait, nothing would close a session that is opened now.
    if (this.#isClosed) throw new Error('The trial has ended.');
    const sessions = this.#parts.sessions[index];
    if (sessions === undefined)
      throw new Error('Internal fault: no sessions were prepared for a server of the run.');
    const onEvent = onServerEvent && ((event: ServerEvent) => onServerEvent(name, event));
    const answer: OnServerRequest | undefined =
      onServerRequest && ((...request) => onServerRequest(...request, id));
    const declared = { asksForEvents, answersUrls };
    const session = preparing(sessions.open(found, answer, onEvent, declared), () => {
      if (this.#parts.mayPrepare()) sessions.prepare(found);
    });
    this.#open.set(id, session);
    return session;
  }
}

function quoted(waiting: ReadonlyMap<object, string>): string {
  return [...new Set(waiting.values())].map((name) => JSON.stringify(name)).join(', ');
}

/** Prepares the next session once this session has used the prepared parts. */
function preparing(session: OwnSession, prepare: () => void): OwnSession {
  let isPrepared = false;
  return {
    close: () => session.close(),
    use: (work, options) =>
      session.use((connected) => {
        if (!isPrepared) prepare();
        isPrepared = true;
        return work(connected);
      }, options),
  };
}

/**
 * Waits until the server responds to a listing; any response shows that it is free. A server that
 * handles one request at a time may still work on abandoned calls, and would be slow even for a
 * single call.
 */
async function waitUntilFree(
  askOnce: (work: (session: McpSession) => Promise<unknown>) => Promise<unknown>,
  crowded: McpFailure,
): Promise<void> {
  try {
    await askOnce((session) => session.listTools());
  } catch (error) {
    if (isTimeout(error)) throw stillBusy(crowded);
    if (!(error instanceof McpFailure)) throw error;
  }
}
