/**
 * Servers that answer from a recording. The real servers are opened only if a trial may continue
 * live after a divergence and requests something that was not recorded.
 */
import {
  type AskExchange,
  type CallExchange,
  type ExchangeDuration,
  type ExcludedTool,
  firstDifference,
  type Json,
  type RecordedServer,
} from '@proofmark/domain';
import { McpFailure, type McpFailureCode } from '../../outside/mcp/mcp-failure.ts';
import type {
  McpPage,
  McpSession,
  ServerInitInfo,
  ToolOutcome,
} from '../../outside/mcp/mcp-gateway.ts';
import { ListedSurfaces } from '../listed-surfaces.ts';
import type {
  OnTrialRequest,
  OpenedServers,
  OpenOptions,
  RunServers,
  TimeLeft,
  TrialServers,
} from '../run-servers.ts';
import { SetupLost } from '../setup-lost.ts';
import { listChanged } from '../trial-log.ts';
import { findRecorded, type OpenedRecordingOfTrial, type PlacedCall } from './opened-recording.ts';
import { recordedSession } from './recorded-session.ts';
import { skipRecordedTimeouts } from './skip-recorded-timeouts.ts';
import type { TrialReplay } from './trial-replay.ts';

const surfaces = new ListedSurfaces();

export function recordedServers(replay: TrialReplay, live: RunServers): RunServers {
  return {
    forTrial: async (_, time) => new RecordedTrialServers(replay, live, time),
    listAgain: (...asked) => live.listAgain(...asked),
    close: () => live.close(),
  };
}

interface Answered {
  readonly result?: unknown;
  readonly error?: Json;
}

class RecordedTrialServers implements TrialServers {
  readonly #replay: TrialReplay;
  readonly #live: RunServers;
  readonly #time: TimeLeft;
  #options: OpenOptions = {};
  #opened: Promise<TrialServers> | undefined;
  readonly #given: { method: string; request: unknown; given: unknown }[] = [];

  constructor(replay: TrialReplay, live: RunServers, time: TimeLeft) {
    this.#replay = replay;
    this.#live = live;
    this.#time = time;
  }

