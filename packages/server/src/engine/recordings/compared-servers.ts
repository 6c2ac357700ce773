/**
 * Live servers whose answers are held against a recording. What is equal to the recorded answer, but for what may differ,
 * goes on as it was recorded, so that nothing later differs by it.
 */
import {
  firstDifference,
  hasMark,
  type Json,
  listingDivergence,
  markText,
  tellMarks,
  type ValueDifference,
} from '@proofmark/domain';
import { McpFailure } from '../../mcp/mcp-failure.ts';
import type { OpenedServers, RunServers, TrialServers } from '../run-servers.ts';
import { findRecorded } from './opened-recording.ts';
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
      return opened;
    },
    async callTool(serverId, toolName, input, signal, onWaiting) {
      const call = () => own.callTool(serverId, toolName, input, signal, onWaiting);
      if (replay.isModelLive) return call();
      const serverName = replay.serverNames.get(serverId) ?? serverId;
      const { found, nearest, wasMade } = findRecorded(
        recorded.callsOf(serverName, toolName),
        input,
      );
      const about = { side: 'server', serverName, toolName } as const;
      if (found === undefined) {
        const after = replay.redact(input);
        const whole = { path: '', before: nearest?.arguments, after };
        const difference = nearest && firstDifference(nearest.arguments, after);
        replay.diverge({ ...about, kind: wasMade ? 'missing' : 'call' }, difference ?? whole);
        return call();
      }
      const { place, exchange } = found;
      recorded.take(place);
      const at = { ...about, call: exchange.nth };
      if (hasMark(exchange.arguments) && JSON.stringify(input).includes(markText)) {
        // What was taken out of the arguments cannot be sent again.
        const { arguments: before } = exchange;
        replay.diverge({ ...at, kind: 'call' }, { path: '', before, after: undefined });
      }
      try {
        const outcome = await call();
        const after = replay.redact(outcome.result);
        if (exchange.result === undefined) {
          replay.diverge({ ...at, kind: 'error' }, errorOnly(exchange.error));
          return outcome;
        }
        const difference = firstDifference(exchange.result, after, terms.ignore);
        if (difference === undefined) {
          return { ...outcome, result: tellMarks(exchange.result) as Json };
        }
        replay.diverge({ ...at, kind: 'result' }, difference);
        return outcome;
      } catch (error) {
        if (error instanceof McpFailure) compareErrors(replay, at, exchange.error, error);
        throw error;
      }
    },
    ask: (...asked) => own.ask(...asked),
    heldBack: () => own.heldBack(),
    close: () => own.close(),
  };
}

function compareListings(replay: TrialReplay, { servers }: OpenedServers): void {
  for (const { name, tools, failure } of servers) {
    const known = replay.recorded.servers.find(({ serverName }) => serverName === name);
    // A server that cannot be opened is told by the trial itself.
    if (failure !== undefined || known === undefined) continue;
    const listed = replay.redactKnown(tools) as readonly Json[];
    const divergence = listingDivergence(name, known.tools, listed);
    if (divergence === undefined) continue;
    replay.note(divergence);
    return;
  }
}

type About = Omit<Parameters<TrialReplay['diverge']>[0], 'kind'>;

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
