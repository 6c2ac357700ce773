/**
 * The default options of the HTTP API in tests: no limits, and outgoing connections to loopback
 * allowed.
 */
import { defaultVisitLimits, makeId } from '@proofmark/domain';
import { installationMetrics } from '../../server/src/features/health/installation-metrics.ts';
import { readInstallationLoad } from '../../server/src/features/health/store/read-installation-load.ts';
import { defaultPartModels } from '../../server/src/features/models/part-models.ts';
import { createTurnRunner } from '../../server/src/features/user-testing/turns/create-turn-runner.ts';
import type { ServiceOptions } from '../../server/src/main/service-listener.ts';
import { checkUrl } from '../../server/src/outside/egress/address-policy.ts';
import { linearPatterns } from '../../server/src/outside/patterns/linear-patterns.ts';
import { createMetrics } from '../../server/src/platform/http/metrics.ts';
import { AnswerCache } from '../../server/src/platform/operations/answer-cache.ts';
import { defaultRunLimits } from '../../server/src/platform/spending/run-limits.ts';
import { defaultSpending } from '../../server/src/platform/spending/spending.ts';

export const testEgress = { allowLoopback: true, allowedPrivateHosts: [] };

export function testHttpOptions(
  parts: Pick<ServiceOptions, 'database' | 'log' | 'mcp' | 'models'>,
): ServiceOptions {
  const diskSpace = { freeBytes: 60, totalBytes: 100, holdsDatabase: true, refusesWrites: false };
  const freeDiskSpace = async () => diskSpace;
  return {
    ...parts,
    metrics: createMetrics(
      installationMetrics({
        readInstallationLoad: () => readInstallationLoad(parts.database),
        freeDiskSpace,
      }),
    ),
    freeDiskSpace,
    rateLimit: 'off',
    hostNames: [],
    publicUrl: undefined,
    trustedProxies: [],
    metricsToken: undefined,
    metricsNeedToken: false,
    mayReach: (url) => checkUrl(url, testEgress).refusal === undefined,
    runLimits: defaultRunLimits,
    spending: { ...defaultSpending, brakes: false },
    partModels: defaultPartModels,
    visitLimits: defaultVisitLimits,
    turns: createTurnRunner({
      ...parts,
      callsPerServer: 8,
      creditsPerDay: null,
      patterns: linearPatterns,
      maxModelSteps: defaultRunLimits.maxModelSteps,
      newId: (kind) => makeId(kind, Date.now(), crypto.getRandomValues(new Uint8Array(10))),
      verifyEgress: async () => true,
    }),
    mailer: undefined,
    stdioAddressOf: () => undefined,
    oidc: undefined,
    pages: new Map(),
    answerCache: new AnswerCache(),
  };
}