  async open(signal: AbortSignal, options: OpenOptions = {}): Promise<OpenedServers> {
    this.#options = options;
    const { recorded: recording } = this.#replay;
    const { servers: recorded, durations } = recording;
    if (recorded.some(({ unanswered }) => unanswered))
      return skipRecordedTimeouts(recording, signal);
    const servers = [...this.#replay.serverNames].map(([id, name]) => {
      const place = recorded.findIndex(({ serverName }) => serverName === name);
      const known = recorded[place];
      const { connectMs = 0, listMs = 0 } = durations?.servers[place] ?? {};
      const tools = recording.withMarksDescribed(known?.tools ?? []) as readonly Json[];
      return {
        id,
        name,
        connectMs,
        listMs,
        tools: surfaces.share(tools),
        ...(known?.excludedTools && { excludedTools: describedExclusions(recording, known) }),
        ...(known?.initialize && {
          initInfo: recording.withMarksDescribed(known.initialize) as ServerInitInfo,
        }),
        ...(known?.failure !== undefined && {
          failure: String(recording.withMarksDescribed(known.failure)),
        }),
        ...(known?.needsOAuth && { needsOAuth: true as const }),
      };
    });
    const missing = servers.find(({ name }) => !recorded.some((one) => one.serverName === name));
    if (missing !== undefined) {
      const place = { side: 'server', kind: 'missing', serverName: missing.name } as const;
      this.#replay.diverge(place, { path: '', before: undefined, after: undefined });
    }
    for (const { serverName, noise } of recorded) {
      if (noise === undefined) continue;
      options.onServerEvent?.(serverName, { noise: String(recording.withMarksDescribed(noise)) });
    }
    const [first] = recorded;
    const connect = first?.connect ?? ({ ok: true } as const);
    const isOpen = servers.every(({ failure }) => failure === undefined);
    return {
      servers,
      connect,
      toolsList: connect.ok ? (first?.toolsList ?? { ok: true }) : undefined,
      surface: isOpen ? surfaces.of(servers) : null,
    };
  }

  async callTool(...call: Parameters<TrialServers['callTool']>): Promise<ToolOutcome> {
    const [serverId, toolName, input, signal, onWaiting, , onTask] = call;
    const found = this.#find(serverId, toolName, input);
    if (found === undefined) return (await this.#goLive(signal)).callTool(...call);
    onWaiting?.(false);
    const { place, exchange } = found;
    this.#reportReopened(exchange);
    if (this.#replay.recorded.wasListedAgainAfter(place, exchange.serverName)) {
      const event = { method: listChanged, params: {} };
      this.#options.onServerEvent?.(exchange.serverName, event);
    }
    const isSame = await this.#answerRequests(place, serverId, signal);
    // The recorded result followed from another response of Proofmark to the server, so it cannot
    // be used.
    if (!isSame) return (await this.#goLive(signal)).callTool(...call);
    if (exchange.task !== undefined) onTask?.(exchange.task);
    const { recorded: recording } = this.#replay;
    const duration = recording.durationAt(place);
    const result = await answerOf(recording, exchange, duration, signal);
    return {
      ...(recording.withMarksDescribed(exchange.checks ?? {}) as object),
      ...(duration ?? { durationMs: 0, isTimed: false as const }),
      result: result as Json,
    };
  }

  ask: TrialServers['ask'] = async (serverId, work, signal, onWaiting, onRepeat) => {
    if (this.#replay.areServersLive) {
      return (await this.#goLive(signal)).ask(serverId, work, signal, onWaiting, onRepeat);
    }
    onWaiting?.(false);
    return work(this.#session(serverId, signal));
  };

  heldBack(): undefined {
    return undefined;
  }

  close(): void {
    void this.#opened?.then(
      (own) => own.close(),
      () => undefined,
    );
  }

  /**
   * The servers for clean-up calls. A clean-up call that was not recorded is no divergence, because
   * it proves nothing about the trial. A call that was never really made needs no clean-up.
   */
  get after(): TrialServers {
    return {
      open: this.open.bind(this),
      ask: this.ask,
      heldBack: this.heldBack,
      close: () => this.close(),
      callTool: async (...call) => {
        const [serverId, toolName, input] = call;
        const looked = this.#replay.recorded.callsOf(this.#name(serverId), toolName);
        const isThere = findRecorded(looked, input).found !== undefined;
        if (isThere || this.#replay.areServersLive) return this.callTool(...call);
        throw new SetupLost('This call was not recorded, so no server was called.');
      },
    };
  }

  #find(serverId: string, toolName: string, input: Json) {
    if (this.#replay.areServersLive) return undefined;
    const serverName = this.#name(serverId);
    const looked = this.#replay.recorded.callsOf(serverName, toolName);
    return this.#take({ serverName, toolName }, findRecorded(looked, input), input);
  }

  #take<Exchange extends { readonly arguments: unknown; readonly nth: number }>(
    about: { readonly serverName: string; readonly toolName: string },
    { found, nearest, wasMade }: ReturnType<typeof findRecorded<Exchange>>,
    input: Json,
  ): PlacedCall<Exchange> | undefined {
    if (found !== undefined) {
      this.#replay.recorded.take(found.place);
      return found;
    }
    const kind = wasMade ? 'missing' : 'call';
    const after = this.#replay.redact(input);
    const whole = { path: '', before: nearest?.arguments, after };
    const difference = nearest && firstDifference(nearest.arguments, after);
    this.#replay.diverge({ side: 'server', kind, ...about }, difference ?? whole);
    return undefined;
  }

  #reportReopened({ serverName, reopenedAfter }: CallExchange | AskExchange): void {
    if (reopenedAfter === undefined) return;
    const described = String(this.#replay.recorded.withMarksDescribed(reopenedAfter));
    this.#options.onServerEvent?.(serverName, { reopenedAfter: described });
  }

  /**
   * Answers, by the rules of the case as it is now, the requests that the server sent during the
   * recorded call. Returns whether the answers equal the recorded ones.
   */
  async #answerRequests(place: number, serverId: string, signal: AbortSignal): Promise<boolean> {
    const { onServerRequest } = this.#options;
    let isSame = true;
    for (const { exchange } of this.#replay.recorded.requestsDuring(place)) {
      const { kind, serverName, answer, error } = exchange;
      // In the recording, the trial ended before this request was answered.
      if (answer === undefined && error === undefined) {
        return skipRecordedTimeouts(this.#replay.recorded, signal);
      }
      const method = kind === 'sampling' ? 'sampling/createMessage' : 'elicitation/create';
      const request = this.#replay.recorded.withMarksDescribed(exchange.request);
      const given = await onServerRequest?.(method, request, signal, serverId).catch(() => {
        signal.throwIfAborted();
        return undefined;
      });
      this.#given.push({ method, request, given });
      const difference = firstDifference(answer, this.#replay.redact(given));
      if (difference === undefined) continue;
      this.#replay.diverge({ side: 'server', kind: 'request', serverName }, difference);
      isSame = false;
    }
    return isSame;
  }

  /**
   * Answers requests of a live server. If a request was already answered for the recorded call, the
   * same answer is sent again.
   */
  #answering(answer: OnTrialRequest): OnTrialRequest {
    return async (method, parameters, signal, serverId) => {
      const at = this.#given.findIndex(
        (one) => one.method === method && firstDifference(one.request, parameters) === undefined,
      );
      const [known] = at < 0 ? [] : this.#given.splice(at, 1);
      return known?.given ?? answer(method, parameters, signal, serverId);
    };
  }

  #session(serverId: string, signal: AbortSignal): McpSession {
    const serverName = this.#name(serverId);
    const { recorded } = this.#replay;
    const known = recorded.servers.find((one) => one.serverName === serverName);
    const live = async () => {
      throw new Error('The recording answers all requests, so no live server can be called.');
    };
    const empty: McpSession = {
      initInfo: recorded.withMarksDescribed(known?.initialize) as ServerInitInfo,
      // Only the exclusions of the first list were recorded.
      excludedTools: describedExclusions(recorded, known),
      listTools: live,
      listPrompts: live,
      listResources: live,
      listResourceTemplates: live,
      listAll: live,
      callTool: live,
      getPrompt: live,
      readResource: live,
    };
    return recordedSession(empty, async (method, input, _) => {
      const looked = recorded.asksOf(serverName, method);
      const about = { serverName, toolName: method };
      const found = this.#take(about, findRecorded(looked, input), input);
      if (found === undefined) {
        const own = await this.#goLive(signal);
        return own.ask(serverId, (session) => askAgain(session, method, input), signal) as never;
      }
      this.#reportReopened(found.exchange);
      const duration = recorded.durationAt(found.place);
      return (await answerOf(recorded, found.exchange, duration, signal)) as never;
    });
  }

  #goLive(signal: AbortSignal): Promise<TrialServers> {
    this.#opened ??= (async () => {
      const own = await this.#live.forTrial(signal, this.#time);
      const { onServerRequest } = this.#options;
      const { servers } = await own.open(signal, {
        ...this.#options,
        ...(onServerRequest && { onServerRequest: this.#answering(onServerRequest) }),
      });
      const closed = servers.find(({ failure }) => failure !== undefined);
      if (closed === undefined) return own;
      own.close();
      const { name, failure } = closed;
      throw new SetupLost(
        `${JSON.stringify(name)} could not be opened to continue live: ${failure}`,
      );
    })();
    return this.#opened;
  }

  #name(serverId: string): string {
    return this.#replay.serverNames.get(serverId) ?? serverId;
  }
}

