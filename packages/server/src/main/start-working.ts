/** Starts the worker of this process with what the settings allow it. */

import type { EgressPolicy } from '../egress/address-policy.ts';
import { createGuardedFetch } from '../egress/guarded-fetch.ts';
import type { Log } from '../http/door-options.ts';
import type { McpGateway } from '../mcp/mcp-gateway.ts';
import type { StdioAddress } from '../mcp/mcp-target.ts';
import type { ModelGateway } from '../model/model-gateway.ts';
import { linearPatterns } from '../patterns/linear-patterns.ts';
import { startWorker } from '../worker/start-worker.ts';
import { launchLimits } from './launch-limits.ts';
import type { Store } from './open-store.ts';
import type { Settings } from './settings.ts';

const egressCheckMs = 5000;

export async function startWorking(
  settings: Settings,
  parts: {
    readonly store: Store;
    readonly log: Log;
    readonly egress: EgressPolicy;
    readonly mcp: McpGateway;
    readonly models: ModelGateway;
    stdioAddressOf(serverId: string): StdioAddress | undefined;
    /** Where the service itself answers; absent where this process does not know. */
    readonly serviceUrl: string | undefined;
  },
): Promise<{ stop(): Promise<void> }> {
  const { store, log, mcp, models, serviceUrl } = parts;
  const wayOut = createGuardedFetch(parts.egress);
  return startWorker({
    ...{ database: store.work, url: store.url, log, mcp, models, patterns: linearPatterns },
    stdioAddressOf: (serverId) => parts.stdioAddressOf(serverId),
    callsPerServer: settings.callsPerServer,
    trialsAtOnce: settings.trialsAtOnce,
    runLimits: launchLimits(settings),
    async verifyEgress() {
      if (serviceUrl === undefined) return false;
      const signal = AbortSignal.timeout(egressCheckMs);
      const answer = await wayOut(`${serviceUrl}/healthz`, { signal }).catch(() => undefined);
      await answer?.body?.cancel();
      return answer?.ok === true;
    },
  });
}
