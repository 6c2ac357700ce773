import { startOpenAiServer } from '@proofmark/harness/model-servers/start-openai-server.ts';
import { type ProjectCaller, projectCaller } from '@proofmark/harness/project-caller.ts';
import { startTestService, type TestService } from '@proofmark/harness/test-service.ts';
import { startTestWorker, type TestWorker } from '@proofmark/harness/test-worker.ts';
import { createTenant, type Tenant } from '@proofmark/harness/two-tenants.ts';
import { syncOperatorServers } from '../../packages/server/src/features/servers/store/operator-servers.ts';
import type { StdioAddress } from '../../packages/server/src/outside/mcp/mcp-target.ts';
import { createModelGateway } from '../../packages/server/src/outside/model/create-model-gateway.ts';
import {
  defaultRunLimits,
  type RunLimits,
} from '../../packages/server/src/platform/spending/run-limits.ts';
import { makeFiles, removeFiles, stdioServers } from './servers/stdio-servers.ts';
import type { SituationFixture, StartedServer } from './situation.ts';

export async function startSituationFixture(models: readonly string[]): Promise<SituationFixture> {
  makeFiles();
  const provider = await startOpenAiServer();
  const gateway = createModelGateway({
    egress: { allowLoopback: true, allowedPrivateHosts: [] },
    limits: { sends: 2, firstWaitMs: 5 },
    providers: [
      {
        name: 'local',
        kind: 'openai-compatible',
        apiKey: 'sk-operator',
        baseUrl: provider.baseUrl,
        models: models.map((name) => ({ name })),
        requestsAtOnce: 64,
      },
    ],
  });
  const addresses = new Map<string, StdioAddress>();
  const stdioAddressOf = (serverId: string) => addresses.get(serverId);
  const runLimits = { ...defaultRunLimits, concurrentRuns: 1000 };
  const service = await startTestService({ models: gateway, runLimits, stdioAddressOf });
  const tenant = await createTenant(service, 'acme');
  const ids = await saveStdioServers(service, tenant, addresses);
  const startWorker = (egressWorks: boolean) =>
    startTestWorker(service, gateway, { trialsAtOnce: 12, egressWorks, stdioAddressOf });
  let worker: TestWorker = await startWorker(true);
  let restarted: Promise<void> = Promise.resolve();
  const ask = projectCaller(service, tenant);
  const apis = new Map<string, Promise<ProjectCaller>>();
  const started = new Map<string, Promise<StartedServer>>();
  const stops: (() => Promise<void>)[] = [];
  return {
    service,
    tenant,
    ask,
    scripts: provider.scripts,
    models: gateway,
    async get(status, ...request) {
      for (;;) {
        const answer = await ask(...request);
        if (answer.status === status) return answer.body;
        // A busy service answers 503 and asks for a retry. Only reads are retried.
        const isBusy = answer.status === 503 && answer.body.details?.reason === 'NOT_IN_TIME';
        if (isBusy && request[0] === 'GET') continue;
        throw new Error(`${request[0]} ${request[1]} answered ${answer.status}: ${answer.text}`);
      }
    },
    apiOf(limits) {
      const key = JSON.stringify(limits);
      const found = apis.get(key) ?? startApi(limits);
      apis.set(key, found);
      return found;
    },
    shared(name, start) {
      const found = started.get(name) ?? start();
      started.set(name, found);
      return found.then((server) => ({ ...server, stop: async () => undefined }));
    },
    stdioId(name) {
      const id = ids.get(name);
      if (id === undefined) throw new Error(`There is no stdio server ${name}.`);
      return id;
    },
    restartWorker({ egressWorks = true } = {}) {
      restarted = restarted.then(async () => {
        await worker.stop();
        worker = await startWorker(egressWorks);
      });
      return restarted;
    },
    async stop() {
      await restarted;
      await worker.stop();
      for (const stop of stops) await stop();
      for (const server of started.values()) await (await server).stop();
      await service.stop();
      await gateway.close();
      await provider.stop();
      removeFiles();
    },
  };

  async function startApi(limits: Partial<RunLimits>): Promise<ProjectCaller> {
    const api = await service.another({ runLimits: { ...runLimits, ...limits } });
    stops.push(() => api.stop());
    return projectCaller(api, tenant);
  }
}

async function saveStdioServers(
  service: TestService,
  { projectId, organizationId }: Tenant,
  addresses: Map<string, StdioAddress>,
): Promise<ReadonlyMap<string, string>> {
  const named = Object.entries(stdioServers());
  const placed = named.map(([name]) => ({ name: `Stdio ${name}`, projectId, organizationId }));
  const { ids } = await syncOperatorServers(service.owner, placed);
  const byName = new Map<string, string>();
  for (const [index, [name, address]] of named.entries()) {
    const id = ids.get(placed[index] as (typeof placed)[number]);
    if (id === undefined) throw new Error(`The stdio server ${name} was not saved.`);
    addresses.set(id, address);
    byName.set(name, id);
  }
  return byName;
}