function describedExclusions(
  recorded: OpenedRecordingOfTrial,
  server: RecordedServer | undefined,
): readonly ExcludedTool[] {
  return recorded.withMarksDescribed(server?.excludedTools ?? []) as readonly ExcludedTool[];
}

function askAgain(session: McpSession, method: string, input: Json): Promise<Json | McpPage> {
  const { name, uri, cursor } = input as Readonly<Record<string, string | undefined>>;
  if (method === 'prompts/get') {
    return session.getPrompt(name ?? '', (input['arguments'] ?? {}) as Record<string, string>);
  }
  if (method === 'resources/read') return session.readResource(uri ?? '');
  return session.listPrompts(cursor);
}

async function answerOf(
  recorded: OpenedRecordingOfTrial,
  { result, error }: Answered,
  duration: ExchangeDuration | undefined,
  signal: AbortSignal,
): Promise<unknown> {
  if (result !== undefined) return recorded.withMarksDescribed(result);
  if (error === undefined) return skipRecordedTimeouts(recorded, signal);
  const { code, message, details, answered } = recorded.withMarksDescribed(error) as Record<
    string,
    unknown
  >;
  const failure = new McpFailure(
    code as McpFailureCode,
    String(message),
    (details ?? {}) as Json,
    answered as boolean | undefined,
  );
  failure.durationMs = duration?.durationMs;
  failure.stillMs = duration?.stillMs;
  throw failure;
}
