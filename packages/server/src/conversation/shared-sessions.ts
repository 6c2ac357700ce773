/**
 * One session with each server for all trials of a run in this process, for servers that are slow
 * to open. Calls of a server are made one at a time, so that a request of the server belongs to a
 * known call. Waiting for that turn does not count as the server's time.
 */
import type { OwnSession } from '../outside/mcp/mcp-gateway.ts';
import type { McpTarget } from '../outside/mcp/mcp-target.ts';
import type { ServerEvent } from '../outside/mcp/server-events.ts';
import type { OnServerRequest } from '../outside/mcp/server-requests.ts';
import { CallSlots } from './call-slots.ts';
import { callToolBy } from './call-tool-by.ts';
import { OwnTrialServers } from './own-trial-servers.ts';
import type { OpenedServers, OpenOptions, TimeLeft, TrialServers } from './run-servers.ts';
import type { RunServersParts } from './run-servers-parts.ts';
import { SharedAttempt } from './shared-attempt.ts';

type Handler = NonNullable<OpenOptions['onServerRequest']>;
type Listener = NonNullable<OpenOptions['onServerEvent']>;

export class SharedSessions {
  readonly #parts: RunServersParts;
  readonly #open = new Map<string, OwnSession>();
  readonly #opener: OwnTrialServers;
  readonly #whole: SharedAttempt<OpenedServers>;
  readonly #slots: SharedAttempt<() => void>;
  readonly #turns = new CallSlots();
  readonly #current = new Map<string, Handler>();
  readonly #listeners = new Set<Listener>();

  constructor(parts: RunServersParts, reserve: (signal: AbortSignal) => Promise<() => void>) {
    const sessions = parts.sessions.map((own) => ({
      prepare: (target: McpTarget) => own.prepare(target),
      close: () => own.close(),
      open: (target: McpTarget) =>
        own.open(target, this.#handlerOf(target.serverId), this.#listenerOf(target.serverId)),
    }));
    this.#parts = { ...parts, sessions };
    this.#slots = new SharedAttempt(reserve, () => true);
    this.#opener = new OwnTrialServers(this.#parts, noEnd, () => undefined, this.#open);
    this.#whole = new SharedAttempt<OpenedServers>(
      (signal) => this.#opener.open(signal),
      ({ surface }) => surface !== null,
    );
  }

  async forTrial(signal: AbortSignal, time: TimeLeft): Promise<TrialServers> {
    await this.#slots.get(signal);
    const trialServers = new OwnTrialServers(this.#parts, time, () => undefined, this.#open);
    let handler: Handler | undefined;
    let listener: Listener | undefined;
    let waiting = 0;
    const ask: TrialServers['ask'] = (serverId, work, calling, onWaiting, onRepeat) =>
      this.#inTurn(
        serverId,
        handler,
        calling,
        (isWaitingNow) => {
          waiting += isWaitingNow ? 1 : -1;
          if (isWaitingNow) onWaiting?.(true);
        },
        () => trialServers.ask(serverId, work, calling, onWaiting, onRepeat),
      );
    return {
      ask,
      open: (opening, options) => {
        handler = options?.onServerRequest;
        listener = options?.onServerEvent;
        if (listener !== undefined) this.#listeners.add(listener);
        return this.#whole.get(opening);
      },
      callTool: (...call) => callToolBy(ask, ...call),
      heldBack: () =>
        waiting > 0 ? waitedForTurn : (trialServers.heldBack() ?? this.#opener.heldBack()),
      close: () => {
        if (listener !== undefined) this.#listeners.delete(listener);
      },
    };
  }

  /** Frees only the slots. The sessions are closed by their owner. */
  close(): void {
    this.#slots.kept?.();
  }

  async #inTurn<Result>(
    serverId: string,
    handler: Handler | undefined,
    signal: AbortSignal,
    onWaiting: (isWaiting: boolean) => void,
    work: () => Promise<Result>,
  ): Promise<Result> {
    onWaiting(true);
    return this.#turns.run(serverId, 1, signal, async () => {
      onWaiting(false);
      if (handler !== undefined) this.#current.set(serverId, handler);
      try {
        return await work();
      } finally {
        this.#current.delete(serverId);
      }
    });
  }

  #listenerOf(serverId: string): (event: ServerEvent) => void {
    const { targets } = this.#parts.dependencies;
    return (event) => {
      const name = targets.find(({ id }) => id === serverId)?.name ?? serverId;
      for (const listener of this.#listeners) listener(name, event);
    };
  }

  #handlerOf(serverId: string): OnServerRequest {
    return async (method, params, signal) => {
      const handler = this.#current.get(serverId);
      if (handler === undefined)
        throw new Error('The server sent a request while no trial was calling it.');
      return handler(method, params, signal, serverId);
    };
  }
}

/**
 * The time for opening shared sessions. It is unlimited, because each trial limits its own waiting.
 */
const noEnd: TimeLeft = { remainingMs: () => Infinity };

const waitedForTurn =
  'The trial ran out of time while it waited for its turn in a session that all trials of the run share.';
