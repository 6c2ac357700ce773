import { version } from '@proofmark/contract';
import type { WidgetsHere } from '../outside/browser/widgets-here.ts';
import type { EgressPolicy } from '../outside/egress/address-policy.ts';
import type { McpGateway } from '../outside/mcp/mcp-gateway.ts';
import type { StdioAddress } from '../outside/mcp/mcp-target.ts';
import type { ModelGateway } from '../outside/model/model-gateway.ts';
import { linearPatterns } from '../outside/patterns/linear-patterns.ts';
import { createScorerGateway } from '../outside/scorers/scorer-gateway.ts';
import type { Log } from '../platform/http/http-options.ts';
import { launchLimits, retentionOf, visitTimesOf } from './launch-limits.ts';
import type { Store } from './open-store.ts';
import { egressCheckLimit, openEgressCheck } from './own-connection-check.ts';
import type { Settings } from './settings.ts';
import { stopInReverse } from './stop-in-reverse.ts';
import { startWorker } from './worker/start-worker.ts';

export async function startWorking(
  settings: Settings,
  parts: {
    readonly store: Store;
    readonly log: Log;
    readonly egress: EgressPolicy;
    readonly mcp: McpGateway;
    readonly models: ModelGateway;
    readonly widgets: WidgetsHere;
    stdioAddressOf(serverId: string): StdioAddress | undefined;
    /** Returns whether there is disk space for more work (default: always). */
    mayBegin?(): boolean;
    /**
     * Whether this process is a separate worker. It then logs at the start what the check of its
     * own connections cannot detect.
     */
    readonly isWorkerAlone?: boolean;
  },
): Promise<{ stop(): Promise<void> }> {
  const { store, log, mcp, models } = parts;
  const egressCheck = await openEgressCheck(parts.egress);
  if (parts.isWorkerAlone) log.info({}, egressCheckLimit);
  const starting = startWorker({
    database: store.work,
    url: store.url,
    log,
    mcp,
    models,
    patterns: linearPatterns,
    widgets: parts.widgets,
    conformanceFolder: settings.conformanceFolder,
    scorers: createScorerGateway(parts.egress),
    stdioAddressOf: (serverId) => parts.stdioAddressOf(serverId),
    callsPerServer: settings.callsPerServer,
    trialsAtOnce: settings.trialsAtOnce,
    version,
    runLimits: launchLimits(settings),
    retention: retentionOf(settings),
    visitTimes: visitTimesOf(settings),
    ...(parts.mayBegin && { mayBegin: () => parts.mayBegin?.() !== false }),
    verifyEgress: () => egressCheck.works(),
  });
  const worker = await starting.catch(async (error: unknown) => {
    await egressCheck.close();
    throw error;
  });
  return {
    stop: () => stopInReverse([() => egressCheck.close(), () => worker.stop()]),
  };
}
