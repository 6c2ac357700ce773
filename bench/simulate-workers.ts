/**
 * Simulates 2, 10, 100 and 1,000 workers on one PostgreSQL with the costs in
 * `bench/capacity/measured.json`. Some scenes have work for every slot, others for half of the
 * slots. Free slots keep asking for work.
 */
import { readCosts } from './capacity/costs.ts';
import { serviceTimes } from './capacity/service-times.ts';
import { type Setup, type Simulated, simulate } from './capacity/simulate.ts';
import { type SimulatedRow, simulatedTable } from './capacity/tables.ts';

const costs = readCosts();
const times = serviceTimes(costs);
const usualPlaces = 8;
const postgresCores = Number(process.env['BENCH_POSTGRES_CORES'] ?? 4);
const maxConnections = Number(process.env['BENCH_MAX_CONNECTIONS'] ?? 100);
const full = 0.9;
/** A worker gives up its leases if it cannot renew them for this long. */
const leaseSeconds = 5.6;
/**
 * In the service, a claim fails after this time without an answer. The simulated claim keeps
 * waiting, so results beyond this limit are too good.
 */
const claimSeconds = 10;

const scenes = [
  { name: 'A hosted model (2 s for each of two answers), work for every slot', model: 2, load: 1 },
  { name: 'The same with work for half of the slots', model: 2, load: 0.5 },
  { name: 'A model that answers at once, work for every slot', model: 0, load: 1 },
  {
    name: 'The hosted model, ten times the slots in a tenth of the workers',
    model: 2,
    load: 1,
    tenfold: true,
  },
];
for (const { name, model, load, tenfold = false } of scenes) {
  const rows = (tenfold ? [1, 10, 100] : [2, 10, 100, 1000]).map((workers): SimulatedRow => {
    const slotsEach = usualPlaces * (tenfold ? 10 : 1);
    const runs = Math.ceil((workers * slotsEach * load) / usualPlaces);
    const setup: Setup = {
      workers,
      slotsEach,
      atOncePerRun: usualPlaces,
      runs,
      modelSeconds: model,
      toolSeconds: 0.1 * Math.sign(model),
      spread: 0.5,
      postgresCores,
      isOneMachine: false,
      seconds: model > 0 ? 30 : 10,
      seed: 1,
    };
    const simulated = simulate(times, setup);
    const connections = Math.ceil(workers * costs.process.connectionsBusy);
    return { setup, simulated, connections, limits: limitsOf(simulated, connections) };
  });
  console.log(`${name}:\n\n${simulatedTable(rows)}\n`);
}

function limitsOf(simulated: Simulated, connections: number): string {
  const reached = [
    connections > maxConnections && `connections (${maxConnections} by default)`,
    simulated.postgresBusy > full * postgresCores && 'CPU of PostgreSQL',
    simulated.claimLockBusy > full && 'lock of claims',
    simulated.claimWait > claimSeconds && 'claims fail',
    simulated.longestLook > leaseSeconds && 'leases run out',
    simulated.workerBusy > full && 'CPU of the workers',
  ].filter((one) => one !== false);
  return reached.length === 0 ? 'nothing' : reached.join(', ');
}
