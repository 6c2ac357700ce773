import type { VisitTimes } from '../../server/src/features/user-testing/work/visit-times.ts';
import { createLog } from '../../server/src/main/log.ts';
import { startWorker } from '../../server/src/main/worker/start-worker.ts';
import type { WidgetsHere } from '../../server/src/outside/browser/widgets-here.ts';
import type { EgressPolicy } from '../../server/src/outside/egress/address-policy.ts';
import { createMcpGateway } from '../../server/src/outside/mcp/create-mcp-gateway.ts';
import type { McpLimits } from '../../server/src/outside/mcp/mcp-limits.ts';
import type { StdioAddress } from '../../server/src/outside/mcp/mcp-target.ts';
import type { ModelGateway } from '../../server/src/outside/model/model-gateway.ts';
import { linearPatterns } from '../../server/src/outside/patterns/linear-patterns.ts';
import { createScorerGateway } from '../../server/src/outside/scorers/scorer-gateway.ts';
import { defaultRunLimits, type RunLimits } from '../../server/src/platform/spending/run-limits.ts';
import { call, type TestService } from './test-service.ts';

export interface TestWorker {
  readonly logLines: readonly string[];
  stop(): Promise<void>;
}

export async function startTestWorker(
  service: Pick<TestService, 'database' | 'serviceUrl'>,
  models: ModelGateway,
  options: {
    readonly trialsAtOnce?: number;
    readonly callsPerServer?: number;
    readonly egressWorks?: boolean;
    readonly stdioAddressOf?: (serverId: string) => StdioAddress | undefined;
    readonly mcpLimits?: Partial<McpLimits>;
    readonly runLimits?: Partial<RunLimits>;
    /**
     * The addresses that own scorers (an organization's HTTP programs that score trials) may have
     * (default: loopback).
     */
    readonly scorerEgress?: EgressPolicy;
    readonly mayBegin?: () => boolean;
    readonly widgets?: WidgetsHere;
    readonly visitTimes?: Partial<VisitTimes>;
  } = {},
): Promise<TestWorker> {
  const logLines: string[] = [];
  const egress = { allowLoopback: true, allowedPrivateHosts: [] };
  const mcp = createMcpGateway({
    egress,
    client: { name: 'proofmark-test', version: '1' },
    limits: options.mcpLimits ?? {},
  });
  const worker = await startWorker({
    database: service.database,
    url: service.serviceUrl,
    mcp,
    models,
    patterns: linearPatterns,
    scorers: createScorerGateway(options.scorerEgress ?? egress, { beforeRetryMs: 1 }),
    log: createLog('info', { write: (line) => void logLines.push(line) }),
    stdioAddressOf: options.stdioAddressOf ?? (() => undefined),
    callsPerServer: options.callsPerServer ?? 8,
    trialsAtOnce: options.trialsAtOnce ?? 4,
    version: 'test',
    // When the worker stops, it waits at most this long for a model that never answers (default:
    // 5000 ms).
    leaseTimes: { longestEndMs: 1000 },
    runLimits: { ...defaultRunLimits, ...options.runLimits },
    verifyEgress: async () => options.egressWorks ?? true,
    ...(options.mayBegin && { mayBegin: options.mayBegin }),
    ...(options.widgets && { widgets: options.widgets }),
    ...(options.visitTimes && { visitTimes: options.visitTimes }),
  });
  return {
    logLines,
    async stop() {
      await worker.stop();
      await mcp.close();
    },
  };
}

export async function untilEnded(
  service: Pick<TestService, 'baseUrl'>,
  caller: { readonly projectId: string; readonly key: string },
  runId: string,
  withinMs = 110_000,
) {
  const begun = performance.now();
  for (;;) {
    const read = await call(
      `${service.baseUrl}/api/v1/projects/${caller.projectId}/eval-runs/${runId}`,
      {
        key: caller.key,
      },
    );
    const isBusy = read.status === 503 && read.body.details?.reason === 'NOT_IN_TIME';
    if (read.status !== 200 && !isBusy) throw new Error(`The run cannot be read: ${read.text}`);
    if (!isBusy && !['pending', 'running'].includes(read.body.status)) return read.body;
    const waitedMs = performance.now() - begun;
    if (waitedMs > withinMs) throw new Error(`The run did not end: ${read.text}`);
    // Polls less often the longer the run takes, because each request takes CPU from the run.
    const pauseMs = Math.min(Math.max(20, waitedMs / 10), 150);
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}
