/**
 * Opens the servers of a run. For each trial it takes slots for sessions, opens sessions with all
 * servers concurrently, and makes the trial's calls in them.
 * If a server cannot be opened, a `SetupSignal` states whose fault it was. If the server seems at
 * fault, the service checks once whether its own outgoing connections work. If a connection failed,
 * nothing is known about the tools, so there is no signal about listing them.
 */

import { foldSignals, type SetupSignal } from '@proofmark/domain';
import { CallSlots } from './call-slots.ts';
import { ListedSurfaces } from './listed-surfaces.ts';
import type { Attempt } from './open-server.ts';
import { OwnTrialServers } from './own-trial-servers.ts';
import type { OpenedServers, RunServers } from './run-servers.ts';
import type { RunServersDependencies, RunServersParts } from './run-servers-parts.ts';
import { SharedAttempt } from './shared-attempt.ts';
import { SharedSessions } from './shared-sessions.ts';

const defaultCallsPerServer = 8;
const callSlots = new CallSlots();

export function createRunServers(dependencies: RunServersDependencies): RunServers {
  const { callsPerServer = defaultCallsPerServer, sharesSessions = false } = dependencies;
  const { targets, listsAgain = false } = dependencies;
  const sessions = targets.map(() => dependencies.mcp.ownSessions());
  const leave = targets.map(({ id }) => callSlots.join(id));
  const surfaces = new ListedSurfaces();
  const egress = new SharedAttempt(
    () => dependencies.verifyEgress(),
    () => true,
  );
  let begun = 0;
  const parts: RunServersParts = {
    dependencies,
    sessions,
    callsPerServer,
    slots: callSlots,
    mayPrepare: () => !sharesSessions && begun < (dependencies.trials ?? Infinity),
    fold: (tried, signal) => foldAttempts(tried, surfaces, () => egress.get(signal)),
  };
  // The slots of a trial are reserved together. Otherwise trials that hold some slots and wait for
  // more would deadlock.
  const slotsOfTrial = targets.length + (listsAgain ? 1 : 0);
  const reserve = (signal: AbortSignal) =>
    dependencies.mcp.reserve(dependencies.organizationId, slotsOfTrial, signal);
  const shared = sharesSessions ? new SharedSessions(parts, reserve) : undefined;
  return {
    async forTrial(signal, time) {
      if (shared !== undefined) return shared.forTrial(signal, time);
      const release = await reserve(signal);
      begun += 1;
      return new OwnTrialServers(parts, time, release);
    },
    async listAgain(serverId, signal, time) {
      const is = targets.map(({ id }) => id === serverId);
      const one = {
        ...parts,
        dependencies: { ...dependencies, targets: targets.filter((_, index) => is[index]) },
        sessions: sessions.filter((_, index) => is[index]),
      };
      const alone = new OwnTrialServers(one, time, () => undefined);
      try {
        const { servers } = await alone.open(signal);
        return servers[0]?.tools ?? [];
      } finally {
        alone.close();
      }
    },
    async close() {
      for (const end of leave) end();
      await Promise.all(sessions.map((one) => one.close()));
      shared?.close();
    },
  };
}

async function foldAttempts(
  tried: readonly Attempt[],
  surfaces: ListedSurfaces,
  verifyEgress: () => Promise<boolean>,
): Promise<OpenedServers> {
  const servers = tried.map(({ server }) => ({ ...server, tools: surfaces.share(server.tools) }));
  const isTheirs = tried.some(
    ({ failed }) =>
      failed?.stage === 'connect' && failed.attribution === 'theirs' && !failed.isAnswered,
  );
  const egressVerified = isTheirs && (await verifyEgress());
  const connect = foldSignals(
    tried.map(({ failed }) => signalOf(failed, 'connect', egressVerified)),
  );
  return {
    servers,
    connect,
    // `true`: the connection worked, so Proofmark's own network cannot be the cause of a failed
    // listing.
    toolsList: connect.ok
      ? foldSignals(tried.map(({ failed }) => signalOf(failed, 'toolsList', true)))
      : undefined,
    surface: tried.every(({ failed }) => failed === undefined) ? surfaces.of(servers) : null,
  };
}

function signalOf(
  failed: Attempt['failed'],
  stage: 'connect' | 'toolsList',
  egressVerified: boolean,
): SetupSignal {
  if (failed?.stage !== stage) return { ok: true };
  const { attribution, isAnswered } = failed;
  return { ok: false, attribution, egressVerified: egressVerified || isAnswered };
}
