import { type RunLoad, runLoad } from './run-load.ts';
import type { RunSetup, ServerKind, Tenant } from './run-setup.ts';

export interface JourneyRunLoad extends RunLoad {
  readonly journeys: Readonly<Record<ServerKind, string>>;
}

export const sessionsPerRun = process.env['PROOFMARK_RUN_FAULTS'] === undefined ? 4 : 8;
/** Each turn calls the model twice: for the tool, and for the answer. */
export const turnsPerSession = 2;
const targets = 2;

export async function prepareJourneyLoad(setup: RunSetup, tenant: Tenant): Promise<JourneyRunLoad> {
  const { id: personaId } = await make(setup, tenant, 'personas', { name: 'Ann', role: 'Keeper' });
  const journeys = { good: '', bad: '' };
  for (const kind of ['good', 'bad'] as const) {
    const environmentIds = await createEnvironments(setup, tenant, kind);
    const { id } = await make(setup, tenant, 'journeys', {
      name: kind,
      goal: 'Count the stock of item-1.\nCount the stock of item-2.',
      personaId,
      environmentIds,
      sessionsPerTarget: sessionsPerRun / targets,
      maxTurns: turnsPerSession,
      rubric: [{ id: 'clean', predicate: { type: 'noToolErrors' } }],
    });
    journeys[kind] = id;
  }
  const load = runLoad({
    launch: (kind, key) =>
      setup.request(
        tenant,
        `journeys/${journeys[kind]}/runs`,
        {},
        { headers: { 'idempotency-key': key } },
      ),
    idOf: ({ id }) => id,
    read: (runId) => setup.request(tenant, `journey-runs/${runId}`),
    hasEnded: ({ status }) => status !== 'running',
  });
  return Object.assign(load, { journeys });
}

async function createEnvironments(
  setup: RunSetup,
  tenant: Tenant,
  kind: ServerKind,
): Promise<string[]> {
  const config = { modelId: 'local/steady', serverIds: [tenant.servers[kind]] };
  const { id: hostId } = await make(setup, tenant, 'clients', { name: kind, config });
  const made: string[] = [];
  for (let count = 1; count <= targets; count += 1) {
    const fields = { name: `${kind} ${count}`, hostId };
    made.push((await make(setup, tenant, 'environments', fields)).id);
  }
  return made;
}

async function make(setup: RunSetup, tenant: Tenant, path: string, fields: object) {
  const made = await setup.request(tenant, path, fields);
  if (made.status !== 201) throw new Error(made.text);
  return made.body as { readonly id: string };
}
