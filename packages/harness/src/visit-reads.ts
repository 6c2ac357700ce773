import { expect } from 'vitest';
import { createModelGateway } from '../../server/src/outside/model/create-model-gateway.ts';
import { turnOf } from './any-visits.ts';
import { createEnvironment } from './create-environment.ts';
import { type ProjectCaller, projectCaller } from './project-caller.ts';
import { storeTestScenario } from './stored-scenario.ts';
import { storeVisit, type TurnToStore, type VisitToStore } from './stored-visits.ts';
import { startTestService, type TestService } from './test-service.ts';
import { startTestWorker, type TestWorker } from './test-worker.ts';
import { createTenant, type Tenant } from './two-tenants.ts';

export interface ScenarioToRead {
  readonly scenarioId: string;
  readonly environmentId: string;
  readonly path: string;
  visit(more?: VisitToStore): Promise<string>;
}

export interface VisitReads {
  readonly service: TestService;
  readonly tenant: Tenant;
  readonly ask: ProjectCaller;
  scenario(): Promise<ScenarioToRead>;
  mined(): Promise<void>;
  startWorker(): Promise<void>;
  stopWorker(): Promise<void>;
  stop(): Promise<void>;
}

export async function startVisitReads(): Promise<VisitReads> {
  const models = createModelGateway({
    egress: { allowLoopback: true, allowedPrivateHosts: [] },
    providers: [],
  });
  const service = await startTestService({ models });
  const tenant = await createTenant(service, 'readouts');
  await service.owner.sql`update organizations set user_testing = true`;
  const visitTimes = { settleMs: 3_600_000, miningDebounceMs: 300 };
  let worker: TestWorker = await startTestWorker(service, models, { visitTimes });
  let environments = 0;
  const isDone = async () => {
    const [open] = await service.owner.sql<{ count: number }[]>`
      select (select count(*) from leased_work where status <> 'done' and kind in ('window-mining', 'insights'))::integer
        + (select count(*) from visitor_sessions where status = 'ended'
            and (settled_at is null or settled_at < rated_at))::integer as count`;
    return open?.count === 0;
  };
  return {
    service,
    tenant,
    ask: projectCaller(service, tenant),
    async scenario() {
      environments += 1;
      const { environmentId } = await createEnvironment(service, tenant, `Shop ${environments}`);
      const { scenarioId } = await storeTestScenario(service, { ...tenant, environmentId });
      const place = { scenarioId, environmentId };
      return {
        ...place,
        path: `user-testing/scenarios/${scenarioId}`,
        visit: (more) => storeVisit(service, tenant, place, more),
      };
    },
    async mined() {
      await expect.poll(isDone, { timeout: 20_000, interval: 30 }).toBe(true);
    },
    async startWorker() {
      worker = await startTestWorker(service, models, { visitTimes });
    },
    stopWorker: () => worker.stop(),
    async stop() {
      await worker.stop();
      await service.stop();
      await models.close();
    },
  };
}

export function booking(failed: boolean): TurnToStore {
  const answer = failed ? 'The tool book failed.' : 'Done.';
  const evidence = turnOf([{ toolName: 'book', failed }], answer);
  return { evidence, text: `Book a table ${failed ? 'badly' : 'well'}` };
}
