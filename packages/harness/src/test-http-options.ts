/** How the HTTP API is set up in tests, where a test says nothing else: no limits, and the loopback interface in reach. */
import { defaultVisitLimits, makeId } from '@proofmark/domain';
import { AnswerCache } from '../../server/src/actions/answer-cache.ts';
import { defaultRunLimits } from '../../server/src/actions/eval-runs/run-limits.ts';
import { defaultPartModels } from '../../server/src/actions/spending/part-models.ts';
import { defaultSpending } from '../../server/src/actions/spending/spending.ts';
import { checkUrl } from '../../server/src/egress/address-policy.ts';
import type { HttpOptions } from '../../server/src/http/http-options.ts';
import { createMetrics } from '../../server/src/http/metrics.ts';
import { linearPatterns } from '../../server/src/patterns/linear-patterns.ts';
import { readLoad } from '../../server/src/storage/health/read-load.ts';
import { createTurnRunner } from '../../server/src/visit/create-turn-runner.ts';

export const testEgress = { allowLoopback: true, allowedPrivateHosts: [] };

export function testHttpOptions(
  parts: Pick<HttpOptions, 'database' | 'log' | 'mcp' | 'models'>,
): HttpOptions {
  const room = { freeBytes: 60, totalBytes: 100, holdsDatabase: true, refusesWrites: false };
  const diskRoom = async () => room;
  return {
    ...parts,
    metrics: createMetrics({ readLoad: () => readLoad(parts.database), diskRoom }),
    diskRoom,
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
      ...{ callsPerServer: 8, creditsPerDay: null, patterns: linearPatterns },
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
