/**
 * Compares the responses of live servers with a recording. If a response differs only in ignored
 * places, the trial gets the recorded response instead. Otherwise an ignored difference could cause
 * later differences.
 */
import {
  type AskExchange,
  type CallExchange,
  describeRedactionMarks,
  firstDifference,
  hasMark,
  holdsMarkText,
  type Json,
  listingDivergence,
  type ValueDifference,
} from '@proofmark/domain';
import { asksToWait } from '../../outside/mcp/asks-to-wait.ts';
import { McpFailure } from '../../outside/mcp/mcp-failure.ts';
import type { McpSession, ToolOutcome } from '../../outside/mcp/mcp-gateway.ts';
import type { OpenedServer, OpenedServers, RunServers, TrialServers } from '../run-servers.ts';
import { type FoundExchange, findRecorded } from './opened-recording.ts';
import { type KeepAnswer, recordedSession } from './recorded-session.ts';
import type { TrialReplay } from './trial-replay.ts';

export function comparedServers(replay: TrialReplay, live: RunServers): RunServers {
  return {
    forTrial: async (signal, time) => compared(replay, await live.forTrial(signal, time)),
    listAgain: (...asked) => live.listAgain(...asked),
    close: () => live.close(),
  };
}

function compared(replay: TrialReplay, own: TrialServers): TrialServers {
  const { recorded, terms } = replay;
  return {
    async open(signal, options) {
      const opened = await own.open(signal, options);
      if (terms.asksModel) compareListings(replay, opened);
      return { ...opened, servers: opened.servers.map((one) => inRecordedOrder(replay, one)) };
    },
    async callTool(serverId, toolName, input, signal, onWaiting, _mayRepeat, onTask) {
      const call = () =>
        own.callTool(serverId, toolName, input, signal, onWaiting, undefined, onTask);
      if (replay.isModelLive) return call();
      const serverName = replay.serverNames.get(serverId) ?? serverId;
      const looked = recorded.callsOf(serverName, toolName);
      const found = taken(replay, { side: 'server', serverName, toolName }, looked, input);
      if (found === undefined) return call();
      return comparedAnswer(replay, found, call, ({ result }) => result, withResult);
    },
    ask(serverId, work, signal, onWaiting) {
      const serverName = replay.serverNames.get(serverId) ?? serverId;
      let places: number[] = [];
      const asking = (session: McpSession) => {
        // If the server asks Proofmark to wait, the request is repeated. Recorded exchanges that
        // the failed attempt used become unused again, so that only the last attempt counts.
        for (const place of places) recorded.untake(place);
        places = [];
        const keep: KeepAnswer = async (method, input, answer) => {
          if (replay.isModelLive) return answer();
          const about = { side: 'server', serverName, toolName: method } as const;
          const found = taken(replay, about, recorded.asksOf(serverName, method), input);
          if (found === undefined) return answer();
          places.push(found.place);
          return comparedAnswer(
            replay,
            found,
            answer,
            (value) => value,
            (_, value) => value as never,
          );
        };
        return work(recordedSession(session, keep));
      };
      return own.ask(serverId, asking, signal, onWaiting);
    },
    after: own,
    heldBack: () => own.heldBack(),
    close: () => own.close(),
  };
}

function withResult(outcome: ToolOutcome, result: unknown): ToolOutcome {
  return { ...outcome, result: result as Json };
}

type About = Omit<Parameters<TrialReplay['diverge']>[0], 'kind'>;

interface Found {
  readonly at: About;
  readonly place: number;
  readonly result: unknown;
  readonly error: Json | undefined;
}

/**
 * Uses the recorded exchange with the same arguments. If there is none, reports that the trial
 * diverged from its recording and returns undefined.
 */
