/**
 * Live servers beside a recorded model. Redacted parts of the model's calls cannot be sent to them.
 */
import { markText } from '@proofmark/domain';
import type { RunServers, TrialServers } from '../run-servers.ts';
import type { TrialReplay } from './trial-replay.ts';

export function serversWithoutRedaction(replay: TrialReplay, live: RunServers): RunServers {
  return {
    forTrial: async (signal, time) => unmarked(replay, await live.forTrial(signal, time)),
    listAgain: (...asked) => live.listAgain(...asked),
    close: () => live.close(),
  };
}

function unmarked(replay: TrialReplay, own: TrialServers): TrialServers {
  return {
    open: (...asked) => own.open(...asked),
    async callTool(serverId, toolName, input, signal, onWaiting) {
      if (replay.recorded.hasMarks && JSON.stringify(input).includes(markText)) {
        const serverName = replay.serverNames.get(serverId) ?? serverId;
        const place = { side: 'server', kind: 'call', serverName, toolName } as const;
        replay.diverge(place, { path: '', before: input, after: undefined });
      }
      return own.callTool(serverId, toolName, input, signal, onWaiting);
    },
    ask: (...asked) => own.ask(...asked),
    heldBack: () => own.heldBack(),
    close: () => own.close(),
  };
}
