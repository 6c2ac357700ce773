/**
 * Servers of a trial that repeats another one except for its last steps, as the trials of a mutation
 * do. They answer from memory while the trial makes the same calls. The first other request starts
 * the real servers, which get the earlier calls again, since a server may remember them.
 */
import type { Json } from '@proofmark/domain';
import type { ToolOutcome } from '../outside/mcp/mcp-gateway.ts';
import type {
  OpenedServers,
  OpenOptions,
  RunServers,
  TimeLeft,
  TrialServers,
} from './run-servers.ts';

export interface RememberedTrial {
  readonly opened: OpenedServers;
  readonly calls: readonly RememberedCall[];
}

interface RememberedCall {
  readonly serverId: string;
  readonly toolName: string;
  readonly input: Json;
  readonly outcome: ToolOutcome;
}

interface Notes {
  opened: OpenedServers | undefined;
  readonly calls: (Omit<RememberedCall, 'outcome'> & { outcome?: ToolOutcome })[];
  /** False after anything but a listing and answered calls, which memory cannot repeat. */
  isWhole: boolean;
}

const largestMemory = 1024 * 1024;

/** Notes what one trial asks its servers. */
export function notedServers(servers: RunServers): {
  readonly servers: RunServers;
  /** Undefined if the trial cannot be repeated from memory. */
  remembered(): RememberedTrial | undefined;
} {
  const notes: Notes = { opened: undefined, calls: [], isWhole: true };
  return {
    servers: {
      forTrial: async (...asked) => noted(await servers.forTrial(...asked), notes),
      listAgain: (...asked) => {
        notes.isWhole = false;
        return servers.listAgain(...asked);
      },
      close: () => servers.close(),
    },
    remembered() {
      const { opened, isWhole } = notes;
      const calls = notes.calls.flatMap(({ outcome, ...call }) =>
        outcome === undefined ? [] : [{ ...call, outcome }],
      );
      if (!isWhole || !opened?.surface || calls.length < notes.calls.length) return undefined;
      return JSON.stringify(calls).length > largestMemory ? undefined : { opened, calls };
    },
  };
}

function noted(own: TrialServers, notes: Notes): TrialServers {
  return {
    async open(signal, options = {}) {
      const { onServerEvent, onServerRequest } = options;
      notes.opened = await own.open(signal, {
        ...options,
        ...(onServerEvent && {
          onServerEvent: (...told) => {
            notes.isWhole = false;
            onServerEvent(...told);
          },
        }),
        ...(onServerRequest && {
          onServerRequest: (...request) => {
            notes.isWhole = false;
            return onServerRequest(...request);
          },
        }),
      });
      return notes.opened;
    },
    async callTool(serverId, toolName, input, ...others) {
      const call: Notes['calls'][number] = { serverId, toolName, input };
      notes.calls.push(call);
      call.outcome = await own.callTool(serverId, toolName, input, ...others);
      return call.outcome;
    },
    ask: (...asked) => {
      notes.isWhole = false;
      return own.ask(...asked);
    },
    heldBack: () => own.heldBack(),
    close: () => own.close(),
  };
}

export function rememberedServers(
  trial: RememberedTrial,
  live: RunServers,
): { readonly servers: RunServers; wasLive(): boolean } {
  let wasLive = false;
  const onLive = () => {
    wasLive = true;
  };
  return {
    servers: {
      forTrial: async (_, time) => new RememberedTrialServers(trial, live, time, onLive),
      listAgain: (...asked) => {
        onLive();
        return live.listAgain(...asked);
      },
      close: () => live.close(),
    },
    wasLive: () => wasLive,
  };
}

class RememberedTrialServers implements TrialServers {
  readonly #trial: RememberedTrial;
  readonly #live: RunServers;
  readonly #time: TimeLeft;
  readonly #onLive: () => void;
  #options: OpenOptions = {};
  #answered = 0;
  #own: TrialServers | undefined;
  #opening: Promise<TrialServers> | undefined;
  #isClosed = false;

  constructor(trial: RememberedTrial, live: RunServers, time: TimeLeft, onLive: () => void) {
    this.#trial = trial;
    this.#live = live;
    this.#time = time;
    this.#onLive = onLive;
  }

  async open(_: AbortSignal, options: OpenOptions = {}): Promise<OpenedServers> {
    this.#options = options;
    return this.#trial.opened;
  }

  callTool: TrialServers['callTool'] = async (...call) => {
    const [serverId, toolName, input, signal, onWaiting] = call;
    const next = this.#opening === undefined ? this.#trial.calls[this.#answered] : undefined;
    const isSame =
      next?.serverId === serverId &&
      next.toolName === toolName &&
      JSON.stringify(next.input) === JSON.stringify(input);
    if (!isSame) return (await this.#goLive(signal)).callTool(...call);
    this.#answered += 1;
    onWaiting?.(false);
    return next.outcome;
  };

  ask: TrialServers['ask'] = async (...asked) => {
    const [, , signal] = asked;
    return (await this.#goLive(signal)).ask(...asked);
  };

  #goLive(signal: AbortSignal): Promise<TrialServers> {
    this.#onLive();
    this.#opening ??= this.#openLive(signal);
    return this.#opening;
  }

  async #openLive(signal: AbortSignal): Promise<TrialServers> {
    const own = await this.#live.forTrial(signal, this.#time);
    this.#own = own;
    if (this.#isClosed) {
      own.close();
      throw new Error('The trial has ended.');
    }
    await own.open(signal, this.#options);
    for (const { serverId, toolName, input } of this.#trial.calls.slice(0, this.#answered)) {
      await own.callTool(serverId, toolName, input, signal);
    }
    return own;
  }

  heldBack(): string | undefined {
    return this.#own?.heldBack();
  }

  close(): void {
    if (!this.#isClosed) this.#own?.close();
    this.#isClosed = true;
  }
}