function taken<Exchange extends CallExchange | AskExchange>(
  replay: TrialReplay,
  about: About,
  looked: readonly FoundExchange<Exchange>[],
  input: Json,
): Found | undefined {
  const { found, nearest, wasMade } = findRecorded(looked, input);
  if (found === undefined) {
    const after = replay.redact(input);
    const whole = { path: '', before: nearest?.arguments, after };
    const difference = nearest && firstDifference(nearest.arguments, after);
    replay.diverge({ ...about, kind: wasMade ? 'missing' : 'call' }, difference ?? whole);
    return undefined;
  }
  const { place, exchange } = found;
  const { arguments: before, nth, result, error } = exchange;
  replay.recorded.take(place);
  const at = { ...about, call: nth };
  if (hasMark(before) && holdsMarkText(input)) {
    // The original value of a redacted argument is unknown, so the call cannot be sent to a live
    // server.
    replay.diverge({ ...at, kind: 'call' }, { path: '', before, after: undefined });
  }
  return { at, place, result, error };
}

async function comparedAnswer<Answer>(
  replay: TrialReplay,
  { at, result, error: failed }: Found,
  ask: () => Promise<Answer>,
  resultOf: (answer: Answer) => unknown,
  withRecorded: (answer: Answer, result: unknown) => Answer,
): Promise<Answer> {
  try {
    const answer = await ask();
    if (result === undefined) {
      replay.diverge({ ...at, kind: 'error' }, errorOnly(failed));
      return answer;
    }
    const after = replay.redact(resultOf(answer));
    const difference = firstDifference(result, after, replay.terms.ignore);
    if (difference === undefined) return withRecorded(answer, describeRedactionMarks(result));
    replay.diverge({ ...at, kind: 'result' }, difference);
    return answer;
  } catch (error) {
    // A server that asks Proofmark to wait has not responded yet; the request is repeated.
    const isAnswer = error instanceof McpFailure && !asksToWait(error);
    if (isAnswer && error.code !== 'RATE_LIMITED') {
      compareErrors(replay, at, failed, error);
    }
    throw error;
  }
}

/**
 * Sorts tools in the recorded order. A different order is no divergence and must not change
 * requests to models.
 */
function inRecordedOrder(replay: TrialReplay, server: OpenedServer): OpenedServer {
  const known = replay.recorded.servers.find(({ serverName }) => serverName === server.name);
  if (known === undefined || known.tools.length !== server.tools.length) return server;
  const isSame = server.tools.every(({ name }, at) => name === known.tools[at]?.['name']);
  if (isSame) return server;
  const places = new Map(known.tools.map(({ name }, at) => [name, at]));
  const placeOf = ({ name }: Json) => places.get(name) ?? places.size;
  return { ...server, tools: [...server.tools].sort((a, b) => placeOf(a) - placeOf(b)) };
}

function compareListings(replay: TrialReplay, { servers }: OpenedServers): void {
  for (const { name, tools, failure } of servers) {
    const known = replay.recorded.servers.find(({ serverName }) => serverName === name);
    // The trial itself reports a server that cannot be opened.
    if (failure !== undefined || known === undefined) continue;
    const listed = replay.redactKnown(tools) as readonly Json[];
    const divergence = listingDivergence(name, known.tools, listed);
    if (divergence === undefined) continue;
    replay.note(divergence);
    return;
  }
}

function compareErrors(
  replay: TrialReplay,
  about: About,
  recorded: Json | undefined,
  { code, message }: McpFailure,
): void {
  const after = replay.redact({ code, message });
  if (recorded === undefined) {
    replay.diverge({ ...about, kind: 'error' }, { path: '', before: undefined, after });
    return;
  }
  const before = { code: recorded['code'], message: recorded['message'] };
  const difference = firstDifference(before, after, replay.terms.ignore);
  if (difference !== undefined) replay.diverge({ ...about, kind: 'error' }, difference);
}

function errorOnly(before: Json | undefined): ValueDifference {
  return { path: '', before: before ?? {}, after: undefined };
}
